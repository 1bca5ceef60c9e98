/** The main path, with real keys: palette, step, edit, read both panels, reach the answer, chat on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

/** The edited argument: a sum that no list of the demo comes to. */
const edited = '999+1';
const goal = 'I am busy, plan the rest of my day';

test('the main path', async (t) => {
  const vscode = await openWorkbench({ theme: 'dark' });
  t.after(() => vscode.close());
  const rounds = async () => (await vscode.frame('Rounds')).locator('body').innerText();

  await vscode.step(t, 'Debug Agent… asks for a goal and stops at plan of round 1, in the loop', async () => {
    await vscode.runCommand('Loopscope: Debug Agent…');
    await vscode.quickPick('day-planner.agent.json');
    await vscode.quickInput(goal, 'Enter');
    const top = await vscode.whenStopped(/^plan$/);
    assert.equal(top.source, 'loop.ts');
    assert.match(await vscode.activeEditor(), /^loop/);
    const frames = (await vscode.callStack())
      .filter(({ kind }) => kind === 'frame')
      .map(({ label }) => label);
    assert.deepEqual(frames, ['plan', 'round 1', `run 1: ${goal}`]);
    const rows = await eventually(
      'Variables',
      () => vscode.variables(),
      (all) => all.some(({ name }) => name === 'temperature'),
    );
    const scopes = rows.filter(({ level }) => level === 1).map(({ name }) => name);
    assert.deepEqual(scopes, ['Pending', 'Messages', 'Context', 'Session', 'Usage']);
    const boxes = await eventually(
      'Breakpoints',
      () => vscode.breakpoints(),
      (all) => all.length > 0,
    );
    assert.deepEqual(
      boxes
        .filter(({ name }) => /^(Plan|Act|Observe|Reply)$/.test(name))
        .map(({ name, checked }) => `${name} ${checked}`),
      ['Plan true', 'Act true', 'Observe true', 'Reply false'],
    );
    await eventually('Rounds beside the source', rounds, (text) => text.includes('m2'));
    await vscode.shot('paused-at-plan');
  });

  await vscode.step(t, 'F10 goes from phase to phase', async () => {
    await vscode.pressF10();
    await vscode.whenStopped('act · list_todos');
    await vscode.pressF10();
    await vscode.whenStopped('observe');
    await vscode.pressF10();
    await vscode.whenStopped('plan');
  });

  await vscode.step(t, 'F11 stops at the reply and before each of its two calls', async () => {
    await vscode.pressF11();
    await vscode.whenStopped('reply');
    await vscode.pressF11();
    await vscode.whenStopped('act · add_todo (1/2)');
    await vscode.pressF11();
    await vscode.whenStopped('act · calculator (2/2)');
  });

  await vscode.step(t, 'an argument edited in Variables is what happens', async () => {
    await vscode.expandVariable('Pending', 'call 1.2.2');
    await vscode.setVariable('arguments', JSON.stringify({ expression: edited }));
    await eventually('the edit in Rounds', rounds, (text) => text.includes(edited));
    await vscode.shot('paused-at-act');
    await vscode.pressF5();
    await vscode.whenStopped('observe');
    await eventually('the result in Rounds', rounds, (text) => /"data":1000/.test(text));
    // The list is low beside everything else: it went to what the stop is about.
    await eventually(
      'the result where it is seen',
      async () =>
        (await vscode.frame('Rounds')).evaluate<boolean>(`(() => {
          const view = document.querySelector('.scroll').getBoundingClientRect();
          const { top } = document.querySelector('[data-call="1.2.2"]').getBoundingClientRect();
          const end = Math.min(view.bottom, document.querySelector('.card').getBoundingClientRect().top);
          return top > view.top - 1 && top < end;
        })()`),
      Boolean,
    );
    await vscode.shot('edited-result');
  });

  await vscode.step(t, 'Rounds shows what is new by identity, and links calls with results', async () => {
    await vscode.pressF5();
    await vscode.whenStopped('plan');
    const text = await eventually('round 3', rounds, (all) => /\+3 new/.test(all));
    assert.match(text, /m6/);
    assert.match(text, /kept/);
    await vscode.shot('rounds-diff');
  });

  await vscode.step(t, 'the Context view shows a budget that adds up', async () => {
    await vscode.runCommand('Loopscope: Show Context');
    const context = await vscode.frame('Context');
    const text = await eventually(
      'the budget',
      () => context.locator('body').innerText(),
      (all) => /8,192/.test(all),
    );
    assert.match(text, /system/i);
    await vscode.shot('context');
  });

  await vscode.step(t, 'F5 runs to the answer, and the session stays at its end', async () => {
    for (const frame of ['act · list_todos', 'observe', 'plan', 'observe', 'end']) {
      await vscode.pressF5();
      await vscode.whenStopped(frame);
    }
    const console = await eventually(
      'the answer',
      () => vscode.debugConsoleText(),
      (all) => /\[iter 4\]\[plan\] → answer/.test(all),
    );
    // The demo model answers from what the tools really said: the edited sum, beside the list's own.
    assert.match(console, /The rest of your day/);
    assert.match(console, new RegExp(`${edited.replaceAll('+', '\\+')}`));
    await vscode.shot('end');
  });

  await vscode.step(t, '> text goes on with the conversation', async () => {
    await vscode.debugConsoleInput('> What is left for today?');
    await vscode.whenStopped('plan');
    const frames = (await vscode.callStack())
      .filter(({ kind }) => kind === 'frame')
      .map(({ label }) => label);
    assert.equal(frames.at(-1), 'run 2: What is left for today?');
    await vscode.debugToolbar('stop');
    await vscode.whenNotDebugging();
  });
});
