import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandEnvironment } from '../../../src/entry/secrets.ts';

const kept = {
  PATH: '/usr/bin:/bin',
  HOME: '/home/me',
  LANG: 'C.UTF-8',
  EMPTY: '',
  KEYBOARD: 'us',
  SSH_KEY: '/home/me/.ssh/id',
  HTTPS_PROXY: 'http://me:pass@proxy:8080',
  MONKEY: 'x',
};
const keys = {
  OPENAI_API_KEY: 'sk-FAKE-1234567890',
  ANTHROPIC_AUTH_TOKEN: 'a',
  GH_TOKEN: 'short',
  npm_authToken: 'abcdefgh',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG',
  aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  DB_PASSWORD: 'hunter2',
  // Under a name that says nothing.
  SETTINGS: '{"key":"sk-FAKE-0987654321"}',
  HEADER: 'Authorization: Bearer abcdef1234567890',
  MINE: 'the-key-in-use',
  OPTIONS: '--key=the-key-in-use --fast',
  NAMED: 'whatever',
};

test('C42 keys are not handed on to commands, by their name or by their value; the rest is', () => {
  const env = commandEnvironment({ ...kept, ...keys }, { apiKey: 'the-key-in-use', named: 'NAMED' });
  assert.deepEqual(env, kept);
});

test('a short key takes only itself out, and none takes out nothing', () => {
  assert.deepEqual(commandEnvironment({ A: 'ollama', B: '/opt/ollama' }, { apiKey: 'ollama' }), {
    B: '/opt/ollama',
  });
  assert.deepEqual(commandEnvironment(kept), kept);
  assert.deepEqual(commandEnvironment(kept, { apiKey: '' }), kept);
});

test("the editor's own variables stay with it", () => {
  const own = { ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: '/run/x', VSCODE_PID: '1' };
  assert.deepEqual(commandEnvironment({ ...own, ...kept }), kept);
});
