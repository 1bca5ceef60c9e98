// @ts-check
/** Installs what tests in VS Code need, ahead of them: node test/hosts/prepare.mjs [VERSION|newest|oldest …] */
import { ensureBrowser } from './browser.mjs';
import { NEWEST, OLDEST, versionNamed } from './versions.mjs';
import { installVSCode } from './vscode.mjs';

const names = process.argv.slice(2);
const versions = names.length > 0 ? names.map(versionNamed) : [NEWEST, OLDEST];
try {
  await ensureBrowser();
  for (const version of versions) await installVSCode(version);
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
