/** A session as notes in Markdown: how the messages changed in each round, and the chain of calls. */
import { costText, spentIn } from './cost.ts';
import type { MessageRow, RoundRow } from './compareSent.ts';
import type { DiffPiece } from './diff/pieces.ts';
import { type ExportWords, filled } from './exportWords.ts';
import { type JournalState, type RoundState, type RunState, textOf } from './journalState.ts';
import { knownEnd } from './knownEnd.ts';
import { messageDiff } from './messageDiff.ts';
import { messageBody } from './messageView.ts';
import { headOf } from './panelEvent.ts';
import { replyView } from './replyView.ts';
import { roundView } from './roundView.ts';

/** UTF-16 units of a text that are quoted; changes of an edited message that are told. */
const quoted = 300;
const mostChanges = 5;

export function exportNotes(state: JournalState, words: ExportWords): string {
  const lines = [`# ${plain(state.opened?.agent ?? words.session)}`, ''];
  for (const run of state.runs) {
    const goal = messageBody(textOf(state, run.goal) ?? '').text;
    lines.push(`## ${filled(words.run, run.run, plain(goal))}`, '');
    for (const round of run.rounds) lines.push(...roundLines(state, round, words), '');
    lines.push(endLine(state, run, words), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function endLine(state: JournalState, run: RunState, words: ExportWords): string {
  const { tokens, cost } = spentIn(state, run);
  const { outcome, limit } = knownEnd(state, run) ?? {};
  return [
    ...(outcome === undefined ? [] : [filled(words.ended, words.outcomes[outcome] ?? outcome)]),
    ...(limit === undefined ? [] : [plain(limit)]),
    filled(words.rounds, run.rounds.length),
    ...(tokens === undefined ? [] : [filled(words.tokens, tokens)]),
    ...(cost === undefined ? [] : [costText(cost)]),
  ].join(' · ');
}

function roundLines(state: JournalState, round: RoundState, words: ExportWords): string[] {
  const view = roundView(state, round);
  const lines = [`### ${filled(words.round, round.round)}`, ''];
  if (view.total !== undefined) lines.push(filled(words.sent, view.total), '');
  lines.push(...view.rows.flatMap((row) => rowLines(state, row, words)));
  const reply = replyView(state, round);
  if (!reply) return lines;
  const text = messageBody(state.parts.get(reply.part) ?? '').text;
  lines.push('', `${filled(words.reply, reply.message)}${text === '' ? '' : `: ${quote(text)}`}`, '');
  for (const call of reply.calls) {
    const result = call.result && messageBody(state.parts.get(call.result.part) ?? '').text;
    const outcome = call.outcome ?? call.status;
    lines.push(
      `${call.position}. ${quote(`${call.name} ${call.arguments}`)} → ${outcome}${result ? `: ${quote(result)}` : ''}`,
    );
  }
  return lines;
}

function rowLines(state: JournalState, row: RoundRow, words: ExportWords): string[] {
  if (row.kind === 'kept') return [`- ${filled(words.kept, row.count, row.first)}`];
  const head = `- **${words.changes[row.change]}** ${row.id} (${row.role ?? '?'})${reasonIn(row, words)}: `;
  const changes = row.change === 'edited' ? changesIn(state, row) : [];
  return [`${head}${quote(textIn(state, row))}`, ...changes];
}

/** What an edit took out and put in. */
function changesIn(state: JournalState, { before, part }: MessageRow): string[] {
  const texts = [before, part].map((id) => (id === undefined ? undefined : state.parts.get(id)));
  if (texts[0] === undefined || texts[1] === undefined) return [];
  const pieces = messageDiff(texts[0], texts[1]).flatMap(({ diff }) => diff.pieces);
  const changed = pieces.filter(({ kind, text }) => kind !== 'same' && text.trim() !== '');
  const signs: Readonly<Record<DiffPiece['kind'], string>> = { same: '', removed: '−', added: '+' };
  return [
    ...changed.slice(0, mostChanges).map(({ kind, text }) => `  - ${signs[kind]} ${quote(text)}`),
    ...(changed.length > mostChanges ? ['  - …'] : []),
  ];
}

function reasonIn({ reason, trimmed }: MessageRow, { need: words }: ExportWords): string {
  const why = reason ?? trimmed;
  if (!why) return '';
  const { rule, need, room } = why;
  return `, ${plain(rule)}${need === undefined || room === undefined ? '' : `, ${filled(words, need, room)}`}`;
}

function textIn(state: JournalState, row: MessageRow): string {
  const { text, calls } = messageBody(state.parts.get(row.part ?? '') ?? '');
  return [text, ...calls.map((call) => `${call.name} ${call.arguments}`)]
    .filter((one) => one !== '')
    .join(' ');
}

/** As code, whatever it holds: what a model or tool wrote is no Markdown of ours. */
function quote(text: string): string {
  const short = oneLine(text, quoted);
  const longest = Math.max(0, ...[...short.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$|^\s|\s$/.test(short) || short === '' ? ' ' : '';
  return `${fence}${space}${short}${space}${fence}`;
}

/** As text in a line of ours: nothing of it is a mark, a link or a picture that would be loaded from elsewhere. */
function plain(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>!&~|]/g, '\\$&');
}

function oneLine(text: string, most = 120): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ').trim();
  return line.length > most ? `${headOf(line, most)} …` : line;
}
