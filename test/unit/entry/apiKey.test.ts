import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentConfig } from '../../../src/core/config.ts';
import { agentSchema } from '../../../src/entry/agentSchema.ts';
import { resolveApiKey } from '../../../src/entry/createAgent.ts';

const config = (api_key_env?: string) =>
  agentSchema.parse({ model_name: 'm', ...(api_key_env ? { api_key_env } : {}) }) as AgentConfig;

test('the key: the named variable, else the stored one, else OPENAI_API_KEY, else none', () => {
  const env = { MY_KEY: ' a ', OPENAI_API_KEY: 'c' };
  assert.equal(resolveApiKey(config('MY_KEY'), env, 'b'), 'a');
  assert.equal(resolveApiKey(config('NOT_SET'), env, 'b'), 'b');
  assert.equal(resolveApiKey(config(), env, 'b'), 'b');
  assert.equal(resolveApiKey(config(), env), 'c');
  assert.equal(resolveApiKey(config('EMPTY'), { EMPTY: ' ' }), undefined);
});
