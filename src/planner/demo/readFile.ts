/** "Read notes/today.md", "Read notes/today.md lines 3 to 7", "读一下 notes/today.md". */
import { isRecord, parseJson } from '../../core/parseMessage.ts';
import { firstLines } from './firstLines.ts';
import { answer, call, callsTo, oneCall, type Skill, words } from './skill.ts';
import type { Turn } from './turn.ts';

export const readFile: Skill = (turn) => {
  const path = pathIn(turn.goal);
  if (!path) return undefined;
  const done = callsTo(turn, 'read_file').at(-1);
  if (done?.result.kind === 'cut') return answer(shortened(turn, done.result.text));
  const lines = /(?:lines?|第)\s*(\d{1,6})\s*(?:-|–|to|到|至)\s*(\d{1,6})/i.exec(turn.goal);
  const range = lines ? { start: Number(lines[1]), end: Number(lines[2]) } : {};
  const opening = words(turn, `I read ${path}.`, `我来读 ${path}。`);
  return oneCall(turn, call('read_file', { path, ...range }), opening, (data) => contents(turn, data));
};

/** A quoted path, or a word with an extension, after a verb of reading. */
function pathIn(goal: string): string | undefined {
  const after = /(?:\b(?:read|open|show|cat|print)\b|读|打开|看看|看一下|显示)(.*)/is.exec(goal)?.[1] ?? '';
  const found = /["'“‘`]([^"'”’`]+)["'”’`]|([^\s"'“”‘’`，。：:]+\.[A-Za-z0-9]{1,8})/.exec(after);
  // Chinese puts no blank between the verb and the path.
  return found?.[1] ?? found?.[2]?.replace(/^[一下文件]+(?=[\w./])/u, '');
}

function contents(turn: Turn, data: unknown): string | undefined {
  if (!isRecord(data) || typeof data['text'] !== 'string') return undefined;
  const [path, start, end, total] = ['path', 'start', 'end', 'total'].map((key) => String(data[key]));
  const en = `${path}, lines ${start}–${end} of ${total}:`;
  const zh = `${path}，第 ${start}–${end} 行，共 ${total} 行：`;
  return `${words(turn, en, zh)}\n${firstLines(data['text'])}`;
}

/** A long file came shortened, which is no JSON any more; the beginning of its text can still be read. */
function shortened(turn: Turn, result: string): string {
  const written = /"text":"((?:[^"\\]|\\.)*)/s.exec(result)?.[1];
  const text = written === undefined ? undefined : parseJson(`"${written}"`);
  const heading = words(turn, 'The file is long; I got a part of it:', '文件很长，我只拿到一部分：');
  return `${heading}\n${firstLines(typeof text === 'string' ? text : result)}`;
}
