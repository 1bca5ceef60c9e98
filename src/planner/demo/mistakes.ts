/** Mistakes on request: what people come to debug, made on purpose and announced as such. */
import {
  answer,
  type Call,
  call,
  callsTo,
  noTool,
  oneCall,
  type Skill,
  whatWentWrong,
  words,
} from './skill.ts';
import type { DoneCall, Turn } from './turn.ts';

export const badArgument: Skill = (turn) => {
  if (
    !/(?:bad|wrong|broken|invalid|malformed) arguments?|参数.{0,4}错|错误的?参数|错.{0,2}参数/i.test(
      turn.goal,
    )
  )
    return undefined;
  if (!turn.tools.has('calculator')) return answer(noTool(turn, 'calculator'));
  const [first, second] = callsTo(turn, 'calculator');
  if (!first) {
    const text = words(
      turn,
      'I add 45 and 20, with a wrong argument, as you asked.',
      '我来算 45 加 20，按你的要求给一个错误的参数。',
    );
    return { text, calls: [wrong(turn)] };
  }
  if (first.result.kind === 'data') return answer(sum(turn, first));
  if (!second) {
    const text = words(turn, 'I correct the argument. ', '我来改正参数。') + whatWentWrong(turn, first);
    return { text, calls: [call('calculator', { expression: '45+20' })] };
  }
  const retried = second.result.kind === 'data' ? sum(turn, second) : whatWentWrong(turn, second);
  const before = words(turn, `The first call failed. `, `第一次调用失败了。`) + whatWentWrong(turn, first);
  return answer(`${before}\n${words(turn, 'With the right argument: ', '改正参数之后：')}${retried}`);
};

/** A key that the tool does not have, or text that is no JSON at all. */
function wrong({ goal }: Turn): Call {
  const malformed = /malformed|broken|invalid json|JSON.{0,3}(?:错|坏|不完整)|(?:坏|不完整).{0,3}JSON/i.test(
    goal,
  );
  return malformed
    ? { name: 'calculator', arguments: '{"expr": "45+20"' }
    : call('calculator', { expr: '45+20' });
}

function sum(turn: Turn, { arguments: input, result }: DoneCall): string {
  const value = result.kind === 'data' ? JSON.stringify(result.data ?? null) : '';
  return words(
    turn,
    `${String(input['expression'])} = ${value}.`,
    `${String(input['expression'])} = ${value}。`,
  );
}

export const failingTool: Skill = (turn) => {
  if (!/failing tool|tool that fails|(?:调用|用).{0,6}失败的?工具/i.test(turn.goal)) return undefined;
  const path = 'notes/does-not-exist.md';
  const lies = /claim (?:a )?success|pretend|lie about|谎称|假装|声称/i.test(turn.goal);
  const wanted = call('read_file', { path });
  const opening = words(turn, `I read ${path}.`, `我来读 ${path}。`);
  if (lies && callsTo(turn, 'read_file').length > 0) {
    return answer(
      words(
        turn,
        `Done: I read ${path}, and everything in it is up to date.`,
        `完成了：我读了 ${path}，里面的内容都是最新的。`,
      ),
    );
  }
  return oneCall(turn, wanted, opening, (_, done) =>
    words(
      turn,
      `${String(done.arguments['path'])} could be read after all.`,
      `${String(done.arguments['path'])} 竟然读到了。`,
    ),
  );
};

export const repeatYourself: Skill = (turn) => {
  if (
    !/repeat (?:yourself|the same)|same call (?:again|for ever|forever)|(?:一直|不断|反复)重复|重复(?:同一个)?调用/i.test(
      turn.goal,
    )
  )
    return undefined;
  const tool = ['list_todos', 'list_files'].find((name) => turn.tools.has(name));
  if (!tool) return answer(noTool(turn, 'list_todos'));
  return { text: words(turn, 'I look again.', '我再看一次。'), calls: [call(tool, {})] };
};

export const unknownTool: Skill = (turn) => {
  if (!/unknown tool|tool that does not exist|(?:不存在|未知|没有)的?工具/i.test(turn.goal)) return undefined;
  const [done] = callsTo(turn, 'send_email');
  const input = { to: 'team@example.com', subject: 'Status' };
  const opening = words(
    turn,
    'I send an e-mail, with a tool that I was not given.',
    '我用一个没有提供给我的工具发邮件。',
  );
  if (!done) return { text: opening, calls: [call('send_email', input)] };
  const nothing = words(turn, '\nI sent nothing.', '\n我什么也没有发出。');
  return answer(whatWentWrong(turn, done) + (done.result.kind === 'error' ? nothing : ''));
};
