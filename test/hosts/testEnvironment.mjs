// @ts-check
/**
 * The environment that tests run in: no keys and no endpoints of the person who runs them, and no word of the test runner
 * to its own kind. (A test that an agent runs would take itself for a part of the test that runs the agent, and be none.)
 */

const PRIVATE = /_API_KEY$|^(OPENAI|ANTHROPIC|AZURE_OPENAI|GEMINI|OLLAMA)_|^NODE_TEST_CONTEXT$/i;

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function testEnvironment(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !PRIVATE.test(name)));
}
