// @ts-check
/** One running VS Code server on a loopback port that the system chose, with data folders of its own. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkExtensions } from './linkExtensions.mjs';
import { killTree, spawnTree } from './processTree.mjs';
import { writeQuietSettings } from './quietSettings.mjs';
import { createScratch } from './scratch.mjs';

const END_WITH_PARENT = join(dirname(fileURLToPath(import.meta.url)), 'standins', 'end-with-parent.cjs');

/**
 * @typedef {object} ServerOptions
 * @property {import('./vscode.mjs').Installed} vscode
 * @property {string} [userDataDir] default: a temporary one
 * @property {string} [extensionsDir] default: a temporary one
 * @property {readonly string[]} [linked] folders of extensions to link into it
 * @property {string} [defaultFolder] what an address without a folder opens
 * @property {Record<string, unknown>} [settings] the user's settings, on top of the quiet ones
 * @property {boolean} [trust] true: workspace trust is enabled (folders start restricted). Default: everything is trusted
 * @property {boolean} [driver] true: pages get the smoke-test driver, which 1.139 also needs to load an extension under development
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(text: string) => void} [log] what the server prints
 */

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {string} origin
 * @property {string} extensionsDir
 * @property {() => Promise<void>} close
 */

/**
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function startServer(options) {
  const { vscode, trust, driver } = options;
  const scratch = await createScratch('server');
  const home = scratch.path;
  const extensionsDir = options.extensionsDir ?? join(home, 'extensions');
  const userData = options.userDataDir ?? join(home, 'data');
  await writeQuietSettings(userData, options.settings);
  await linkExtensions(options.linked ?? [], extensionsDir);
  const args = [
    ...['--require', END_WITH_PARENT],
    join(vscode.root, 'out', 'server-main.js'),
    ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms'],
    ...['--server-data-dir', home, '--user-data-dir', userData, '--extensions-dir', extensionsDir],
    ...['--telemetry-level', 'off', '--disable-telemetry', '--disable-experiments'],
    ...(trust === true ? [] : ['--disable-workspace-trust']),
    ...(options.defaultFolder === undefined ? [] : ['--default-folder', options.defaultFolder]),
    ...(driver === true ? ['--enable-smoke-test-driver'] : []),
  ];
  const child = spawnTree(vscode.node, args, {
    env: serverEnvironment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const close = async () => {
    await killTree(child);
    await scratch.remove();
  };
  try {
    const port = await listening(child, options.log);
    return { port, origin: `http://localhost:${port}`, extensionsDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** An outer VS Code's terminal, or a debugger's auto-attach, must not change how this one starts. @param {NodeJS.ProcessEnv | undefined} env */
function serverEnvironment(env) {
  const outer = Object.entries(env ?? process.env);
  return {
    ...Object.fromEntries(outer.filter(([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name))),
    // No gallery: without this, code-server falls back to a public one.
    EXTENSIONS_GALLERY: '{}',
  };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {((text: string) => void) | undefined} log
 * @returns {Promise<number>}
 */
function listening(child, log) {
  return new Promise((resolve, reject) => {
    let seen = '';
    const late = setTimeout(
      () => reject(new Error(`VS Code's server did not start in 60 s.\n${seen}`)),
      60_000,
    );
    /** @param {Buffer} chunk */
    const read = (chunk) => {
      log?.(String(chunk));
      if (seen.length > 20_000) return;
      seen += chunk;
      const port = /Extension host agent listening on (\d+)/.exec(seen)?.[1];
      if (port !== undefined) settle(() => resolve(Number(port)));
    };
    /** @param {() => void} how */
    const settle = (how) => {
      clearTimeout(late);
      how();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (code) =>
      settle(() => reject(new Error(`VS Code's server ended (exit ${code}).\n${seen}`))),
    );
  });
}
