/** "List the files in notes", "列出文件". */
import { isRecord } from '../../core/parseMessage.ts';
import { firstLines } from './firstLines.ts';
import { call, counted, oneCall, type Skill, words } from './skill.ts';
import type { Turn } from './turn.ts';
import { unquoted } from './unquoted.ts';

const wanted =
  /(?:list|show|which|what)\b.{0,30}(?:\bfiles?\b|folder|directory)|(?:列出|看看|看一下|显示|有哪些|有什么).{0,10}(?:文件|目录)|(?:文件|目录).{0,4}有(?:哪些|什么)/i;

export const listFiles: Skill = (turn) => {
  if (!wanted.test(turn.goal)) return undefined;
  const path = folderIn(turn.goal);
  const glob = /\S*\*\S*/.exec(turn.goal)?.[0];
  const input = { ...(path ? { path } : {}), ...(glob ? { glob: unquoted(glob) } : {}) };
  const opening = words(turn, 'I list the files.', '我来列出文件。');
  return oneCall(turn, call('list_files', input), opening, (data) => entries(turn, data));
};

/** A folder named in the goal; undefined for the whole workspace. */
function folderIn(goal: string): string | undefined {
  const found =
    /\b(?:in|of|under)\s+(?:the )?(?:folder |directory )?["'“]?([\w.-]+(?:\/[\w.-]+)*)/i.exec(goal) ??
    /([\w.-]+(?:\/[\w.-]+)*)\/?\s*(?:目录|文件夹|里|下)/.exec(goal);
  const name = found?.[1];
  return name && !/^(?:the|this|my|workspace|project|here|folder)$/i.test(name) ? unquoted(name) : undefined;
}

function entries(turn: Turn, data: unknown): string | undefined {
  if (!isRecord(data) || !Array.isArray(data['entries'])) return undefined;
  const names = data['entries'].map(String);
  const heading =
    data['more'] === true
      ? words(
          turn,
          `${counted(names.length, 'entry', 'entries')}, and there are more:`,
          `${names.length} 项，还有更多：`,
        )
      : words(turn, `${counted(names.length, 'entry', 'entries')}:`, `${names.length} 项：`);
  return `${heading}\n${firstLines(names.join('\n'))}`;
}
