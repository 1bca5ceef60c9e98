import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hoveredInAgentFile, hoveredInLoop } from '../../../src/entry/hoverExpression.ts';

const loop = readFileSync(new URL('../../../src/runner/loop.ts', import.meta.url), 'utf8');

/** What hovering a text of the loop's source evaluates, from its first and its last column. */
function inLoop(text: string): readonly (string | undefined)[] {
  const line =
    loop.split('\n').find((one) => one.includes(text)) ?? assert.fail(`no line of the loop has ${text}`);
  const at = line.indexOf(text);
  return [at, at + text.length - 1].map((column) => {
    const found = hoveredInLoop(line, column);
    return found && `${line.slice(found.start, found.end)}: ${found.expression}`;
  });
}

test('names in the loop show what they stand for, and no others', () => {
  for (const [text, expected] of [
    ['steps.pack', 'steps.pack: packed'],
    ['steps.ask', 'steps.ask: reply'],
    ['steps.calls', 'steps.calls: fresh.calls'],
    ['steps.perform', 'steps.perform: result'],
    ['steps.observe', 'steps.observe: fresh.results'],
    ['call.key', 'call.key: call.key'],
    ['gate.checkpoint', undefined],
    ['await', undefined],
  ] as const)
    assert.deepEqual(inLoop(text), [expected, expected], text);
  assert.equal(hoveredInLoop('  x  ', 0), undefined);
  assert.equal(hoveredInLoop('constructor toString __proto__', 3), undefined);
});

const agent = `{
  // a comment
  "model_name": "demo",
  "temperature": 0.3,
  "system_prompt": "You plan.",
  "parameters": { "top_p": 0.9, "odd\\"name": 1 },
  "tools": ["calculator"],
  "todos": [{ "content": "report", "minutes": 45 }],
  "constructor": 1
}`;

test('settings of an agent file show the value that the paused agent has', () => {
  const hovered = (text: string) => {
    const found = hoveredInAgentFile(agent, agent.indexOf(text) + 1);
    return found && `${agent.slice(found.start, found.end)}: ${found.expression}`;
  };
  assert.equal(hovered('"temperature"'), '"temperature": request.temperature');
  assert.equal(hovered('0.3'), '0.3: request.temperature');
  assert.equal(hovered('"model_name"'), '"model_name": request.model');
  assert.equal(hovered('"You plan."'), '"You plan.": messages.find((m) => m.role === "system")?.content');
  assert.equal(hovered('"top_p"'), '"top_p": request["top_p"]');
  assert.equal(hovered('"odd'), '"odd\\"name": request["odd\\"name"]');
  assert.equal(hovered('"todos"'), '"todos": session.todos');
  for (const none of ['"tools"', '"calculator"', '"constructor"', '// a comment'])
    assert.equal(hovered(none), undefined, none);
  assert.equal(hoveredInAgentFile('', 0), undefined);
  assert.equal(hoveredInAgentFile('{ "temperature', 14)?.expression ?? 'none', 'request.temperature');
});
