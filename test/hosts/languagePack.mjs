// @ts-check
/**
 * Lets VS Code's server run in another language without that language's pack, which npm does not have: an
 * empty pack. VS Code's own words stay English, extensions get the language and show their translations.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @param {string} userDataDir
 * @param {string} locale as VS Code spells it: `zh-cn`, `de`
 */
export async function writeEmptyLanguagePack(userDataDir, locale) {
  const translations = join(userDataDir, 'empty-language-pack.json');
  await mkdir(join(userDataDir, 'User'), { recursive: true });
  await writeFile(join(userDataDir, 'User', 'argv.json'), JSON.stringify({ locale }));
  await writeFile(translations, JSON.stringify({ version: '1.0.0', contents: {} }));
  const extensions = [{ extensionIdentifier: { id: 'loopscope.empty-language-pack' }, version: '1.0.0' }];
  const pack = { hash: `empty-${locale}`, label: locale, extensions, translations: { vscode: translations } };
  await writeFile(join(userDataDir, 'languagepacks.json'), JSON.stringify({ [locale]: pack }));
}
