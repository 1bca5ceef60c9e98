/** Requests about the workspace: read a file, list files, search in them. */
import { isRecord } from '../../core/parseMessage.ts';
import { call, excerpt, oneCall, type Skill, words } from './skill.ts';
import { unquoted } from './todos.ts';

const shownLines = 20;

export const readFile: Skill = (turn) => {
  const found = /(?:\b(?:read|open|show|cat|print)\b|读|打开|看看|看一下|显示)(.*)/is.exec(turn.goal);
  const path = found?.[1]
    ? /["'“‘`]([^"'”’`]+)["'”’`]|([^\s"'“”‘’`，。：:]+\.[A-Za-z0-9]{1,8})/.exec(found[1])
    : null;
  const name = path?.[1] ?? path?.[2]?.replace(/^[一下文件]+(?=[\w./])/u, '');
  if (!name) return undefined;
  const lines = /(?:lines?|第)\s*(\d{1,6})\s*(?:-|–|to|到|至)\s*(\d{1,6})/i.exec(turn.goal);
  const range = lines ? { start: Number(lines[1]), end: Number(lines[2]) } : {};
  const opening = words(turn, `I read ${name}.`, `我来读 ${name}。`);
  return oneCall(turn, call('read_file', { path: name, ...range }), opening, (data) => {
    if (!isRecord(data) || typeof data['text'] !== 'string') return undefined;
    const [path, start, end, total] = ['path', 'start', 'end', 'total'].map((key) => String(data[key]));
    const heading = words(
      turn,
      `${path}, lines ${start}–${end} of ${total}:`,
      `${path}，第 ${start}–${end} 行，共 ${total} 行：`,
    );
    return `${heading}\n${firstLines(data['text'])}`;
  });
};

export const listFiles: Skill = (turn) => {
  const wanted =
    /(?:list|show|which|what)\b.{0,30}(?:\bfiles?\b|folder|directory)|(?:列出|看看|看一下|显示|有哪些|有什么).{0,10}(?:文件|目录)|(?:文件|目录).{0,4}有(?:哪些|什么)/i;
  if (!wanted.test(turn.goal)) return undefined;
  const folder = /\b(?:in|of|under)\s+(?:the )?(?:folder |directory )?["'“]?([\w.-]+(?:\/[\w.-]+)*)/i.exec(
    turn.goal,
  )?.[1];
  const named = folder ?? /([\w.-]+(?:\/[\w.-]+)*)\/?\s*(?:目录|文件夹|里|下)/.exec(turn.goal)?.[1];
  const glob = /(\S*\*\S*)/.exec(turn.goal)?.[1];
  const path =
    named && !/^(?:the|this|my|workspace|project|here|folder)$/i.test(named) ? unquoted(named) : undefined;
  const input = { ...(path ? { path } : {}), ...(glob ? { glob: unquoted(glob) } : {}) };
  const opening = words(turn, 'I list the files.', '我来列出文件。');
  return oneCall(turn, call('list_files', input), opening, (data) => {
    if (!isRecord(data) || !Array.isArray(data['entries'])) return undefined;
    const entries = data['entries'].map(String);
    const heading =
      words(turn, `${entries.length} entries`, `${entries.length} 项`) +
      (data['more'] === true ? words(turn, ', and there are more:', '，还有更多：') : words(turn, ':', '：'));
    return `${heading}\n${firstLines(entries.join('\n'))}`;
  });
};

export const searchFiles: Skill = (turn) => {
  const found =
    /\b(?:search|look)\b.{0,30}?\bfor\s+(.+)$/is.exec(turn.goal) ??
    /^(?:please )?(?:find|grep|search)\s+(.+)$/is.exec(turn.goal.trim()) ??
    /(?:查找|搜索|搜一下|找一下|搜|查一下)\s*(?:包含|含有)?(.+)$/s.exec(turn.goal);
  if (!found?.[1]) return undefined;
  const where = /\s+in\s+(\S*\*\S*)\s*$/i.exec(unquoted(found[1]));
  const plain = unquoted(found[1]).replace(where?.[0] ?? '', '');
  const query = unquoted(
    plain.replace(/\s+in (?:the |this |my )?(?:workspace|project|files?|folder|code)$/i, ''),
  );
  if (query === '') return undefined;
  const input = { query, ...(where?.[1] ? { glob: where[1] } : {}) };
  const opening = words(turn, `I search for “${query}”.`, `我来查找“${query}”。`);
  return oneCall(turn, call('search_text', input), opening, (data, done) => {
    if (!isRecord(data) || !Array.isArray(data['matches'])) return undefined;
    const matches = data['matches']
      .filter(isRecord)
      .map(({ path, line, text }) => `${String(path)}:${String(line)}: ${String(text).trim()}`);
    const asked = String(done.arguments['query']);
    if (matches.length === 0) return words(turn, `“${asked}” is nowhere.`, `没有找到“${asked}”。`);
    const more = data['more'] === true ? words(turn, ' and more', '，还有更多') : '';
    const heading = words(
      turn,
      `“${asked}”, ${matches.length} matches${more}:`,
      `“${asked}”，${matches.length} 处${more}：`,
    );
    return `${heading}\n${firstLines(matches.join('\n'))}`;
  });
};

function firstLines(text: string): string {
  const lines = text.split('\n');
  const shown = lines.slice(0, shownLines).map((line) => excerpt(line, 160));
  return lines.length > shownLines
    ? [...shown, `… (+${lines.length - shownLines})`].join('\n')
    : shown.join('\n');
}
