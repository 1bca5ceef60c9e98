/** PLAN, second half: the packed request is made legal, sent, and its reply journalled. */
import type { ModelFailure } from '../core/ports.ts';
import type { JournalState } from '../core/journalState.ts';
import { legalSequence } from '../core/legal.ts';
import { factsOfText } from '../core/messageFacts.ts';
import { ask } from '../planner/ask.ts';
import { blockedWords } from '../planner/blocked.ts';
import { prepareRequest } from '../planner/request.ts';
import type { Session } from '../session/session.ts';
import type { PackedSession } from './packSession.ts';
import type { StepPorts } from './stepPorts.ts';

const limits = { firstByteMs: 30_000, idleMs: 60_000, retries: 3, retryAfterCapMs: 60_000 };

/** Sends the packed request; retries and time-outs are inside. Resolves to what went wrong, if anything did. */
export async function askModel(
  { journal, state }: Session,
  { model, toolbox, clock, sha256 }: StepPorts,
  packed: PackedSession,
  signal: AbortSignal,
  onText: (delta: string) => void,
): Promise<ModelFailure | undefined> {
  const unsent = signal.aborted ? cancelled : blocked(packed);
  if (unsent) return unsent;
  const request = journal.nextRequest();
  const { tools } = toolbox;
  const { kept, texts } = packed;
  const prepared = prepareRequest({ state, tools, kept, texts, request, recorder: journal });
  const refused = illegal(state, prepared.texts);
  if (refused) return refused;
  const asked = await ask(prepared, {
    client: model,
    recorder: journal,
    clock,
    signal,
    onText,
    sha256,
    nextMessage: () => journal.nextMessage(),
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

function blocked(packed: PackedSession): ModelFailure | undefined {
  return packed.blocked && { ...cancelled, class: 'blocked', message: blockedWords(packed.blocked) };
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
