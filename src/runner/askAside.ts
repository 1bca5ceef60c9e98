/**
 * A request beside the conversation, for a summary: bounded, without tools, never retried. It sees a text and gives
 * back a text; the history is not touched. What it came to is in the journal, whatever it came to. An answer that was
 * cut off, or is too long, is asked for once more, and shorter.
 */
import { countCodePoints } from '../core/capText.ts';
import type { ModelRequested } from '../core/events.ts';
import type { RequestId } from '../core/messages.ts';
import type { ModelFailure, ModelReply } from '../core/ports.ts';
import { otherNames } from '../core/dialect.ts';
import { asideFrame, type RequestFrame } from '../core/requestParameters.ts';
import { ask, type Asked } from '../planner/ask.ts';
import { messageFraming, requestFraming } from '../planner/countMessage.ts';
import { prepareAside } from '../planner/aside.ts';
import { createBodyDigest } from '../planner/bodyDigest.ts';
import { knownWindow } from '../planner/knownWindow.ts';
import { countingAhead, shorteningText } from '../planner/shorten.ts';
import { isCutOff, shorterInstruction, usableText } from '../planner/summary.ts';
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
  /** Characters (code points) that an answer of this kind of text may have. */
  readonly longest?: (answer: string) => number;
}

/** `seq` is the event that shows it: the reply, or what went wrong. `asked`: requests that brought nothing. */
export type AsideAnswer =
  | { readonly ok: true; readonly text: string; readonly request: RequestId; readonly seq: number }
  | { readonly ok: false; readonly why: string; readonly seq: number; readonly asked: number };

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
  let { instruction } = aside;
  for (let asked = 1; ;) {
    const request = journal.nextRequest();
    const answer = await askOnce(session, ports, { ...aside, instruction, text }, request, signal);
    const seq = state.seq - 1;
    if (!answer.ok) {
      if (await recovery.after(answer.failure)) continue;
      return { ok: false, why: answer.failure.message, seq, asked };
    }
    const read = await readAnswer(answer.reply, aside, session, ports);
    if (read.kind === 'usable') return { ok: true, text: read.text, request, seq };
    const { problem } = read;
    if (read.kind !== 'useless' && asked === 1) {
      asked++;
      note(journal, `${aside.purpose}-cut`, cutWords(aside.purpose, problem, read.shorter), seq);
      instruction = shorterInstruction(aside.instruction, problem, read.shorter);
    } else if (read.kind === 'long') {
      note(journal, `${aside.purpose}-trimmed`, trimmedWords(aside.purpose), seq);
      return { ok: true, text: read.text, request, seq };
    } else {
      rejectAside(journal, aside.purpose, problem, seq);
      return { ok: false, why: problem, seq, asked };
    }
  }
}

/** Tokens that the text may have. */
function roomFor({ instruction }: Aside, { state }: Session, { config, model, countTokens }: StepPorts) {
  const { reserve } = config.context;
  const window = knownWindow(state, config, model.url, config.model_name);
  const factor = state.packings.at(-1)?.event.meter.factor ?? 1;
  // Room also for being told to be shorter.
  const longest = shorterInstruction(instruction, tooLong, 1_000_000);
  const framing = countTokens(longest) + 2 * messageFraming + requestFraming;
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
    client: model.aside ?? model,
    recorder: journal,
    clock,
    signal,
    onText: () => undefined,
    digest: createBodyDigest(),
    nextMessage: () => journal.nextMessage(),
    limits: { ...askLimits, retries: 0 },
  });
}

/** What an answer is good for. `shorter`: the characters to ask for, where a shorter one may be better. */
type ReadAnswer =
  | { readonly kind: 'usable'; readonly text: string }
  | { readonly kind: 'useless'; readonly problem: string }
  | { readonly kind: 'cut'; readonly problem: string; readonly shorter: number }
  | { readonly kind: 'long'; readonly problem: string; readonly shorter: number; readonly text: string };

const tooLong = 'it is too long';

async function readAnswer(
  reply: ModelReply,
  { longest }: Aside,
  { state }: Session,
  { model, countTokens }: StepPorts,
): Promise<ReadAnswer> {
  const usable = usableText(reply.message);
  if ('problem' in usable) return { kind: 'useless', problem: usable.problem };
  const { text } = usable;
  await countTokens.ahead([text]);
  const size = countCodePoints(text);
  const most = longest?.(text) ?? Infinity;
  if (isCutOff(text, reply, replyLimit(asideFrame(state, model.url))))
    return { kind: 'cut', problem: 'it was cut off', shorter: Math.ceil(Math.min(size, most) / 2) };
  if (size <= most) return { kind: 'usable', text };
  return { kind: 'long', problem: tooLong, shorter: Math.ceil(most * askedShare), text };
}

/** Of the characters that an answer may have, how many to ask for: models count them badly. */
const askedShare = 0.75;

/** Tokens that the reply was allowed to have; undefined where the request did not say. */
function replyLimit({ parameters }: RequestFrame): number | undefined {
  const said = Object.keys(otherNames).flatMap((name) => Number(parameters.get(name)) || []);
  return said.length === 0 ? undefined : Math.min(...said);
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

function cutWords(purpose: Aside['purpose'], problem: string, shorter: number): string {
  return `The ${purpose} was not taken: ${problem}. It is asked for once more, with at most ${shorter} characters.`;
}

function trimmedWords(purpose: Aside['purpose']): string {
  return `Of the ${purpose}, head and tail are kept: it is too long, also where a shorter one was asked for.`;
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
