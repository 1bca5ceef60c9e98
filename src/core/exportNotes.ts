/** A session as notes in Markdown: how the messages changed in each round, and the chain of calls. */
import { type JournalState, type RoundState, textOf } from './journalState.ts';
import type { MessageRow, RoundRow } from './compareSent.ts';
import { messageBody } from './messageView.ts';
import { headOf } from './panelEvent.ts';
import { replyView } from './replyView.ts';
import { roundView } from './roundView.ts';

/** UTF-16 units of a text that are quoted. */
const quoted = 300;

export function exportNotes(state: JournalState): string {
  const lines = [`# ${oneLine(state.opened?.agent ?? 'A session')}`, ''];
  for (const run of state.runs) {
    const goal = messageBody(textOf(state, run.goal) ?? '').text;
    lines.push(`## Run ${run.run}: ${oneLine(goal)}`, '');
    for (const round of run.rounds) lines.push(...roundLines(state, round), '');
    if (run.ended)
      lines.push(`Ended: ${run.ended.outcome}${run.ended.limit ? ` (${oneLine(run.ended.limit)})` : ''}`, '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function roundLines(state: JournalState, round: RoundState): string[] {
  const view = roundView(state, round);
  const lines = [`### Round ${round.round}`, ''];
  if (view.total !== undefined) lines.push(`Sent: ${view.total} tokens.`, '');
  lines.push(...view.rows.map((row) => `- ${rowLine(state, row)}`));
  const reply = replyView(state, round);
  if (!reply) return lines;
  const text = messageBody(state.parts.get(reply.part) ?? '').text;
  lines.push('', `Reply ${reply.message}${text === '' ? '' : `: ${quote(text)}`}`);
  for (const call of reply.calls) {
    const result = call.result && messageBody(state.parts.get(call.result.part) ?? '').text;
    const outcome = call.outcome ?? call.status;
    lines.push(
      `${call.position}. ${quote(`${call.name} ${call.arguments}`)} → ${outcome}${result ? `: ${quote(result)}` : ''}`,
    );
  }
  return lines;
}

function rowLine(state: JournalState, row: RoundRow): string {
  if (row.kind === 'kept') return `kept: ${row.count} messages, from ${row.first}`;
  const text = quote(textIn(state, row));
  return `**${row.change}** ${row.id} (${row.role ?? '?'})${reasonIn(row)}: ${text}`;
}

function reasonIn({ reason, trimmed }: MessageRow): string {
  const why = reason ?? trimmed;
  if (!why) return '';
  const sum = why.need === undefined || why.room === undefined ? '' : `, need ${why.need}, room ${why.room}`;
  return `, ${why.rule}${sum}`;
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

function oneLine(text: string, most = 120): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ').trim();
  return line.length > most ? `${headOf(line, most)} …` : line;
}
