import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { JournalEvent } from '../core/events.ts';
import { foldAll } from '../core/fold.ts';
import { callAt, currentRound, currentRun, type JournalState, textOf } from '../core/journalState.ts';
import { contentText } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { visible } from '../core/visible.ts';
import type { Checkpoint } from '../runner/gate.ts';
import type { AdapterPorts } from './adapterPorts.ts';
import type { CheckpointLines } from './loopSource.ts';
import { roundDocument } from './roundDocument.ts';

export interface FrameSources {
  readonly loop: { readonly source: DebugProtocol.Source };
  readonly roundSource?: AdapterPorts['roundSource'];
  readonly agentSource: DebugProtocol.Source;
  readonly lines: CheckpointLines;
  /** Of the past: how many events `state` is the fold of. */
  readonly before?: number;
}

/** 0: the phase or call, in the loop's source; 1: the round, in its document; 2: the run, in the agent file. */
export function stackFrames(
  state: JournalState,
  at: Checkpoint,
  sources: FrameSources,
): DebugProtocol.StackFrame[] {
  const run = currentRun(state)?.run ?? 0;
  const round = currentRound(state)?.round ?? 0;
  const session = state.opened?.session ?? '';
  const document = roundDocument(state, run, round);
  const { before } = sources;
  const roundSource = sources.roundSource?.(session, run, round, before) ?? {
    name: `run ${run} round ${round}`,
    // Clients without our file system ask for it by reference.
    sourceReference: before === undefined ? run * roundsPerRun + round : pastReference + before,
  };
  const phase = {
    id: 1,
    name: before === undefined ? phaseName(state, at) : l10n.t('past · {0}', phaseName(state, at)),
    source: sources.loop.source,
    line: sources.lines[at.kind],
    column: 1,
  };
  const ofRound = {
    id: 2,
    name: l10n.t('round {0}', round),
    source: roundSource,
    line: document?.lines[at.kind] ?? 1,
    column: 1,
  };
  const ofRun = {
    id: 3,
    name: l10n.t('run {0}: {1}', run, goalOf(state)),
    source: sources.agentSource,
    line: 1,
    column: 1,
  };
  return round === 0 ? [phase, ofRun] : [phase, ofRound, ofRun];
}

/** More rounds than a run can have. */
const roundsPerRun = 100_000;
/** More than any run's; the protocol's numbers end at 2³¹ − 1. */
const pastReference = 2 ** 30;

/** The text behind a source reference of a frame; one that no frame gave leads to none. */
export function textOfReference(
  reference: number,
  state: JournalState,
  events: readonly JournalEvent[],
): string | undefined {
  if (reference < pastReference) {
    const [run, round] = [Math.floor(reference / roundsPerRun), reference % roundsPerRun];
    return roundDocument(state, run, round)?.text;
  }
  const before = reference - pastReference;
  if (before > events.length) return undefined;
  const past = foldAll(events, before);
  const at = currentRound(past);
  return at && roundDocument(past, at.run, at.round)?.text;
}

/** `act · calculator (1/2)` */
export function phaseName(state: JournalState, at: Checkpoint): string {
  if (at.key === undefined) return at.kind;
  const call = callAt(state, at.key);
  const count = currentRound(state)?.calls.length ?? 0;
  const place = count > 1 && call ? ` (${call.position}/${count})` : '';
  return `${at.kind} · ${visible(call?.name ?? at.key)}${place}`;
}

/** The run's goal in one line, cut for a label. */
export function goalOf(state: JournalState): string {
  const goal = currentRun(state)?.goal;
  const message = goal === undefined ? undefined : parseMessage(textOf(state, goal) ?? '');
  const text = visible(message ? contentText(message) : '').replace(/\s+/g, ' ');
  return [...text].length > 60 ? `${[...text].slice(0, 60).join('')}…` : text;
}
