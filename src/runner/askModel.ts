/** PLAN, second half: the packed request is made legal, sent, and its reply journalled. */
import type { ModelFailure } from '../core/ports.ts';
import type { JournalState } from '../core/journalState.ts';
import { legalSequence } from '../core/legal.ts';
import { factsOfText } from '../core/messageFacts.ts';
import { ask } from '../planner/ask.ts';
import { guessOverflow } from '../planner/guessOverflow.ts';
import { knownWindow } from '../planner/knownWindow.ts';
import type { Packed } from '../planner/pack.ts';
import { prepareRequest } from '../planner/request.ts';
import type { Session } from '../session/session.ts';
import { offeredTools } from './callResults.ts';
import { createRecovery } from './recovery.ts';
import type { StepPorts } from './stepPorts.ts';

const limits = { firstByteMs: 30_000, idleMs: 60_000, retries: 3, retryAfterCapMs: 60_000 };

export interface Question {
  readonly packed: Packed;
  /** Packs anew, under what has been learnt since; what it returns is what is sent next. */
  readonly packAgain: () => Promise<Packed>;
  readonly signal: AbortSignal;
  readonly onText: (delta: string) => void;
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
  const recovery = createRecovery(session, ports, packAgain);
  for (;;) {
    const failure = await askOnce(session, ports, question, packed);
    if (!failure || !(await recovery.after(failure, packed))) return failure && withFloor(failure, packed);
  }
}

async function askOnce(
  { journal, state }: Session,
  { config, model, toolbox, clock, sha256 }: StepPorts,
  { signal, onText }: Question,
  packed: Packed,
): Promise<ModelFailure | undefined> {
  const unsent = signal.aborted ? cancelled : blocked(packed);
  if (unsent) return unsent;
  const request = journal.nextRequest();
  const tools = offeredTools(state, toolbox);
  const { kept } = packed;
  const prepared = prepareRequest({ state, tools, kept, request, recorder: journal, url: model.url });
  const refused = illegal(state, prepared.texts);
  if (refused) return refused;
  const { reserve } = config.context;
  const window = knownWindow(state, config, model.url);
  const asked = await ask(prepared, {
    client: model,
    recorder: journal,
    clock,
    signal,
    onText,
    sha256,
    nextMessage: () => journal.nextMessage(),
    reconsider: (failure) => guessOverflow(failure, { packed: packed.total, reserve, window }),
    limits,
  });
  return asked.ok ? undefined : asked.failure;
}

const cancelled: ModelFailure = {
  ok: false,
  class: 'cancelled',
  message: 'cancelled before the request was sent',
  retryable: false,
  notes: [],
  ms: 0,
};

function blocked(packed: Packed): ModelFailure | undefined {
  const words = floorWords(packed);
  return words === undefined ? undefined : { ...cancelled, class: 'blocked', message: words };
}

/** An overflow that packing again could not help: the numbers of the smallest request that there is. */
function withFloor(failure: ModelFailure, packed: Packed): ModelFailure {
  const words = failure.class === 'overflow' ? floorWords(packed) : undefined;
  return words === undefined
    ? failure
    : { ...failure, class: 'blocked', message: `${failure.message} ${words}` };
}

function floorWords({ blocked: floor }: Packed): string | undefined {
  if (!floor) return undefined;
  const largest = floor.largest.map(({ part, tokens }) => `${part} ${tokens}`).join(', ');
  return (
    `The smallest possible request needs ${floor.needs} tokens and the limit is ${floor.limit}. ` +
    `Largest parts: ${largest}. Raise context.max_tokens, lower context.reserve, or shorten these parts.`
  );
}

/** The last line of defence: a body that a strict server would refuse is not sent, and says why. */
function illegal(state: JournalState, texts: readonly string[]): ModelFailure | undefined {
  const facts = texts.map((text) => factsOfText(state, text));
  const broken = facts.indexOf(undefined);
  const [violation] = legalSequence(facts.filter((one) => one !== undefined));
  if (broken < 0 && !violation) return undefined;
  const message =
    broken >= 0
      ? `The history is not legal: message ${broken + 1} is not a JSON object with a role.`
      : `The history is not legal (${violation?.rule}, message ${(violation?.index ?? 0) + 1}): ${violation?.detail}.`;
  return { ...cancelled, class: 'bad-request', message };
}
