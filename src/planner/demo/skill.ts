/** What skills are made of: a skill looks at the turn and decides what the model says and calls next. */
import type { DoneCall, Turn } from './turn.ts';

/** Undefined: this goal is not for this skill. */
export type Skill = (turn: Turn) => Decision | undefined;

export interface Decision {
  readonly text: string;
  readonly calls: readonly Call[];
}

export interface Call {
  readonly name: string;
  /** JSON text; malformed on purpose where somebody asked for that. */
  readonly arguments: string;
}

/** A text in the language of the goal. */
export function words(turn: Turn, en: string, zh: string): string {
  return turn.language === 'zh' ? zh : en;
}

/** The end of the run. */
export function answer(text: string): Decision {
  return { text, calls: [] };
}

export function call(name: string, input: Readonly<Record<string, unknown>>): Call {
  return { name, arguments: JSON.stringify(input) };
}

export function callsTo(turn: Turn, name: string): readonly DoneCall[] {
  return turn.done.filter((done) => done.name === name);
}

/**
 * The common case: one call, then an answer made of its result, or an honest word on why there is none.
 * `answerWith` gives undefined for data of another shape than the tool's (a mocked result, for example).
 */
export function oneCall(
  turn: Turn,
  wanted: Call,
  opening: string,
  answerWith: (data: unknown, done: DoneCall) => string | undefined,
): Decision {
  const done = callsTo(turn, wanted.name).at(-1);
  if (!done)
    return turn.tools.has(wanted.name)
      ? { text: opening, calls: [wanted] }
      : answer(noTool(turn, wanted.name));
  const text = done.result.kind === 'data' ? answerWith(done.result.data, done) : undefined;
  return answer(text ?? whatWentWrong(turn, done));
}

export function noTool(turn: Turn, name: string): string {
  return words(
    turn,
    `I would need the tool ${name} for that, and this agent does not have it.`,
    `这需要工具 ${name}，但这个智能体没有它。`,
  );
}

/** For a call that gave no data to work with. */
export function whatWentWrong(turn: Turn, { name, result }: DoneCall): string {
  switch (result.kind) {
    case 'error':
      return words(turn, `${name} did not work: ${result.error}`, `${name} 没有成功：${result.error}`);
    case 'cut': {
      const start = excerpt(result.text, 200);
      return words(
        turn,
        `The result of ${name} was shortened. It begins: ${start}`,
        `${name} 的结果被截短了，开头是：${start}`,
      );
    }
    case 'data': {
      const start = excerpt(JSON.stringify(result.data ?? null), 200);
      return words(turn, `${name} gave something unexpected: ${start}`, `${name} 返回了意外的内容：${start}`);
    }
  }
}

/** The first `length` characters, by code point. */
export function excerpt(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length).join('')}…`;
}

/** `1 match`, `2 matches`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
