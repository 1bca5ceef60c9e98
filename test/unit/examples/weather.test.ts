import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

test('the example of the library runs as it says, and prints what its tool and its agent did', async () => {
  const file = fileURLToPath(new URL('../../../examples/weather.ts', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file]);
  assert.equal(stdout, 'get_weather: ok\nThe weather in Paris: sky sunny, celsius 21. (2 rounds)\n');
  assert.equal(stderr, '');
});
