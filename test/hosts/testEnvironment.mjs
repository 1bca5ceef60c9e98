// @ts-check
/** The environment that tests run in: no keys and no endpoints of the person who runs them. */

const PRIVATE = /_API_KEY$|^(OPENAI|ANTHROPIC|AZURE_OPENAI|GEMINI|OLLAMA)_/i;

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function testEnvironment(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !PRIVATE.test(name)));
}
