import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createDiagnosticsWatch,
  type DiagnosticsApi,
} from '../../../../src/entry/vscode/diagnosticsWatch.ts';

/** An editor whose events a test fires. */
function editor() {
  const listeners: Record<'edit' | 'report', ((event: unknown) => void)[]> = { edit: [], report: [] };
  const on = (kind: 'edit' | 'report') => (listener: (event: unknown) => void) => {
    listeners[kind].push(listener);
    return { dispose: () => (listeners[kind] = []) };
  };
  const api = {
    workspace: { onDidChangeTextDocument: on('edit') },
    languages: { onDidChangeDiagnostics: on('report') },
  } as unknown as DiagnosticsApi;
  let time = 0;
  const watch = createDiagnosticsWatch(api, () => time);
  const fire = (kind: 'edit' | 'report', event: unknown) => listeners[kind].forEach((one) => one(event));
  return {
    watch,
    listeners,
    edit: (uri: string, contentChanges: unknown[] = [{}]) =>
      fire('edit', { document: { uri }, contentChanges }),
    /** What was said just now: VS Code tells it a little later. */
    report: (...uris: string[]) => {
      time += 50;
      fire('report', { uris });
      time += 1;
    },
    /** The same of what had been said so many milliseconds before. */
    reportOf: (ms: number, ...uris: string[]) => {
      time += 50 - ms;
      fire('report', { uris });
    },
  };
}

const { signal } = new AbortController();

test('C36 what is said is fresh when it came after the last change, old before, and other files count too', () => {
  const { watch, edit, report } = editor();
  assert.equal(watch.freshness('a'), 'fresh');
  edit('a', []);
  assert.equal(watch.freshness('a'), 'fresh', 'a save changes no text');
  edit('a');
  assert.equal(watch.freshness('a'), 'old');
  assert.equal(watch.freshness('b'), 'other');
  report('b');
  assert.equal(watch.freshness('a'), 'old');
  report('a');
  assert.equal(watch.freshness('a'), 'fresh');
  edit('b');
  assert.equal(watch.freshness('a'), 'other');
  edit('a');
  report('a', 'b');
  assert.deepEqual([watch.freshness('a'), watch.freshness('b')], ['fresh', 'fresh']);
});

test('C36 what was said before a change and is told after it is not taken for newer', () => {
  const { watch, edit, report, reportOf } = editor();
  report('a');
  edit('a');
  reportOf(1, 'a');
  assert.equal(watch.freshness('a'), 'old');
  report('a');
  assert.equal(watch.freshness('a'), 'fresh');
});

test('C36 it is waited for until it is newer, at once when it is, and not for ever', async () => {
  const { watch, edit, report, listeners } = editor();
  edit('a');
  let isSettled = false;
  const settled = watch.settled('a', 60_000, signal).then(() => (isSettled = true));
  report('b');
  await new Promise(setImmediate);
  assert.equal(isSettled, false, 'what is said of another file is no answer');
  report('a');
  await settled;
  await watch.settled('a', 60_000, signal);
  edit('a');
  await watch.settled('a', 1, signal);
  assert.equal(watch.freshness('a'), 'old');
  const cancelled = new AbortController();
  const waiting = watch.settled('a', 60_000, cancelled.signal);
  cancelled.abort();
  await waiting;
  watch.dispose();
  assert.deepEqual(listeners, { edit: [], report: [] });
});
