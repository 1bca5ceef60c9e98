import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { createCountCache, countKey } from '../../../../src/planner/tokenizer/countCache.ts';
import { createCounter } from '../../../../src/planner/tokenizer/createCounter.ts';
import { type CountOffThread, createOffThread } from '../../../../src/planner/tokenizer/offThread.ts';
import { loadTables } from '../../../../src/planner/tokenizer/tables.ts';
import { createTokenCounter } from '../../../../src/planner/tokens.ts';

const tables = await loadTables('o200k_base');
const longText = 'All work and no play makes Jack a dull boy. '.repeat(2000);
const missingFile = pathToFileURL('/nowhere/countWorker.js');

/** A thread whose answers the test gives. */
function scriptedThread() {
  const asked: {
    readonly texts: readonly string[];
    readonly answer: (tokens: readonly number[] | undefined) => void;
  }[] = [];
  const count: CountOffThread = (texts) =>
    new Promise((answer) => {
      asked.push({ texts, answer });
    });
  return { asked, count };
}

test('a long text is counted on the thread, once, and is at hand afterwards', async () => {
  const thread = scriptedThread();
  const counter = createCounter(tables, thread.count);
  const both = [counter.ahead([longText, 'short', longText]), counter.ahead([`${longText}`])] as const;
  assert.deepEqual(
    thread.asked.map(({ texts }) => texts),
    [[longText, 'short']],
  );
  // Numbers that no counting would give show where the answers come from.
  thread.asked[0]!.answer([-1, -2]);
  assert.ok(both[0] && both[1]);
  await both[0];
  await both[1];
  assert.equal(counter(longText), -1);
  assert.equal(counter('short'), -2);
  assert.equal(counter.ahead([longText, 'short']), undefined);
  assert.equal(thread.asked.length, 1);
});

test('many short texts are long together', () => {
  const thread = scriptedThread();
  const counter = createCounter(tables, thread.count);
  const texts = Array.from({ length: 2000 }, (_, index) => `message ${index}`);
  assert.equal(counter.ahead(texts.slice(0, 100)), undefined);
  assert.ok(counter.ahead(texts));
  assert.deepEqual(thread.asked[0]?.texts, texts);
});

test('the same text twice is no longer than once', () => {
  const thread = scriptedThread();
  const counter = createCounter(tables, thread.count);
  const half = longText.slice(0, 6000);
  assert.equal(counter.ahead([half, half]), undefined);
  assert.ok(counter.ahead([half, `${half}!`]));
});

test('a text that does not fit into memory is counted roughly: nothing is thrown', (t) => {
  t.mock.method(TextEncoder.prototype, 'encodeInto', () => {
    throw new RangeError('Array buffer allocation failed');
  });
  assert.equal(createCounter(tables)('twelve units'), 3);
});

test('a text that was counted here is not asked for again', () => {
  const thread = scriptedThread();
  const counter = createCounter(tables, thread.count);
  counter(longText);
  assert.equal(counter.ahead([longText]), undefined);
  assert.equal(thread.asked.length, 0);
});

test('where the thread fails, the count is made here', async () => {
  const counter = createCounter(tables, createOffThread(tables, missingFile));
  const counting = counter.ahead([longText]);
  assert.ok(counting);
  await counting;
  assert.equal(counter(longText), createCounter(tables)(longText));
});

/** Bundles the thread's code as the build does; a worker can't run TypeScript. */
async function buildWorker(folder: string): Promise<URL> {
  const source = new URL('../../../../src/planner/tokenizer/countWorker.ts', import.meta.url);
  const outfile = path.join(folder, 'countWorker.mjs');
  await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
  return pathToFileURL(outfile);
}

test('the real thread counts the same, in order, and ends with its work', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'count-worker-'));
  t.after(() => rm(folder, { recursive: true }));
  const offThread = createOffThread(tables, await buildWorker(folder));
  const exact = createCounter(tables);
  const texts = [longText, 'short', '', '中'.repeat(20_000), '\ud800 <|endoftext|> __proto__'];
  const answers = await Promise.all([offThread(texts), offThread([]), offThread(texts.slice(3))]);
  assert.deepEqual(answers, [texts.map(exact), [], texts.slice(3).map(exact)]);
  // It starts again for what comes later.
  assert.deepEqual(await offThread(['Hello world']), [2]);
});

test('a thread that was started for what can not be handed over ends', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'count-worker-'));
  t.after(() => rm(folder, { recursive: true }));
  const offThread = createOffThread(tables, await buildWorker(folder));
  const started = once(process, 'worker') as Promise<[Worker]>;
  const unshareable = Symbol('not a text') as unknown as string;
  assert.equal(await offThread([unshareable]), undefined);
  const [thread] = await started;
  await once(thread, 'exit');
  assert.deepEqual(await offThread(['Hello world']), [2]);
});

test('a count in between does not disturb one that is under way', async () => {
  const thread = scriptedThread();
  const counter = createCounter(tables, thread.count);
  const counting = counter.ahead([longText]);
  const now = counter(longText);
  thread.asked[0]!.answer([now]);
  await counting;
  assert.equal(counter(longText), now);
});

test('counters of one encoding share what they know; encodings differ', async () => {
  assert.equal(await createTokenCounter(), await createTokenCounter('o200k_base'));
  const [newer, older] = await Promise.all([createTokenCounter(), createTokenCounter('cl100k_base')]);
  assert.equal(newer('नमस्ते दुनिया'), 5);
  assert.equal(older('नमस्ते दुनिया'), 13);
});

test('the cache forgets what was used longest ago, and never holds more than its room', () => {
  const cache = createCountCache(3 * (64 + 1));
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
  assert.equal(cache.get('a'), 0);
  cache.set('d', 3);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => cache.get(key)),
    [0, undefined, 2, 3],
  );
  cache.set('xx', 4);
  assert.deepEqual(
    ['a', 'c', 'd', 'xx'].map((key) => cache.get(key)),
    [undefined, undefined, 3, 4],
  );
  cache.set('x'.repeat(1000), 5);
  assert.deepEqual(
    ['d', 'xx', 'x'.repeat(1000)].map((key) => cache.get(key)),
    [3, 4, undefined],
  );
});

test('without a digest a long text is still counted, once, here or on the thread', async (t) => {
  const tokens = createCounter(tables)(longText);
  t.mock.method(crypto, 'createHash', () => {
    throw new Error('digital envelope routines::unsupported');
  });
  assert.equal(countKey(longText), longText);
  const thread = scriptedThread();
  const counter = createCounter(tables, thread.count);
  assert.equal(counter(longText), tokens);
  assert.equal(counter.ahead([longText]), undefined);
  const other = `${longText}!`;
  const counting = counter.ahead([other]);
  thread.asked[0]!.answer([-1]);
  await counting;
  assert.equal(counter(other), -1);
});

test('a long text is known by its digest, and no text passes for the digest of another', () => {
  const digest = countKey(longText);
  assert.ok(digest.length < 64);
  assert.notEqual(countKey(digest), digest);
  assert.equal(countKey('short'), 'short');
  assert.notEqual(countKey(longText), countKey(`${longText} `));
});
