// @ts-check
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The command line of a desktop VS Code that can show a window here. @returns {string | undefined} */
export function findDesktopVSCode() {
  const named = process.env['VSCODE_EXECUTABLE_PATH'];
  if (named !== undefined && named !== '') return named;
  // In a terminal of a remote VS Code, `code` is a messenger that cannot load an extension from a folder.
  if (process.env['VSCODE_IPC_HOOK_CLI'] !== undefined || !canShowWindows()) return undefined;
  return candidates().find((path) => existsSync(path));
}

export function canShowWindows() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

function candidates() {
  const names = process.platform === 'win32' ? ['code.cmd', 'code-insiders.cmd'] : ['code', 'code-insiders'];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...standardPlaces()];
}

function standardPlaces() {
  if (process.platform === 'darwin') {
    const bundle = ['Visual Studio Code.app', 'Contents', 'Resources', 'app', 'bin', 'code'];
    return ['/Applications', join(homedir(), 'Applications')].map((folder) => join(folder, ...bundle));
  }
  if (process.platform !== 'win32') return [];
  const roots = [join(process.env['LOCALAPPDATA'] ?? '', 'Programs'), process.env['PROGRAMFILES'] ?? ''];
  return roots.map((root) => join(root, 'Microsoft VS Code', 'bin', 'code.cmd'));
}
