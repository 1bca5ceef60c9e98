// @ts-check
/**
 * The two VS Code versions that Loopscope is tested in, and where each comes from: the npm package
 * `code-server` N.x ships the server build of VS Code 1.x, which runs on the Node that it was built for.
 */

/** @typedef {'1.139.1' | '1.100.3'} Version */

/** @type {Version} */
export const NEWEST = '1.139.1';

/** @type {Version} */
export const OLDEST = '1.100.3';

/** @type {Readonly<Record<Version, { codeServer: string, node: number, ripgrep?: string }>>} */
export const BUILDS = {
  '1.139.1': { codeServer: '4.139.1', node: 24 },
  // Its ripgrep is downloaded by an install script; the prebuilt one from npm stands in for it.
  '1.100.3': { codeServer: '4.100.3', node: 20, ripgrep: '1.18.0' },
};

/**
 * @param {string} name a version, `newest` or `oldest`
 * @returns {Version}
 */
export function versionNamed(name) {
  if (name === 'newest') return NEWEST;
  if (name === 'oldest') return OLDEST;
  if (Object.hasOwn(BUILDS, name)) return /** @type {Version} */ (name);
  throw new Error(
    `Unknown VS Code version "${name}". Known: ${Object.keys(BUILDS).join(', ')}, newest, oldest.`,
  );
}
