/**
 * A request beside the conversation, for a summary: bounded, without tools, never retried. It sees a text and gives
 * back a text; the history is not touched. What it came to is in the journal, whatever it came to.
 */
import type { ModelRequested } from '../core/events.ts';
import type { RequestId } from '../core/messages.ts';
import type { ModelFailure } from '../core/ports.ts';
import { asideFrame } from '../core/requestParameters.ts';
import { ask, type Asked } from '../planner/ask.ts';
import { messageFraming, requestFraming } from '../planner/countMessage.ts';
import { prepareAside } from '../planner/aside.ts';
import { createBodyDigest } from '../planner/bodyDigest.ts';
import { knownWindow } from '../planner/knownWindow.ts';
import { countingAhead, shorteningText } from '../planner/shorten.ts';
import { usableText } from '../planner/summary.ts';
import type { Session } from '../session/session.ts';
import { askLimits } from './askModel.ts';
import { createRecovery } from './recovery.ts';
import type { StepPorts } from './stepPorts.ts';

export interface Aside {
  readonly purpose: Exclude<ModelRequested['purpose'], 'round'>;
  /** What the model is told to do with the text. */
  readonly instruction: string;
  /** Cut to what a request may hold. */
  readonly text: string;
}

/** `seq` is the event that shows it: the reply, or what went wrong. */
export type AsideAnswer =
  | { readonly ok: true; readonly text: string; readonly request: RequestId; readonly seq: number }
  | { readonly ok: false; readonly why: string; readonly seq: number };

/**
 * Never rejects. A server that refuses the request as such is asked in another way, as in a round. An answer without
 * usable text is the anomaly `summary-rejected` (`memory-rejected`).
 */
export async function askAside(
  session: Session,
  ports: StepPorts,
  aside: Aside,
  signal: AbortSignal,
): Promise<AsideAnswer> {
  const { journal, state } = session;
  let text = await cutTo(roomFor(aside, session, ports), aside.text, ports);
  const recovery = createRecovery(session, {
    frame: () => asideFrame(state, ports.model.url),
    reserve: ports.config.context.reserve,
    async shrink(failure) {
      const shorter = await shortened(text, failure, ports);
      if (shorter === '') return false;
      text = shorter;
      note(journal, `${aside.purpose}-shortened`, shortenedWords(failure), state.seq - 1);
      return true;
    },
  });
  for (;;) {
    const request = journal.nextRequest();
    const asked = await askOnce(session, ports, { ...aside, text }, request, signal);
    const seq = state.seq - 1;
    if (asked.ok) return judged(session, aside.purpose, asked, request, seq);
    if (!(await recovery.after(asked.failure))) return { ok: false, why: asked.failure.message, seq };
  }
}

/** Tokens that the text may have. */
function roomFor({ instruction }: Aside, { state }: Session, { config, model, countTokens }: StepPorts) {
  const { reserve } = config.context;
  const window = knownWindow(state, config, model.url, config.model_name);
  const factor = state.packings.at(-1)?.event.meter.factor ?? 1;
  const framing = countTokens(instruction) + 2 * messageFraming + requestFraming;
  return Math.max(0, Math.floor((window - reserve) / factor) - framing);
}

async function askOnce(
  { journal, state }: Session,
  { model, clock }: StepPorts,
  { purpose, instruction, text }: Aside,
  request: RequestId,
  signal: AbortSignal,
): Promise<Asked> {
  const prepared = prepareAside({
    state,
    url: model.url,
    purpose,
    request,
    recorder: journal,
    nextMessage: () => journal.nextMessage(),
    messages: [
      { role: 'system', content: instruction },
      { role: 'user', content: text },
    ],
  });
  return ask(prepared, {
    client: model,
    recorder: journal,
    clock,
    signal,
    onText: () => undefined,
    digest: createBodyDigest(),
    nextMessage: () => journal.nextMessage(),
    limits: { ...askLimits, retries: 0 },
  });
}

function judged(
  { journal }: Session,
  purpose: Aside['purpose'],
  { reply }: Asked & { readonly ok: true },
  request: RequestId,
  seq: number,
): AsideAnswer {
  const usable = usableText(reply.message);
  if ('text' in usable) return { ok: true, text: usable.text, request, seq };
  rejectAside(journal, purpose, usable.problem, seq);
  return { ok: false, why: usable.problem, seq };
}

/** Tokens of a text below which a summary of it would say nothing. */
const least = 32;

/** The text after an overflow: by the server's numbers where it told them, else without a quarter. Empty: too short. */
async function shortened(
  text: string,
  { tokens: { asked, limit, reply = 0 } = {} }: ModelFailure,
  ports: StepPorts,
): Promise<string> {
  const { config, countTokens } = ports;
  const size = countTokens(text);
  const share =
    limit === undefined
      ? 1
      : (limit - config.context.reserve) / Math.max(asked === undefined ? size : asked - reply, 1);
  const room = Math.floor(size * Math.min(0.75, share));
  return room < least ? '' : cutTo(room, text, ports);
}

/** A text may be a whole conversation: each length that is tried is counted on another thread. */
function cutTo(max: number, text: string, { countTokens }: StepPorts): Promise<string> {
  return countingAhead(shorteningText(text, max, countTokens), (texts) => countTokens.ahead(texts));
}

function shortenedWords({ tokens: { limit } = {} }: ModelFailure): string {
  const said = limit === undefined ? 'The server names no number' : `The server takes ${limit} tokens`;
  return `${said}: it is asked once more, with less of the text.`;
}

/** Journals that an answer was not taken, and why. */
export function rejectAside(
  journal: Session['journal'],
  purpose: Aside['purpose'],
  problem: string,
  seq: number,
): void {
  note(
    journal,
    `${purpose}-rejected`,
    `The ${purpose} was not taken: ${problem}. Nothing was replaced.`,
    seq,
  );
}

function note(journal: Session['journal'], code: string, detail: string, seq: number): void {
  journal.append({ type: 'anomaly', code, detail, about: [seq] });
}
