import { answer, excerpt, type Skill, words } from './skill.ts';

/** The transcript of a conversation, in a few words: what was asked for, which calls were made, what was answered. */
export const summarize: Skill = (turn) => {
  if (turn.transcript === undefined) return undefined;
  const asked = saidBy(turn.transcript, /^user: (?!\[Summary of )(.*)/gm);
  const called = saidBy(turn.transcript, /^assistant called (\S+ with .*)/gm);
  const said = saidBy(turn.transcript, /^assistant: (.*)/gm);
  return answer(
    words(
      turn,
      `The user asked: ${list(asked)}. Calls so far: ${list(called)}. The agent said: ${said.at(-1) ?? '–'}`,
      `用户的要求：${list(asked)}。已做的调用：${list(called)}。智能体说：${said.at(-1) ?? '–'}`,
    ),
  );
};

function saidBy(transcript: string, line: RegExp): readonly string[] {
  return [...transcript.matchAll(line)].map(([, text = '']) => excerpt(text, 60));
}

function list(texts: readonly string[]): string {
  return texts.slice(-6).join('; ') || '–';
}
