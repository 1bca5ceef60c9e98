// @ts-check
/** User settings that make a fresh VS Code as calm as one that a person has opened ten times. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @type {Readonly<Record<string, unknown>>} */
const QUIET = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'git.autoRepositoryDetection': false,
  'git.openRepositoryInParentFolders': 'never',
  'typescript.disableAutomaticTypeAcquisition': true,
};

/**
 * What is in the folder's settings.json already wins over the quiet ones, and `more` over both.
 * @param {string} userDataDir
 * @param {Readonly<Record<string, unknown>>} [more]
 */
export async function writeQuietSettings(userDataDir, more) {
  const folder = join(userDataDir, 'User');
  const file = join(folder, 'settings.json');
  await mkdir(folder, { recursive: true });
  const existing = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  await writeFile(file, JSON.stringify({ ...QUIET, ...existing, ...more }, null, 2));
}
