import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { callAt, currentRound, currentRun, type JournalState, textOf } from '../core/journalState.ts';
import { contentText } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { visible } from '../core/visible.ts';
import type { Checkpoint } from '../runner/gate.ts';
import type { CheckpointLines } from './loopSource.ts';
import { roundDocument } from './roundDocument.ts';

export interface FrameSources {
  readonly loop: { readonly source: DebugProtocol.Source };
  readonly roundSource?: (session: string, run: number, round: number) => DebugProtocol.Source;
  readonly agentSource: DebugProtocol.Source;
  readonly lines: CheckpointLines;
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
  const roundSource = sources.roundSource?.(session, run, round) ?? {
    name: `run ${run} round ${round}`,
    // Clients without our file system ask for it by reference.
    sourceReference: referenceOfRound(run, round),
  };
  const phase = {
    id: 1,
    name: phaseName(state, at),
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

function referenceOfRound(run: number, round: number): number {
  return run * roundsPerRun + round;
}

/** The round that a source reference of a frame stands for; one that no frame gave leads to no round. */
export function roundOfReference(reference: number): { readonly run: number; readonly round: number } {
  return { run: Math.floor(reference / roundsPerRun), round: reference % roundsPerRun };
}

function phaseName(state: JournalState, at: Checkpoint): string {
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
