/** A session as one HTML page that needs nothing else: no script, no style or picture from elsewhere, text as text. */
import type { MessageRow } from './compareSent.ts';
import { costText, spentIn } from './cost.ts';
import { type ExportWords, filled } from './exportWords.ts';
import { htmlText } from './htmlText.ts';
import { type JournalState, type RoundState, type RunState, textOf } from './journalState.ts';
import { knownEnd } from './knownEnd.ts';
import { messageDiff } from './messageDiff.ts';
import { messageBody } from './messageView.ts';
import { replyView } from './replyView.ts';
import { roundView } from './roundView.ts';

export function exportPage(state: JournalState, language: string, words: ExportWords): string {
  const title = escaped(state.opened?.agent ?? words.session);
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
${state.runs.map((run) => runHtml(state, run, language, words)).join('\n')}
</body>
</html>
`;
}

const style = `:root{color-scheme:light dark}body{max-width:70em;margin:2em auto;padding:0 1em;font:15px/1.5 system-ui,sans-serif}
pre{margin:.2em 0;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;font:13px/1.5 ui-monospace,monospace}
h2{border-top:1px solid #8886;padding-top:.8em}h3{margin-block:1.4em .4em}.muted{opacity:.7;font-weight:normal}
.row{padding:.2em .7em;margin:.3em 0;border-inline-start:4px solid #8886}.head{font-size:13px;opacity:.85}
.new,.restored{border-color:#2a2}.edited,.trimmed{border-color:#c90}.dropped,.folded,.removed{border-color:#d33}
del{background:#d334;text-decoration-color:#d33}ins{background:#2a24;text-decoration:none}
details{margin:.3em 0;padding-inline-start:.7em}summary{cursor:pointer}`;

function runHtml(state: JournalState, run: RunState, language: string, words: ExportWords): string {
  const goal = messageBody(textOf(state, run.goal) ?? '').text;
  const { tokens, cost } = spentIn(state, run);
  const { outcome, limit } = knownEnd(state, run) ?? {};
  const facts = [
    ...(run.at === 0 ? [] : [new Date(run.at).toLocaleString(language)]),
    filled(words.rounds, run.rounds.length),
    ...(tokens === undefined ? [] : [filled(words.tokens, tokens)]),
    ...(cost === undefined ? [] : [costText(cost, language)]),
    ...(outcome === undefined ? [] : [filled(words.ended, words.outcomes[outcome] ?? outcome)]),
    ...(limit === undefined ? [] : [limit]),
  ];
  const rounds = run.rounds.map((round) => roundHtml(state, round, words)).join('\n');
  return `<section><h2>${escaped(filled(words.run, run.run, goal))}</h2>
<p class="muted">${escaped(facts.join(' · '))}</p>
${rounds}</section>`;
}

function roundHtml(state: JournalState, round: RoundState, words: ExportWords): string {
  const view = roundView(state, round);
  const rows = view.rows.map((row) =>
    row.kind === 'kept'
      ? `<details><summary>${escaped(filled(words.kept, row.count, row.first))}</summary>${row.rows.map((one) => rowHtml(state, one, words)).join('')}</details>`
      : rowHtml(state, row, words),
  );
  const reply = replyView(state, round);
  const total =
    view.total === undefined ? '' : ` <span class="muted">${escaped(filled(words.sent, view.total))}</span>`;
  return `<h3>${escaped(filled(words.round, round.round))}${total}</h3>
${rows.join('\n')}
${reply ? replyHtml(state, reply, words) : ''}`;
}

function rowHtml(state: JournalState, row: MessageRow, words: ExportWords): string {
  const why = row.reason ?? row.trimmed;
  const sum =
    why?.need === undefined || why.room === undefined ? '' : `, ${filled(words.need, why.need, why.room)}`;
  const head = [
    words.changes[row.change],
    row.id,
    row.role ?? '?',
    ...(why ? [`${why.ids.join(' + ')}: ${why.rule}${sum}`] : []),
    ...(row.tokens === undefined ? [] : [filled(words.tokens, row.tokens)]),
  ].join(' · ');
  const text = row.change === 'edited' ? editHtml(state, row) : textHtml(state, row.part);
  return `<div class="row ${row.change}"><div class="head">${escaped(head)}</div>${text}</div>`;
}

/** The message as it is now, with what an edit took out and put in. */
function editHtml(state: JournalState, { before, part }: MessageRow): string {
  const texts = [before, part].map((id) => (id === undefined ? undefined : state.parts.get(id)));
  if (texts[0] === undefined || texts[1] === undefined) return textHtml(state, part);
  const tags = { same: '', removed: 'del', added: 'ins' };
  return messageDiff(texts[0], texts[1])
    .map(({ name, diff }) => {
      const pieces = diff.pieces.map(({ kind, text }) =>
        kind === 'same' ? escaped(text) : `<${tags[kind]}>${escaped(text)}</${tags[kind]}>`,
      );
      return `<pre>${name === undefined ? '' : `${escaped(name)} `}${pieces.join('')}</pre>`;
    })
    .join('');
}

function replyHtml(
  state: JournalState,
  reply: NonNullable<ReturnType<typeof replyView>>,
  words: ExportWords,
): string {
  const calls = reply.calls.map((call) => {
    const result = call.result ? textHtml(state, call.result.part) : '';
    const head = `${call.position}. ${call.name} · ${call.outcome ?? call.status}`;
    return `<div class="row"><div class="head">${escaped(head)}</div><pre>${escaped(call.arguments)}</pre>${result}</div>`;
  });
  const text = messageBody(state.parts.get(reply.part) ?? '').text;
  const shown = text === '' ? '' : `<pre>${escaped(text)}</pre>`;
  return `<div class="row"><div class="head">${escaped(filled(words.reply, reply.message))}</div>${shown}${calls.join('')}</div>`;
}

function textHtml(state: JournalState, part: string | undefined): string {
  const { text, calls } = messageBody(state.parts.get(part ?? '') ?? '');
  return [text, ...calls.map((call) => `${call.name} ${call.arguments}`)]
    .filter((one) => one !== '')
    .map((one) => `<pre>${escaped(one)}</pre>`)
    .join('');
}

/** As text, with what can not be seen or turns the reading around by its code point. */
function escaped(text: string): string {
  return htmlText(text).replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `&lt;U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}&gt;`,
  );
}
