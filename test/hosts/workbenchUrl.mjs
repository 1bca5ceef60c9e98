// @ts-check
/** The address of a workbench of VS Code's server: what desktop VS Code takes as arguments goes into the URL. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} Workbench
 * @property {string | undefined} [folder] a folder or a `.code-workspace` file; without it the window is empty
 * @property {string | undefined} [extension] `extensionDevelopmentPath`: the one under development (see linkExtensions.mjs)
 * @property {string | undefined} [tests] `extensionTestsPath`
 * @property {boolean} [disableExtensions] true: of the installed extensions only the built-in ones run
 */

/**
 * @param {number} port
 * @param {Workbench} workbench
 */
export function workbenchUrl(port, { folder, extension, tests, disableExtensions = false }) {
  const authority = `localhost:${port}`;
  /** @param {string} path */
  const remote = (path) => `vscode-remote://${authority}${pathToFileURL(resolve(path)).pathname}`;
  const payload = [
    ...(extension === undefined ? [] : [['extensionDevelopmentPath', remote(extension)]]),
    ...(tests === undefined ? [] : [['extensionTestsPath', remote(tests)]]),
    ...(disableExtensions ? [['disableExtensions', 'true']] : []),
    ['skipWelcome', 'true'],
  ];
  const query = new URLSearchParams();
  if (folder === undefined) query.set('ew', 'true');
  else query.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', resolve(folder));
  query.set('payload', JSON.stringify(payload));
  return `http://${authority}/?${query}`;
}
