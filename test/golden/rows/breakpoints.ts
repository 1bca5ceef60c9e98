/** Rows of the table: what stops a run. */
import { both, calculates, calls, done, refuses, saysAfter, sum } from './replies.ts';
import { type Begin, loopPath, type Row } from './row.ts';

const filters: Row = {
  name: 'exception-filters-phases',
  async steps(dap) {
    await dap.begin({ replies: [both, sum, done], filters: ['plan', 'reply', 'act', 'observe'] });
    for (let stop = 0; stop < 4; stop++) await dap.go('continue');
    dap.note('one with a condition, one that breaks, one that does not compile, one that is not there');
    await dap.ask('setExceptionBreakpoints', {
      filters: ['observe'],
      filterOptions: [
        { filterId: 'act', condition: 'round === 2' },
        { filterId: 'plan', condition: 'call.name === "x"' },
        { filterId: 'reply', condition: 'round >' },
        { filterId: 'nonsense' },
      ],
    });
    while ((await dap.go('continue')) !== 'end');
  },
};

/**
 * How faults come about: at calls, at an answer, in a run that does not get on, with a server that refuses. Of
 * `illegalHistory` there is no row: nothing that a client can ask for brings it about (dapFaults.test.ts breaks a history).
 */
const faults: readonly (Begin & { readonly stops: number })[] = [
  {
    stops: 4,
    goal: 'calls that fail, and an answer that claims',
    filters: ['badArguments', 'unknownTool', 'toolFailure', 'unsupportedClaim', 'silentTruncation'],
    replies: [
      calls(['calculator', '{"expression"'], ['calcualtor', {}], ['calculator', { expression: '1/0' }]),
      saysAfter(20, 'I have created the file notes/day.md.'),
    ],
  },
  {
    stops: 4,
    goal: 'the same again and again',
    filters: ['truncation', 'repeatedCall', 'limit'],
    replies: [sum, sum, sum, sum],
    agent: { context: { policy: 'window' }, max_history: 5, max_iters: 4 },
  },
  {
    stops: 1,
    goal: 'a server that refuses',
    filters: ['modelError'],
    filterOptions: [{ filterId: 'contextLost', condition: 'must be seen' }],
    replies: [refuses('No such model.')],
  },
];

const faultsRow: Row = {
  name: 'exception-filters-faults',
  async steps(dap) {
    for (const begin of faults) {
      await dap.begin(begin);
      for (let stop = 0; stop < begin.stops; stop++) {
        await dap.go('continue');
        await dap.ask('exceptionInfo', { threadId: 1 });
      }
    }
  },
};

const functions: Row = {
  name: 'function-breakpoints',
  async steps(dap) {
    await dap.begin({ replies: [both, both, both, done] });
    await dap.ask('setFunctionBreakpoints', {
      breakpoints: [
        { name: 'calculator', condition: 'round > 1' },
        { name: 'add_*', hitCondition: '% 2' },
        { name: 'nope' },
        { name: 'list_todos', condition: 'call..name' },
        { name: 'add_todo', hitCondition: 'often' },
      ],
    });
    while ((await dap.go('continue')) !== 'end');
  },
};

const data: Row = {
  name: 'data-breakpoints',
  async steps(dap) {
    const window = { context: { policy: 'window' }, max_history: 4 };
    await dap.begin({ replies: [both, sum], agent: window });
    await dap.go('next');
    await dap.go('next');
    await dap.go('next');
    const messages = await dap.container('Messages');
    const session = await dap.container('Session');
    const info = (variablesReference: number, name: string) =>
      dap.ask('dataBreakpointInfo', { variablesReference, name });
    const [m3, m1, todos] = [
      await info(messages, 'm3'),
      await info(messages, 'm1'),
      await info(session, 'todos'),
    ];
    await info(session, 'runs');
    await dap.ask('setDataBreakpoints', {
      breakpoints: [
        { dataId: m3['dataId'], accessType: 'readWrite' },
        { dataId: m1['dataId'], accessType: 'write' },
        { dataId: todos['dataId'], accessType: 'write' },
        { dataId: 'state/plan', accessType: 'write', condition: 'session..plan' },
        { dataId: 'm9' },
      ],
    });
    dap.note('an edit of the system message, and of working state');
    const variablesReference = await dap.container('Messages', 'm1');
    await dap.ask('setVariable', { variablesReference, name: 'content', value: '"Be brief."' });
    await dap.until('invalidated');
    await dap.go('continue');
    const state = await dap.container('Session');
    await dap.ask('setVariable', { variablesReference: state, name: 'todos', value: '[]' });
    await dap.until('invalidated');
    await dap.go('continue');
    dap.note('m3 leaves the context by the window');
    await dap.go('continue');
  },
};

const source: Row = {
  name: 'source-breakpoints',
  async steps(dap) {
    const { lines } = dap;
    await dap.begin({ replies: [both, sum, calculates('1+1'), done] });
    await dap.ask('breakpointLocations', { source: { path: loopPath }, line: 1, endLine: 99 });
    await dap.ask('setBreakpoints', {
      source: { path: loopPath },
      breakpoints: [
        { line: lines.plan, logMessage: 'round {round}: {messages.length} messages, {{a: 1}.a}, \\{as is\\}' },
        { line: lines.reply - 1, logMessage: '{round +}' },
        { line: lines.reply, condition: 'log("a reply", usage) && false' },
        { line: lines.act, condition: 'call.name === "add_todo"' },
        { line: lines.observe, hitCondition: '>= 3' },
      ],
    });
    while ((await dap.go('continue')) !== 'end');
  },
};

export const breakpointRows = [filters, faultsRow, functions, data, source];
