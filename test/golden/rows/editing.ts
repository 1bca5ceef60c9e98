/** Rows of the table: edits, expressions, output. */
import { both, calls, says } from './replies.ts';
import type { Dap, Row } from './row.ts';
import { evaluate } from './stepping.ts';

/** An edit that is taken, with the events that it leads to. */
async function taken(dap: Dap, ...request: Parameters<Dap['ask']>): Promise<void> {
  await dap.ask(...request);
  await dap.until('invalidated');
}

const setting: Row = {
  name: 'setVariable-setExpression',
  async steps(dap) {
    const at = async (name: string, value: string, ...path: readonly string[]) => ({
      variablesReference: await dap.container(...path),
      name,
      value,
    });
    await dap.begin({ replies: [both] });
    dap.note('plan: this request only, and for good');
    await taken(dap, 'setVariable', await at('temperature', '0.9', 'Pending'));
    await dap.ask('setVariable', await at('temperature', '"hot"', 'Pending'));
    await taken(dap, 'setVariable', await at('content', '"Only now."', 'Pending', 'messages', 'm2'));
    await taken(dap, 'setVariable', await at('content', 'Be brief.', 'Messages', 'm1'));
    await dap.ask('setVariable', await at('role', '"tool"', 'Messages', 'm1'));
    await dap.rows('Context');
    dap.note('act: arguments of a call that has not run');
    await dap.go('next');
    await dap.ask('setVariable', await at('arguments', '{expression: "45+30"}', 'Pending', 'call 1.1.1'));
    await taken(dap, 'setVariable', await at('arguments', '{"expression":"45+30"}', 'Pending', 'call 1.1.1'));
    await taken(dap, 'setExpression', { expression: 'call.arguments.expression', value: '"45+31"', frameId: 1 });
    await dap.ask('setExpression', { expression: 'call.name', value: '"add_todo"', frameId: 1 });
    await dap.ask('setExpression', { expression: 'round', value: '2', frameId: 1 });
    dap.note('observe: a result; a call that has run is done');
    await dap.go('next');
    await dap.ask('setVariable', await at('arguments', '{}', 'Pending', 'call 1.1.1'));
    await taken(dap, 'setVariable', await at('result', '"{\\"success\\":true,\\"data\\":7}"', 'Pending', 'call 1.1.1'));
    await dap.go('next');
    await dap.rows('Messages');
  },
};

const ops: Row = {
  name: 'edits-refused-and-offered',
  async steps(dap) {
    const edit = (op: object) => dap.ask('loopscope/edit', { op });
    await dap.begin({ replies: [both] });
    await edit({ kind: 'set', target: 'request/temperature', scope: 'request', value: 3 });
    await edit({
      kind: 'insert',
      target: 'messages',
      scope: 'request',
      value: { role: 'system', content: 'Be brief.' },
      behind: 'm2',
    });
    await edit({ kind: 'drop', target: 'm2' });
    await dap.go('stepIn');
    await edit({ kind: 'remove', target: 'm3', scope: 'pending' });
    await edit({
      kind: 'insert',
      target: 'm3/tool_calls',
      scope: 'pending',
      value: { name: 'calculator', arguments: '{expression: 1}' },
    });
    await dap.go('stepIn');
    await edit({ kind: 'skip', target: '1.1.9' });
    await taken(dap, 'loopscope/edit', { op: { kind: 'reject', target: '1.1.1', reason: '' } });
    await taken(dap, 'loopscope/edit', { op: { kind: 'mock', target: '1.1.1', data: 66 } });
    await taken(dap, 'loopscope/edit', { op: { kind: 'reject', target: '1.1.2', reason: 'not now' } });
    await dap.rows('Pending');
    await dap.go('next');
    await dap.go('next');
    await edit({ kind: 'remove', target: 'm4', scope: 'history' });
    await dap.rows('Messages');
  },
};

const expressions: Row = {
  name: 'evaluate-completions-hovers-assignment',
  async steps(dap) {
    const complete = (text: string, column = text.length + 1) =>
      dap.ask('completions', { text, column, frameId: 1 });
    await dap.begin({ replies: [both] });
    await dap.go('next');
    for (const expression of [
      'round',
      "messages.filter(m => m.role === 'user').length",
      'call',
      'fresh.calls.map((one) => one.name)',
      '({ a: [1, { b: undefined }], c: () => 1 })',
      'nothing.at',
      'round >',
      'log("said", { round })',
    ])
      await evaluate(dap, expression, 'repl');
    dap.note('hovers and watches only read');
    await evaluate(dap, 'call.name', 'hover');
    await evaluate(dap, 'log("not said")', 'hover');
    await evaluate(dap, 'messages[0].content = "x"', 'watch');
    dap.note('completions');
    await complete('mess');
    await complete('call.');
    await complete('call.name === "c');
    await complete('messages[0].co + 1', 15);
    dap.note('limits');
    await evaluate(dap, 'for (;;) {}', 'watch');
    await evaluate(dap, 'let s = "x"; for (;;) s += s', 'watch');
    await evaluate(dap, '/(a+)+$/.test("a".repeat(40) + "b")', 'watch');
    await evaluate(dap, 'process.exit()', 'watch');
    dap.note('an assignment is the edit');
    await taken(dap, 'evaluate', { expression: 'call.arguments.expression = "1+1"', frameId: 1, context: 'repl' });
    await evaluate(dap, 'messages[0].role = "tool"', 'repl');
    await evaluate(dap, 'messages = []', 'repl');
    await evaluate(dap, 'call.arguments', 'repl');
  },
};

const output: Row = {
  name: 'output',
  async steps(dap) {
    const escape = '\u001b[2J\u001b[31mred\u0007 \u202eabc\u200b';
    await dap.begin({ replies: [calls(['add_todo', { content: escape, minutes: 1 }]), says(escape)], filters: ['act'] });
    await dap.go('continue');
    await evaluate(dap, `log(${JSON.stringify(escape)})`, 'repl');
    await dap.go('continue');
    await dap.rows('Pending');
  },
};

export const editingRows = [setting, ops, expressions, output];
