/** The README's way to debug the example: breakpoints in the engine's own sources bind, and hold the program there. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { debugNode, generatedPlace, inlineMap, sourceLine } from '../../doubles/nodeDebugger.ts';

const root = path.resolve(import.meta.dirname, '..', '..', '..');

/** Lines of the engine, by the text that stands there, and how often a run of two rounds and one call passes them. */
const wanted = [
  { file: 'src/runner/loop.ts', text: 'await steps.perform(call.key);', hits: 1 },
  { file: 'src/runner/loop.ts', text: 'steps.observe();', hits: 2 },
  { file: 'src/planner/pack.ts', text: 'return asItIs(input) ?? packByRule(input);', hits: 2 },
  { file: 'examples/weather.ts', text: 'run: ({ city }) =>', hits: 1 },
] as const;

test('breakpoints in the sources bind and are hit when the example runs under a Node debugger', async (t) => {
  const node = await debugNode(['--import', 'tsx', 'examples/weather.ts'], root);
  t.after(() => node.close());
  const lines = wanted.map(({ file, text }) => {
    const line =
      readFileSync(path.join(root, file), 'utf8')
        .split('\n')
        .findIndex((one) => one.includes(text)) + 1;
    assert.ok(line > 0, `${file} has no line "${text}"`);
    return { url: pathToFileURL(path.join(root, file)).href, line };
  });
  const bound = new Map<string, number>();
  const hits = wanted.map(() => 0);
  /** Before a script runs: its map is read, and the wanted lines of it are bound. */
  const bind = async (scriptId: string) => {
    const script = node.scripts.get(scriptId);
    const wantedHere = lines.flatMap((one, index) => (script?.url.split('?')[0] === one.url ? [index] : []));
    if (!script || wantedHere.length === 0) return;
    const map = inlineMap(script);
    const { scriptSource } = await node.send('Debugger.getScriptSource', { scriptId });
    for (const index of wantedHere) {
      const place = generatedPlace(map, String(scriptSource), lines[index]!.line);
      assert.ok(place, `no place for ${wanted[index]!.text}`);
      const answer = await node.send('Debugger.setBreakpoint', { location: { scriptId, ...place } });
      const { lineNumber, columnNumber } = answer['actualLocation'] as typeof place;
      assert.equal(sourceLine(map, lineNumber, columnNumber), lines[index]!.line);
      bound.set(String(answer['breakpointId']), index);
    }
  };

  await node.send('Debugger.enable');
  await node.send('Debugger.setInstrumentationBreakpoint', {
    instrumentation: 'beforeScriptWithSourceMapExecution',
  });
  await node.send('Runtime.enable');
  await node.send('Runtime.runIfWaitingForDebugger');
  for (let stop = await node.paused(); stop; stop = await node.paused()) {
    const [frame] = stop.callFrames;
    if (stop.reason === 'instrumentation' && frame) await bind(frame.location.scriptId);
    for (const id of stop.hitBreakpoints) {
      const index = bound.get(id);
      if (index !== undefined) hits[index]!++;
    }
    await node.send('Debugger.resume');
  }
  assert.deepEqual(
    wanted.map(({ text }, index) => [text, hits[index]]),
    wanted.map(({ text, hits: expected }) => [text, expected]),
  );
  assert.match(node.stdout, /^get_weather: ok\nThe weather in Paris/);
});
