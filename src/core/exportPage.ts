/** A session as one HTML page that needs nothing else: no script, no style or picture from elsewhere, text as text. */
import type { MessageRow } from './compareSent.ts';
import { type JournalState, type RoundState, textOf } from './journalState.ts';
import { messageBody } from './messageView.ts';
import { replyView } from './replyView.ts';
import { roundView } from './roundView.ts';

export function exportPage(state: JournalState, language: string): string {
  const title = escaped(state.opened?.agent ?? '');
  const runs = state.runs.map((run) => {
    const goal = messageBody(textOf(state, run.goal) ?? '').text;
    const ended = run.ended ? `<p>${escaped(run.ended.outcome)}</p>` : '';
    return `<h2>${run.run} · ${escaped(goal)}</h2>${run.rounds.map((round) => roundHtml(state, round)).join('')}${ended}`;
  });
  return `<!DOCTYPE html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
${runs.join('\n')}
</body>
</html>
`;
}

const style = `:root{color-scheme:light dark}body{max-width:70em;margin:2em auto;padding:0 1em;font:15px/1.5 system-ui,sans-serif}
pre{margin:.2em 0;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
.row{padding:.2em .6em;border-inline-start:4px solid #8888}.new,.restored{border-color:#2a2}.edited,.trimmed{border-color:#c90}
.dropped,.folded,.removed{border-color:#d33}summary{cursor:pointer}h3{margin-block:1.2em .3em}`;

function roundHtml(state: JournalState, round: RoundState): string {
  const view = roundView(state, round);
  const rows = view.rows.map((row) =>
    row.kind === 'kept'
      ? `<details><summary>${row.count} kept</summary>${row.rows.map((one) => rowHtml(state, one)).join('')}</details>`
      : rowHtml(state, row),
  );
  const reply = replyView(state, round);
  const total = view.total === undefined ? '' : ` · ${view.total}`;
  return `<h3>${round.run}.${round.round}${total}</h3>${rows.join('')}${reply ? replyHtml(state, reply) : ''}`;
}

function rowHtml(state: JournalState, row: MessageRow): string {
  const { reason } = row;
  const sum =
    reason?.need === undefined ? '' : ` · ${reason.ids.join(' + ')}: ${reason.need} / ${reason.room ?? ''}`;
  const head = `${row.change} · ${row.id} · ${row.role ?? '?'}${reason ? ` · ${reason.rule}${sum}` : ''}`;
  return `<div class="row ${row.change}">${escaped(head)}${textHtml(state, row.part)}</div>`;
}

function replyHtml(state: JournalState, reply: NonNullable<ReturnType<typeof replyView>>): string {
  const calls = reply.calls.map((call) => {
    const result = call.result ? textHtml(state, call.result.part) : '';
    return `<div class="row">${escaped(`${call.name} · ${call.outcome ?? call.status}`)}<pre>${escaped(call.arguments)}</pre>${result}</div>`;
  });
  const text = messageBody(state.parts.get(reply.part) ?? '').text;
  return `<div class="row">${escaped(reply.message)}<pre>${escaped(text)}</pre>${calls.join('')}</div>`;
}

function textHtml(state: JournalState, part: string | undefined): string {
  const { text, calls } = messageBody(state.parts.get(part ?? '') ?? '');
  return [text, ...calls.map((call) => `${call.name} ${call.arguments}`)]
    .filter((one) => one !== '')
    .map((one) => `<pre>${escaped(one)}</pre>`)
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** As text, with what can not be seen or turns the reading around by its code point. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
      (character) =>
        `&lt;U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}&gt;`,
    );
}
