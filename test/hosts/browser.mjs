// @ts-check
/** Finds a Chromium or Chrome to drive; on Debian and Ubuntu, as root, it installs one with the fonts that pictures need. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A sans and a mono face, and one that has Chinese, Japanese and Korean. */
const DEBIAN_PACKAGES = ['chromium', 'fonts-dejavu-core', 'fonts-wqy-zenhei'];

const ON_PATH = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];

/** @returns {string | undefined} the path of an executable */
export function findBrowser() {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROME_PATH is ${named}, which does not exist.`);
    return named;
  }
  return [...onPath(), ...standardPlaces()].find((path) => existsSync(path));
}

/**
 * @param {(line: string) => void} [log]
 * @returns {Promise<string>}
 */
export async function ensureBrowser(log = console.log) {
  const found = findBrowser();
  if (found !== undefined) return found;
  const advice =
    process.platform === 'linux'
      ? `install one (Debian, Ubuntu: apt-get install ${DEBIAN_PACKAGES.join(' ')})`
      : 'install Google Chrome or Chromium';
  const want = `Tests in VS Code's server build need Chromium or Chrome: ${advice}, or name one in CHROME_PATH.`;
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) throw new Error(want);
  log(`Chromium: installing ${DEBIAN_PACKAGES.join(', ')} (once) …`);
  const started = Date.now();
  try {
    await apt(['update', '-qq']);
    await apt(['install', '-y', '-qq', '--no-install-recommends', ...DEBIAN_PACKAGES]);
  } catch (error) {
    throw new Error(`${want}\nInstalling it failed: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    });
  }
  const installed = findBrowser();
  if (installed === undefined) throw new Error(want);
  log(`Chromium: installed in ${((Date.now() - started) / 1000).toFixed(0)} s.`);
  return installed;
}

function onPath() {
  const names = process.platform === 'win32' ? ['chrome.exe', 'msedge.exe'] : ON_PATH;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function standardPlaces() {
  if (process.platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return apps.flatMap((app) =>
      ['/Applications', join(homedir(), 'Applications')].map((at) =>
        join(at, `${app}.app`, 'Contents', 'MacOS', app),
      ),
    );
  }
  if (process.platform !== 'win32') return [];
  const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(
    (name) => process.env[name] ?? [],
  );
  const programs = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
  return programs.flatMap((program) => roots.map((root) => join(root, program)));
}

/** @param {readonly string[]} args @returns {Promise<void>} */
function apt(args) {
  return new Promise((resolve, reject) => {
    // Not killed with us: an interrupted dpkg leaves the system's package state broken.
    const child = spawn('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let err = '';
    child.stdout.resume();
    child.stderr.on('data', (chunk) => (err += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`apt-get ${args[0]}: ${err.trim()}`)),
    );
  });
}
