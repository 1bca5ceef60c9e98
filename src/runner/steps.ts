/**
 * The steps that the loop is made of: each reads the session, does its part, and writes what happened to
 * the session's journal. No step throws; see `loop.ts` for their order.
 */
import { callAt, type CallState, currentRound, currentRun } from '../core/journalState.ts';
import type { CallKey } from '../core/messages.ts';
import type { ModelFailure } from '../core/ports.ts';
import { createBodyDigest } from '../planner/bodyDigest.ts';
import type { Session } from '../session/session.ts';
import { askModel } from './askModel.ts';
import { checkClaims } from './checkClaims.ts';
import { createCompaction } from './compact.ts';
import { createPacker } from './createPacker.ts';
import { type End, endByAbort, endOfRun } from './endOfRun.ts';
import { createLegalCheck } from './legalCheck.ts';
import { observeRound } from './observeRound.ts';
import { type PathOfCall, pathOfCall } from './pathOfCall.ts';
import { createPerformer } from './performer.ts';
import { retrieveContext } from './retrieve.ts';
import type { RunLimits } from './runLimits.ts';
import type { StepPorts } from './stepPorts.ts';

export interface Steps {
  /** Whether another round begins (and begins it), or the run is over. */
  next(): 'again' | 'over';
  /**
   * Chooses what the model gets to see: at once, or when its long texts are counted. Packing again (after an edit
   * at plan) replaces the choice.
   */
  pack(): Promise<void>;
  /** Packs again after an edit at plan, without asking for a summary. */
  repack(): Promise<void>;
  /** Sends the packed request; retries and time-outs are inside. */
  ask(): Promise<void>;
  /** The calls of the reply as it stands, in order. */
  calls(): readonly CallState[];
  /** The user is shown this call, at the stop before it: what it acts on is what its path leads to now. */
  show(key: CallKey): void;
  /** Executes one call, or does what the user decided instead; see `createPerformer` for those that run side by side. */
  perform(key: CallKey): Promise<void>;
  /** The reply and one result per call enter the history, in one piece. */
  observe(): void;
  /** Journals how the run ended. */
  end(): void;
}

export interface StepOptions {
  readonly signal: AbortSignal;
  readonly onText: (delta: string) => void;
  /** What the run may take. */
  readonly limits: RunLimits;
  /** A debugger may hold it: one that repeats itself is paused instead of ended, and calls run one by one. */
  readonly isDebugged: boolean;
}

export function createSteps(session: Session, ports: StepPorts, options: StepOptions): Steps {
  const { journal, state } = session;
  const { signal, onText, limits, isDebugged } = options;
  const packer = createPacker(session, ports);
  const digest = createBodyDigest();
  const illegal = createLegalCheck(state);
  const compact = createCompaction(session, ports, packer, signal);
  const perform = createPerformer(session, ports, { signal, sideBySide: !isDebugged });
  let failure: ModelFailure | undefined;
  let over: End | undefined;
  let shown: { readonly key: CallKey; readonly path: Promise<PathOfCall> | undefined } | undefined;

  return {
    next() {
      const round = currentRound(state);
      over = endOfRun({ state, failure, signal, limits, endsOnRepetition: !isDebugged });
      if (round && !round.ended)
        journal.append({ type: 'round.ended', round: round.round, next: over?.outcome ?? 'again' });
      if (over) return 'over';
      journal.append({ type: 'round.started', round: (round?.round ?? 0) + 1 });
      return 'again';
    },

    async pack() {
      // Once a round, also where the model is asked again in it.
      const isFirst = currentRound(state)?.requests.length === 0;
      if (ports.retrieve && isFirst) await retrieveContext(session, ports, signal);
      await packer.pack();
      await compact();
    },
    repack: () => packer.pack(),

    async ask() {
      const packed = await packer.packed();
      if (!packed) return;
      const packAgain = async () => {
        await packer.pack();
        await compact();
        return (await packer.packed()) ?? packed;
      };
      failure = await askModel(session, ports, { packed, packAgain, signal, onText, digest, illegal });
      if (!failure) await checkClaims(session, ports);
    },

    calls: () => currentRound(state)?.calls ?? [],
    show(key) {
      const call = callAt(state, key);
      shown = call && { key, path: pathOfCall(call, ports.workspace) };
    },
    perform: (key) => perform(key, shown?.key === key ? shown.path : undefined),
    observe: () => {
      observeRound(session);
    },

    end() {
      // What can not be written of the last round is how the run ended.
      journal.flush();
      const end = signal.aborted ? endByAbort(signal) : (over ?? { outcome: 'done' });
      const answer = end.outcome === 'done' ? currentRound(state)?.replies.at(-1)?.message : undefined;
      const run = currentRun(state)?.run ?? 1;
      const isTold = journal.trouble !== undefined;
      journal.append({ type: 'run.ended', run, ...end, ...(answer === undefined ? {} : { answer }) });
      if (!isTold) journal.sync();
    },
  };
}
