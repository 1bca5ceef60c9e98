/** Which git is run, and what it gets to know of this process. */
import { accessSync, constants, statSync } from 'node:fs';
import * as path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** What git needs to find its own settings and files; nothing else of this process's environment reaches it. */
const passed = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'SYSTEMROOT',
  'WINDIR',
  'PATHEXT',
];

/**
 * The environment of a git that only looks: in English, without questions, without writing its index, and without any
 * way to another machine (a repository can name the program that would go there).
 */
export function gitEnvironment(env: Environment): Environment {
  const own = Object.entries(env).filter(([name]) => passed.includes(name.toUpperCase()));
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C.UTF-8',
    LANGUAGE: 'en',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/**
 * The full path of a program, by PATH alone: never one of the folder that it is to run in, which Windows looks into
 * first, and an entry `.` would. Undefined where there is none.
 */
export function findProgram(
  name: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const isWindows = platform === 'win32';
  const paths = isWindows ? path.win32 : path.posix;
  const entry = Object.entries(env).find(([key]) => (isWindows ? key.toUpperCase() : key) === 'PATH');
  const file = isWindows ? `${name}.exe` : name;
  return (entry?.[1] ?? '')
    .split(paths.delimiter)
    .filter((folder) => paths.isAbsolute(folder))
    .map((folder) => paths.join(folder, file))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
