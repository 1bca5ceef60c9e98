/** Rows of the table: where a session stands and how it moves. */
import { both, calculates, calls, done, held, says, sum } from './replies.ts';
import type { Dap, Row } from './row.ts';

const phases = ['plan', 'act', 'observe'];
const scopes = ['Pending', 'Messages', 'Context', 'Session', 'Usage'];

const thread: Row = {
  name: 'thread',
  async steps(dap) {
    await dap.begin({ replies: [done], goal: 'Add 45 and 20.' });
    await dap.ask('threads');
    await dap.go('continue');
    dap.note('an answer goes on, in the same thread');
    await dap.ask('threads');
  },
};

const frames: Row = {
  name: 'frames',
  async steps(dap) {
    await dap.begin({ replies: [both, done], filters: phases });
    await dap.ask('stackTrace', { threadId: 1 });
    await dap.go('continue');
    await dap.ask('stackTrace', { threadId: 1 });
    dap.note('the round is a readable document');
    await dap.read(1);
    await dap.go('stepOut');
    await dap.go('stepOut');
    await dap.ask('stackTrace', { threadId: 1 });
    await dap.read(1);
  },
};

const scopesRow: Row = {
  name: 'scopes',
  async steps(dap) {
    const show = async () => {
      await dap.ask('scopes', { frameId: 1 });
      for (const scope of scopes) await dap.rows(scope);
    };
    await dap.begin({ replies: [both, done], agent: { todos: [{ content: 'weekly report', minutes: 45 }] } });
    await show();
    await dap.go('next');
    await show();
    await dap.rows('Pending', 'call 1.1.1');
    await dap.go('next');
    await show();
    await dap.rows('Pending', 'call 1.1.2');
    await dap.go('stepOut');
    await dap.go('stepOut');
    await show();
  },
};

const verbs: Row = {
  name: 'stepping',
  async steps(dap) {
    for (const verb of ['continue', 'next', 'stepIn', 'stepOut']) {
      await dap.begin({ replies: [both, done], filters: phases, goal: verb });
      while ((await dap.go(verb)) !== 'end');
      await dap.ask(verb, { threadId: 1 });
      await dap.over();
    }
  },
};

const back: Row = {
  name: 'looking-back',
  async steps(dap) {
    await dap.begin({ replies: [both, done], filters: ['act'] });
    await dap.go('continue');
    await dap.ask('setExceptionBreakpoints', { filters: [] });
    await dap.go('continue');
    await dap.ask('setExceptionBreakpoints', { filters: ['act'] });
    await dap.go('stepBack');
    await dap.go('stepBack');
    await dap.go('reverseContinue');
    await dap.rows('Pending');
    await dap.read(1);
    await evaluate(dap, 'call.name');
    dap.note('the past can be read, not changed');
    const variablesReference = await dap.container('Messages', 'm1');
    await dap.ask('setVariable', { variablesReference, name: 'content', value: '"x"' });
    await dap.go('stepIn');
    await dap.go('stepBack');
    await dap.go('continue');
    await dap.go('reverseContinue');
    await dap.go('reverseContinue');
    await dap.go('reverseContinue');
    await dap.go('stepBack');
    await dap.ask('setExceptionBreakpoints', { filters: [] });
    await dap.go('continue');
    await dap.ask('continue', { threadId: 1 });
    await dap.over();
  },
};

const askAgain: Row = {
  name: 'ask-again',
  async steps(dap) {
    await dap.begin({ replies: [says('50 minutes.'), done] });
    await dap.ask('loopscope/askAgain');
    await dap.go('stepIn');
    await dap.ask('loopscope/askAgain');
    await dap.until('stopped');
    await dap.rows('Pending');
    await dap.go('stepIn');
    await dap.rows('Pending');
    await dap.go('continue');
  },
};

const runToRound: Row = {
  name: 'run-to-round',
  async steps(dap) {
    const replies = ['1', '2', '3'].map(calculates);
    const broken = calls(['calculator', '{"expression']);
    await dap.begin({ replies: [...replies, broken, done], filters: [...phases, 'badArguments'] });
    await dap.ask('loopscope/runToRound', { round: 1 });
    await dap.go('loopscope/runToRound', { round: 3 });
    dap.note('a fault on the way stops');
    await dap.go('loopscope/runToRound', { round: 5 });
    await dap.go('loopscope/runToRound', { round: 5 });
    dap.note('the run may end before');
    await dap.go('loopscope/runToRound', { round: 9 });
  },
};

const life: Row = {
  name: 'pause-terminate-restart-disconnect',
  async steps(dap) {
    const reply = held();
    await dap.begin({ replies: [reply.reply], goal: 'pause' });
    await dap.ask('continue', { threadId: 1 });
    // The reply has begun to arrive.
    await dap.until('output');
    await dap.ask('pause', { threadId: 1 });
    reply.letGo();
    await dap.until('stopped');
    await dap.ask('terminate');
    await dap.over();
    dap.note('terminate while a request is on its way');
    const lost = held();
    await dap.begin({ replies: [lost.reply], goal: 'terminate' });
    await dap.ask('continue', { threadId: 1 });
    await dap.until('output');
    await dap.ask('terminate');
    await dap.over();
    lost.letGo();
    await dap.begin({ replies: [sum], goal: 'restart', filters: ['act'] });
    await dap.go('continue');
    await dap.ask('restart');
    await dap.until('stopped');
    await dap.rows('Messages');
    await dap.ask('disconnect');
  },
};

const end: Row = {
  name: 'end-of-a-run',
  async steps(dap) {
    await dap.begin({ replies: [done, says('Nothing.')] });
    await evaluate(dap, '> too early', 'repl');
    await dap.go('continue');
    await dap.rows('Pending');
    await evaluate(dap, '> What is left?', 'repl');
    await dap.until('stopped');
    await dap.ask('stackTrace', { threadId: 1 });
    dap.note('more rounds are for a run that a limit stopped');
    await evaluate(dap, '>> 1', 'repl');
    await dap.ask('continue', { threadId: 1 });
    await dap.over();
    await dap.begin({ replies: [sum, done], agent: { max_iters: 1 } });
    await dap.go('continue');
    await evaluate(dap, '>> 1', 'repl');
    await dap.until('stopped');
    await dap.ask('continue', { threadId: 1 });
    await dap.over();
    await dap.begin({ replies: [sum, done], noDebug: true });
    await dap.over();
  },
};

export function evaluate(dap: Dap, expression: string, context = 'watch') {
  return dap.ask('evaluate', { expression, frameId: 1, context });
}

export const steppingRows = [thread, frames, scopesRow, verbs, back, askAgain, runToRound, life, end];
