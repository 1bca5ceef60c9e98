import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import * as z from 'zod';
import { startRun } from '../../../src/runner/run.ts';
import { admitsFailure, claimsIn } from '../../../src/runner/claims.ts';
import { defineCommandTool } from '../../../src/toolbox/defineCommandTool.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { ToolError } from '../../../src/toolbox/toolError.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, noWorkspace, problemsOf } from '../../doubles/testAgent.ts';
import { temporaryTree } from '../toolbox/temporaryTree.ts';

const claiming = [
  'I have created the file report.md with the statistics.',
  'I wrote notes/plan.txt for you.',
  "I've just saved everything to `out/data.json`.",
  'Done! Created src/a.ts.',
  'The file has been deleted.',
  'report.md was created successfully.',
  'Successfully updated the script.',
  'I sent the email to the team.',
  'Your message has been sent.',
  'I ran the tests and all of them pass.',
  "I've installed the package.",
  'I added “milk” to your to-do list.',
  '我已经创建了文件 report.md。',
  '已将结果保存到 out/a.json。',
  '邮件已成功发送。',
  '我把脚本运行完了。测试已经运行，全部通过。',
  '已添加到待办。',
  'All tests pass.',
  'The tests pass now.',
  'All 12 tests are passing.',
  'Tests passed.',
  'The build succeeded, and linting passes.',
  'The test suite is green.',
  'I ran `npm test`.',
  'I executed npm install.',
  'I committed the changes.',
  '所有测试都通过了。',
  '测试通过。',
  '构建成功。',
  '已运行 npm test。',
  '我跑了测试。',
  'I fixed the bug in src/app.ts.',
  'Fixed the failing test in test/sum.test.ts.',
  'I added a new function to utils.py.',
  'I changed the timeout in settings.json to 30.',
  'README.md was updated successfully.',
  'I deployed the app to production.',
  'The package is now installed.',
  'All checks passed ✅',
  '✅ Created report.md',
  '- Created report.md\n- Updated index.html',
  '1. **Created** the file `a.py`.',
  'I rebased the branch and pushed.',
  "I've gone ahead and updated the file.",
  'We created the file report.md.',
  'I have scheduled the meeting and sent the invitation.',
  'I saved it as "out.json".',
  '我修复了 app.ts 中的错误。',
  '已经部署到生产环境。',
  '脚本执行成功。',
  '我新增了一个文件 utils.py。',
  '我已经发了邮件。',
  '我已把 todo 标记为完成。',
];
const innocent = [
  'The file report.md was created in 2019.',
  'You created report.md yesterday.',
  'I have not created the file.',
  "I couldn't save report.md.",
  'I can create a file report.md if you like.',
  'I will send the email tomorrow.',
  'I have written a short poem for you: roses are red.',
  'I created a plan, e.g. first the mail, then the report.',
  '65 minutes.',
  'The log says:\n> I have deleted the file a.txt',
  'Try this:\n```\nI have created the file a.txt\n```',
  'The message is on line 3 of notes.md.',
  '没有创建任何文件。',
  '要我创建文件 a.md 吗？',
  '这个文件说明了如何发送邮件。',
  'The tests pass a string to the parser.',
  'The test passes a flag to the tool.',
  'Make sure the tests pass.',
  'If the tests pass, merge it.',
  'Once all tests pass, deploy.',
  'Run the tests to see whether they pass.',
  'Tests should pass now.',
  'Do the tests pass?',
  'The tests do not pass.',
  'The README says that all tests pass.',
  '请确认测试通过后再合并。',
  '如果测试通过，就可以合并。',
  '测试通过了吗？',
  '运行测试即可。',
  'The user said: "I have created the file report.md".',
  '“I have created the file. It is a.md” is what the tool would say.',
  'Before I created the file there was no folder.',
  'Should I say that I created the file?',
  'If I had run the tests, I created the file for nothing.',
  'Updated dependencies can be found in package.json.',
  'Saved searches are in the file menu.',
  'Edited scripts must be reviewed.',
  'Written by hand, the file is short.',
  'The folder has been created by Anna.',
  'The log shows that all tests pass.',
  'According to the report, the build succeeded.',
  'Next, I would create the file report.md.',
  'Plan:\n1. Create report.md\n2. Run the tests\n3. Send the email',
  '用户说：“我已经创建了文件 report.md”。',
  '日志显示测试通过。',
  '如果已经创建了文件，就跳过。',
  '该文件已被他人删除。',
  '你已经创建了文件 a.md。',
  '“已删除文件”是一条提示信息。',
  '已知问题：运行脚本会报错。',
  'README 说所有测试都通过。',
  '我打算修改 src/a.ts 并运行测试。',
  '计划：\n1. 创建 report.md\n2. 运行测试',
];

test('C27 what is a claim, and what is not', () => {
  for (const text of claiming) assert.ok(claimsIn(text).length > 0, text);
  for (const text of innocent) assert.deepEqual(claimsIn(text), [], text);
  assert.deepEqual(claimsIn('I wrote notes/plan.txt and a.md.')[0]?.written, ['notes/plan.txt', 'a.md']);
  assert.deepEqual(claimsIn('I deleted the file a.md.')[0]?.written, []);
  for (const hostile of [
    'I have '.repeat(20_000) + 'a.'.repeat(20_000),
    'I opened '.repeat(20_000),
    '"'.repeat(50_000),
    '“'.repeat(50_000),
    '测试都'.repeat(20_000),
    `- ${'* '.repeat(20_000)}`,
  ])
    assert.deepEqual(claimsIn(hostile), []);
});

test('an answer that says what went wrong claims no success', () => {
  for (const text of [
    'It failed.',
    "I couldn't read it.",
    'There is no such file.',
    '读取失败了。',
    '找不到文件',
    '打不开',
    '遇到了一些问题',
    'There are no errors in a.ts, but the command failed.',
  ])
    assert.ok(admitsFailure(text), text);
  for (const text of [
    'Done.',
    'Everything is up to date.',
    '完成了，一切都好。',
    'Done, no problems.',
    'I fixed the error, and added error handling.',
    '一切正常，没有问题。',
    '关于您的问题：结果是 65。',
    '用时不到 5 分钟。',
  ])
    assert.ok(!admitsFailure(text), text);
});

const input = z.object({});
const command = defineTool({
  name: 'run_command',
  description: 'Fails as a shell does.',
  effects: 'outside',
  input,
  run: () => {
    throw new ToolError('exit code 127; stdout: no output; stderr: python3.99: not found');
  },
});
const write = defineTool({
  name: 'write_file',
  description: 'Writes.',
  effects: 'workspace',
  input,
  run: () => 'ok',
});
const look = defineTool({ name: 'look', description: 'Looks.', effects: 'none', input, run: () => 'ok' });

async function claimsOf(called: readonly string[], answer: string, workspace = noWorkspace) {
  const acting = called.length === 0 ? [] : [calls(called.map((name) => ({ name })))];
  const session = createTestSession();
  const agent = await createTestAgent(createScriptedModel([...acting, says(answer)]), {}, [
    command,
    write,
    look,
  ]);
  const outcome = await startRun({ ...agent, workspace }, session, { goal: 'go' }).done;
  assert.equal(outcome, 'done');
  assert.deepEqual(problemsOf(session), []);
  return session.journal.events.flatMap((event) =>
    event.type === 'anomaly' && event.code === 'unsupported-claim' ? [event] : [],
  );
}

test('C27 success claimed after exit 127 leaves one marker that names the call', async () => {
  const [marker, ...more] = await claimsOf(['run_command'], 'Done: the statistics are in stats.csv.');
  assert.equal(more.length, 0);
  assert.match(
    marker?.detail ?? '',
    /run_command \(call 1\.1\.1\) ended as error, and the answer does not say so/,
  );
  assert.equal(marker?.about.length, 2);
  assert.deepEqual(await claimsOf(['run_command'], 'The command failed with exit code 127.'), []);
  assert.equal((await claimsOf(['missing_tool'], 'All done.')).length, 1);
  // Another call of the same tool made up for it; a call of another tool did not.
  assert.equal((await claimsOf(['run_command', 'look'], 'All done.')).length, 1);
});

test('C27 an action that no call made', async () => {
  assert.match(
    (await claimsOf([], 'I have created the file a.md.'))[0]?.detail ?? '',
    /no call of this session did this/,
  );
  assert.equal((await claimsOf(['look'], 'I have created the file a.md.')).length, 1);
  assert.deepEqual(await claimsOf(['write_file'], 'I have created the file a.md.'), []);
  assert.equal((await claimsOf(['write_file'], 'I sent the email.')).length, 1);
  assert.deepEqual(await claimsOf(['look'], 'It holds three lines.'), []);
});

test('C27 a file that the answer says was written and that is not there', async (t) => {
  const workspace = createFolderWorkspace(await temporaryTree(t, { 'there.md': 'x' }));
  assert.deepEqual(await claimsOf(['write_file'], 'I wrote there.md.', workspace), []);
  const [marker] = await claimsOf(['write_file'], 'I wrote there.md and gone.md.', workspace);
  assert.equal(marker?.detail, 'there is no file gone.md');
  assert.deepEqual(await claimsOf(['write_file'], 'I deleted gone.md.', workspace), []);
  assert.deepEqual(await claimsOf(['write_file'], 'I wrote ../../outside.md.', workspace), []);
});

const passing = defineTool({
  name: 'edit_file',
  description: 'x',
  effects: 'workspace',
  input,
  run: () => 'ok',
});

test('C27 that tests pass is shown by the last command that was run, and by nothing else', async () => {
  const workspace = createFolderWorkspace(tmpdir());
  const run = async (codes: readonly number[], between: readonly (string | undefined)[], answer: string) => {
    const session = createTestSession();
    const rounds = codes.flatMap((code, index) => [
      calls([{ name: 'run_tests', arguments: { code } }]),
      ...(between[index] === undefined ? [] : [calls([{ name: between[index] }])]),
    ]);
    const tests = defineCommandTool(
      {
        name: 'run_tests',
        description: 'Runs the tests.',
        parameters: { type: 'object', properties: { code: { type: 'integer' } } },
        command: [
          process.execPath,
          '-e',
          'process.exit(JSON.parse(require("fs").readFileSync(0, "utf8")).code)',
        ],
        effects: 'none',
      },
      { PATH: process.env['PATH'] },
    );
    const agent = await createTestAgent(createScriptedModel([...rounds, says(answer)]), {}, [
      tests,
      passing,
      look,
    ]);
    await startRun({ ...agent, workspace }, session, { goal: 'go' }).done;
    return session.journal.events.filter(
      (event) => event.type === 'anomaly' && event.code === 'unsupported-claim',
    ).length;
  };
  assert.equal(await run([], [], 'All tests pass.'), 1, 'nothing was run');
  assert.equal(await run([0], [], 'I ran the tests, and all tests pass.'), 0);
  assert.equal(await run([1], ['edit_file'], 'I fixed it. All tests pass now.'), 1, 'the last one failed');
  assert.equal(await run([0, 1], [undefined, 'look'], '测试全部通过。'), 1, 'it passed, then failed');
  assert.equal(await run([1, 0], ['edit_file'], 'The tests pass now.'), 0);
});
