/**
 * A request beside the conversation, for a summary: bounded, without tools, sent once. It sees a text and gives back
 * a text; the history is not touched. What it came to is in the journal, whatever it came to.
 */
import type { ModelRequested } from '../core/events.ts';
import type { RequestId } from '../core/messages.ts';
import { ask } from '../planner/ask.ts';
import { messageFraming, requestFraming } from '../planner/countMessage.ts';
import { prepareAside } from '../planner/aside.ts';
import { createBodyDigest } from '../planner/bodyDigest.ts';
import { knownWindow } from '../planner/knownWindow.ts';
import { shortenText } from '../planner/shorten.ts';
import { usableText } from '../planner/summary.ts';
import type { Session } from '../session/session.ts';
import { askLimits } from './askModel.ts';
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

/** Never rejects. An answer without usable text is the anomaly `summary-rejected` (`memory-rejected`). */
export async function askAside(
  { journal, state }: Session,
  { config, model, clock, countTokens }: StepPorts,
  { purpose, instruction, text }: Aside,
  signal: AbortSignal,
): Promise<AsideAnswer> {
  const { reserve } = config.context;
  const window = knownWindow(state, config, model.url, config.model_name);
  const factor = state.packings.at(-1)?.event.meter.factor ?? 1;
  const framing = countTokens(instruction) + 2 * messageFraming + requestFraming;
  const room = Math.max(0, Math.floor((window - reserve) / factor) - framing);
  const request = journal.nextRequest();
  const prepared = prepareAside({
    state,
    url: model.url,
    purpose,
    request,
    recorder: journal,
    nextMessage: () => journal.nextMessage(),
    messages: [
      { role: 'system', content: instruction },
      { role: 'user', content: shortenText(text, room, countTokens) },
    ],
  });
  const asked = await ask(prepared, {
    client: model,
    recorder: journal,
    clock,
    signal,
    onText: () => undefined,
    digest: createBodyDigest(),
    nextMessage: () => journal.nextMessage(),
    limits: { ...askLimits, retries: 0 },
  });
  const seq = state.seq - 1;
  if (!asked.ok) return { ok: false, why: asked.failure.message, seq };
  const usable = usableText(asked.reply.message);
  if ('text' in usable) return { ok: true, text: usable.text, request, seq };
  rejectAside(journal, purpose, usable.problem, seq);
  return { ok: false, why: usable.problem, seq };
}

/** Journals that an answer was not taken, and why. */
export function rejectAside(
  journal: Session['journal'],
  purpose: Aside['purpose'],
  problem: string,
  seq: number,
): void {
  journal.append({
    type: 'anomaly',
    code: `${purpose}-rejected`,
    detail: `The ${purpose} was not taken: ${problem}. Nothing was replaced.`,
    about: [seq],
  });
}
