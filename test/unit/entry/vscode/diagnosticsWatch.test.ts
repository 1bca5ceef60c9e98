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
  const watch = createDiagnosticsWatch(api);
  const fire = (kind: 'edit' | 'report', event: unknown) => listeners[kind].forEach((one) => one(event));
  return {
    watch,
    listeners,
    edit: (uri: string, contentChanges: unknown[] = [{}]) =>
      fire('edit', { document: { uri }, contentChanges }),
    report: (...uris: string[]) => fire('report', { uris }),
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
