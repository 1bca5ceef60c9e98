/** PLAN, second half: the packed request is made legal, sent, and its reply journalled. */
import type { ModelFailure, ModelReply } from '../core/ports.ts';
import { currentRound } from '../core/journalState.ts';
import { requestFrame } from '../core/requestParameters.ts';
import { ask } from '../planner/ask.ts';
import { blockedWords } from '../planner/blocked.ts';
import type { DigestBody } from '../planner/bodyDigest.ts';
import { guessOverflow } from '../planner/guessOverflow.ts';
import { knownWindow } from '../planner/knownWindow.ts';
import { isCutByServer } from '../planner/meter.ts';
import { prepareRequest } from '../planner/request.ts';
import { requestedModel } from '../planner/requestedModel.ts';
import type { Session } from '../session/session.ts';
import type { LegalCheck } from './legalCheck.ts';
import type { PackedSession } from './packSession.ts';
import { packSmaller } from './packSmaller.ts';
import { createRecovery } from './recovery.ts';
import type { StepPorts } from './stepPorts.ts';

/** Milliseconds, and attempts after the first. */
export const askLimits = { firstByteMs: 30_000, idleMs: 60_000, retries: 3, retryAfterCapMs: 60_000 };

export interface Question {
  readonly packed: PackedSession;
  /** Packs anew, under what has been learnt since; what it returns is what is sent next. */
  readonly packAgain: () => Promise<PackedSession>;
  readonly signal: AbortSignal;
  readonly onText: (delta: string) => void;
  /** Of this run: they go on from the request before. */
  readonly digest: DigestBody;
  readonly illegal: LegalCheck;
}

/**
 * Sends the packed request; retries, time-outs and rewrites that a refusal asks for are inside. Resolves to
 * what went wrong, if anything did.
 */
export async function askModel(
  session: Session,
  ports: StepPorts,
  question: Question,
): Promise<ModelFailure | undefined> {
  let { packed } = question;
  const packAgain = async () => (packed = await question.packAgain());
  const recovery = createRecovery(session, {
    frame: () => requestFrame(session.state, ports.model.url),
    reserve: ports.config.context.reserve,
    shrink: () => packSmaller(session, ports, packed, packAgain),
  });
  for (;;) {
    const failure = await askOnce(session, ports, question, packed);
    if (!failure || !(await recovery.after(failure))) return failure && withFloor(failure, packed);
  }
}

async function askOnce(
  session: Session,
  { config, model, clock }: StepPorts,
  { signal, onText, digest, illegal }: Question,
  packed: PackedSession,
): Promise<ModelFailure | undefined> {
  const { journal, state } = session;
  const unsent = signal.aborted ? cancelled : blocked(packed);
  if (unsent) return unsent;
  const request = journal.nextRequest();
  const { kept, texts, tools } = packed;
  const { url } = model;
  const prepared = prepareRequest({ state, tools, kept, texts, request, recorder: journal, url });
  const refused = illegal(prepared.body.texts);
  if (refused !== undefined) return { ...cancelled, class: 'bad-request', message: refused };
  const { reserve } = config.context;
  const window = knownWindow(state, config, url, requestedModel(state, config));
  const asked = await ask(prepared, {
    client: model,
    recorder: journal,
    clock,
    signal,
    onText,
    digest,
    nextMessage: () => journal.nextMessage(),
    reconsider: (failure) => guessOverflow(failure, { packed: packed.total, reserve, window }),
    limits: askLimits,
  });
  if (!asked.ok) return asked.failure;
  noteCutByServer(session, asked.reply);
  return undefined;
}

/** A server that counts far less than it was sent has not read all of it. It says so nowhere else. */
function noteCutByServer({ journal, state }: Session, { usage }: ModelReply): void {
  const packing = state.packings.at(-1)?.event;
  const reported = usage?.prompt;
  if (!packing || reported === undefined || reported <= 0 || !isCutByServer(reported, packing)) return;
  const detail =
    `The provider counted ${reported} tokens of a request that we count ${packing.total}: ` +
    'it may have cut the beginning of the conversation. Compare context.max_tokens with the window of the server.';
  const seq = currentRound(state)?.replies.at(-1)?.seq;
  journal.append({
    type: 'anomaly',
    code: 'silent-truncation',
    detail,
    about: seq === undefined ? [] : [seq],
  });
}

const cancelled: ModelFailure = {
  ok: false,
  class: 'cancelled',
  message: 'cancelled before the request was sent',
  retryable: false,
  notes: [],
  ms: 0,
};

function blocked(packed: PackedSession): ModelFailure | undefined {
  return packed.blocked && { ...cancelled, class: 'blocked', message: blockedWords(packed.blocked) };
}

/** An overflow that packing again could not help: the numbers of the smallest request that there is. */
function withFloor(failure: ModelFailure, { blocked: floor }: PackedSession): ModelFailure {
  if (failure.class !== 'overflow' || !floor) return failure;
  return { ...failure, class: 'blocked', message: `${failure.message} ${blockedWords(floor)}` };
}
