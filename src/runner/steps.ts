/**
 * The steps that the loop is made of: each reads the session, does its part, and writes what happened to
 * the session's journal. No step throws; see `loop.ts` for their order.
 */
import type { AgentConfig } from '../core/config.ts';
import type { CallOutcome, Outcome } from '../core/events.ts';
import { type CallState, callAt, currentRound, currentRun } from '../core/journalState.ts';
import { callsOf, type CallKey, contentText, type Observation } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import type { Clock, CountTokens, ModelClient, ModelFailure, Toolbox, Workspace } from '../core/ports.ts';
import { serialise } from '../core/serialise.ts';
import { legal } from '../core/legal.ts';
import { ask } from '../planner/ask.ts';
import type { Packed } from '../planner/pack.ts';
import { prepareRequest } from '../planner/request.ts';
import type { Session } from '../session/session.ts';
import { capText } from '../toolbox/capText.ts';
import { packSession } from './packSession.ts';

export interface Steps {
  /** Whether another round begins (and begins it), or the run is over. */
  next(): 'again' | 'over';
  /** Chooses what the model gets to see. Packing again (after an edit at plan) replaces the choice. */
  pack(): void;
  /** Sends the packed request; retries and time-outs are inside. */
  ask(): Promise<void>;
  /** The calls of the reply as it stands, in order. */
  calls(): readonly CallState[];
  /** Executes one call, or does what the user decided instead. */
  perform(key: CallKey): Promise<void>;
  /** The reply and one result per call enter the history, in one piece. */
  observe(): void;
  /** Journals how the run ended. */
  end(): void;
}

/** All that a run needs besides its session. */
export interface StepPorts {
  readonly config: AgentConfig;
  readonly model: ModelClient;
  readonly toolbox: Toolbox;
  readonly workspace: Workspace;
  readonly countTokens: CountTokens;
  readonly clock: Clock;
  readonly sha256: (text: string) => string;
}

/** Characters of an observation that the model gets; the whole stays in the journal. */
const observationLimit = 4000;
const firstByteMs = 30_000;
const idleMs = 60_000;
const retries = 3;
const retryAfterCapMs = 60_000;

/** How a run may come to its end, with words for people. */
interface End {
  readonly outcome: Outcome;
  readonly limit?: string;
}

export function createSteps(
  session: Session,
  ports: StepPorts,
  signal: AbortSignal,
  onText: (delta: string) => void,
): Steps {
  const { journal, state } = session;
  const { config, toolbox } = ports;
  let packed: Packed | undefined;
  let failure: ModelFailure | undefined;

  const steps: Steps = {
    next() {
      const round = currentRound(state);
      const end = round || signal.aborted ? endOf(round?.round ?? 0) : limitReached(0);
      if (round) journal.append({ type: 'round.ended', round: round.round, next: end?.outcome ?? 'again' });
      if (end) return 'over';
      journal.append({ type: 'round.started', round: (round?.round ?? 0) + 1 });
      return 'again';
    },

    pack() {
      packed = packSession(session, ports);
    },

    async ask() {
      failure = signal.aborted ? cancelled : blocked(packed);
      if (failure || !packed) return;
      const request = journal.nextRequest();
      const prepared = prepareRequest({
        state,
        config,
        tools: toolbox.tools,
        kept: packed.kept,
        request,
        recorder: journal,
      });
      failure = illegal(prepared.body);
      if (failure) return;
      const asked = await ask(prepared, {
        client: ports.model,
        recorder: journal,
        clock: ports.clock,
        signal,
        onText,
        sha256: ports.sha256,
        nextMessage: () => journal.nextMessage(),
        limits: { firstByteMs, idleMs, retries, retryAfterCapMs },
      });
      failure = asked.ok ? undefined : asked.failure;
    },

    calls: () => currentRound(state)?.calls ?? [],

    async perform(key) {
      const call = callAt(state, key);
      if (!call || call.status !== 'waiting') return;
      const decided = decidedWithout(call);
      if (decided) return finish(call, decided);
      const effects = toolbox.find(call.name)?.effects ?? 'none';
      journal.append({ type: 'call.started', key, name: call.name, wireId: call.wireId, effects });
      const context = {
        signal,
        workspace: ports.workspace,
        state: session.working,
        timeoutMs: config.tool_timeout * 1000,
      };
      finish(call, { ...(await toolbox.perform(call, context)), source: 'live' });
    },

    observe() {
      const round = currentRound(state);
      const reply = round?.replies.at(-1);
      if (!round || !reply || isEmpty(replyMessage())) return;
      const results = round.calls.flatMap(({ key, message, part }) => {
        const origin = { kind: 'call', call: key } as const;
        return message && part ? [{ id: message, role: 'tool' as const, part, origin }] : [];
      });
      const origin = { kind: 'reply', request: reply.request } as const;
      journal.append({
        type: 'history.appended',
        messages: [{ id: reply.message, role: 'assistant', part: reply.part, origin }, ...results],
      });
    },

    end() {
      const round = currentRound(state);
      const end = endOf(round?.round ?? 0) ?? { outcome: 'done' };
      const answer = end.outcome === 'done' ? round?.replies.at(-1)?.message : undefined;
      const run = currentRun(state)?.run ?? 1;
      journal.append({ type: 'run.ended', run, ...end, ...(answer === undefined ? {} : { answer }) });
      journal.sync();
    },
  };
  return steps;

  /** How the run ends after this round; undefined when it goes on. */
  function endOf(round: number): End | undefined {
    if (signal.aborted) return { outcome: 'cancelled' };
    if (failure) return { outcome: outcomeOf(failure), limit: failure.message };
    const message = replyMessage();
    if (message && isEmpty(message))
      return { outcome: 'failed', limit: 'The model returned neither text nor calls.' };
    if (message && callsOf(message).length === 0) return { outcome: 'done' };
    return limitReached(round);
  }

  function limitReached(round: number): End | undefined {
    return round >= config.max_iters
      ? { outcome: 'limit', limit: `round limit (${config.max_iters})` }
      : undefined;
  }

  function replyMessage() {
    const reply = currentRound(state)?.replies.at(-1);
    return reply && parseMessage(state.parts.get(reply.part) ?? '');
  }

  /** What happens instead of running the tool: the user's verdict, a cancel, or arguments that can't be run. */
  function decidedWithout(call: CallState): Finished | undefined {
    if (call.verdict) {
      const outcome = ({ mock: 'mocked', skip: 'skipped', reject: 'rejected' } as const)[call.verdict.op];
      const observation = JSON.parse(state.parts.get(call.verdict.observation) ?? 'null') as Observation;
      return { outcome, observation, ms: 0, source: 'mocked' };
    }
    if (signal.aborted) {
      return {
        outcome: 'cancelled',
        observation: { success: false, error: 'cancelled before start' },
        ms: 0,
        source: 'live',
      };
    }
    const problem = toolbox.problem(call);
    return problem && { ...problem, source: 'live' };
  }

  function finish(call: CallState, { outcome, observation, ms, source }: Finished): void {
    const whole = serialise(observation);
    const content = capText(whole, observationLimit);
    const part = journal.part(serialise({ role: 'tool', tool_call_id: call.wireId, content }));
    journal.append({
      type: 'call.finished',
      key: call.key,
      outcome,
      message: journal.nextMessage(),
      part,
      ...(content === whole ? {} : { observation: journal.part(whole) }),
      ms: Math.round(ms),
      source,
    });
  }
}

interface Finished {
  readonly outcome: CallOutcome;
  readonly observation: Observation;
  readonly ms: number;
  readonly source: 'live' | 'mocked';
}

const cancelled: ModelFailure = {
  ok: false,
  class: 'cancelled',
  message: 'cancelled before the request was sent',
  retryable: false,
  notes: [],
  ms: 0,
};

function blocked(packed: Packed | undefined): ModelFailure | undefined {
  const floor = packed?.blocked;
  if (!floor) return undefined;
  const largest = floor.largest.map(({ part, tokens }) => `${part} ${tokens}`).join(', ');
  const message =
    `The smallest possible request needs ${floor.needs} tokens and the limit is ${floor.limit}. ` +
    `Largest parts: ${largest}. Raise context.max_tokens, lower context.reserve, or shorten these parts.`;
  return { ...cancelled, class: 'blocked', message };
}

/** The last line of defence: a body that a strict server would refuse is not sent, and says why. */
function illegal(body: string): ModelFailure | undefined {
  const { messages } = JSON.parse(body) as { messages: Parameters<typeof legal>[0] };
  const [violation] = legal(messages);
  if (!violation) return undefined;
  const message = `The history is not legal (${violation.rule}, message ${violation.index + 1}): ${violation.detail}.`;
  return { ...cancelled, class: 'bad-request', message };
}

function outcomeOf(failure: ModelFailure): Outcome {
  switch (failure.class) {
    case 'cancelled':
      return 'cancelled';
    case 'blocked':
      return 'blocked';
    case 'refused':
      return 'refused';
    default:
      return 'failed';
  }
}

function isEmpty(message: ReturnType<typeof parseMessage>): boolean {
  return !message || (contentText(message) === '' && callsOf(message).length === 0);
}
