/** "Search for TODO", "Find TODO in *.md", "查找 TODO". */
import { isRecord } from '../../core/parseMessage.ts';
import { firstLines } from './firstLines.ts';
import { call, counted, oneCall, type Skill, words } from './skill.ts';
import type { DoneCall, Turn } from './turn.ts';
import { unquoted } from './unquoted.ts';

export const searchFiles: Skill = (turn) => {
  const wanted = wantedIn(turn.goal);
  if (!wanted) return undefined;
  const opening = words(turn, `I search for “${wanted.query}”.`, `我来查找“${wanted.query}”。`);
  return oneCall(turn, call('search_text', wanted), opening, (data, done) => matches(turn, data, done));
};

function wantedIn(goal: string): { readonly query: string; readonly glob?: string } | undefined {
  const found =
    /\b(?:search|look)\b.{0,30}?\bfor\s+(.+)$/is.exec(goal) ??
    /^(?:please )?(?:find|grep|search)\s+(.+)$/is.exec(goal.trim()) ??
    /(?:查找|搜索|搜一下|找一下|搜|查一下)\s*(?:包含|含有)?(.+)$/s.exec(goal);
  const rest = unquoted(found?.[1] ?? '');
  const where = /\s+in\s+(\S*\*\S*)\s*$/i.exec(rest);
  const text = rest
    .replace(where?.[0] ?? '', '')
    .replace(/\s+in (?:the |this |my )?(?:workspace|project|files?|folder|code)$/i, '');
  const query = unquoted(text);
  if (query === '') return undefined;
  return { query, ...(where?.[1] ? { glob: where[1] } : {}) };
}

function matches(turn: Turn, data: unknown, done: DoneCall): string | undefined {
  if (!isRecord(data) || !Array.isArray(data['matches'])) return undefined;
  const query = String(done.arguments['query']);
  const lines = data['matches']
    .filter(isRecord)
    .map(({ path, line, text }) => `${String(path)}:${String(line)}: ${String(text).trim()}`);
  if (lines.length === 0) return words(turn, `“${query}” is nowhere.`, `没有找到“${query}”。`);
  const more = data['more'] === true ? words(turn, ' and more', '，还有更多') : '';
  const heading = words(
    turn,
    `“${query}”, ${counted(lines.length, 'match', 'matches')}${more}:`,
    `“${query}”，${lines.length} 处${more}：`,
  );
  return `${heading}\n${firstLines(lines.join('\n'))}`;
}
