import * as l10n from '@vscode/l10n';
import { callAt, currentRound, currentRun, type JournalState } from '../core/journalState.ts';
import { visible } from '../core/visible.ts';
import type { Stop } from '../runner/gate.ts';
import type { Breakpoint } from './breakpoint.ts';
import { phaseName } from './frames.ts';
import type { PastStop } from './lookingBack.ts';

/** The protocol's word for why it stopped. A data breakpoint has one of its own: nothing at its place tells of it. */
export function stopReason(stop: Stop, hit: readonly Breakpoint[]): string {
  const placed = hit.filter(isPlaced);
  const isData =
    placed.length > 0 && placed.every(({ label }) => /^(?:data|rule:message|rule:state)[:/]/.test(label));
  return stop.reason === 'breakpoint' && isData ? 'data breakpoint' : stop.reason;
}

/** What the Call Stack shows, e.g. “Paused before act: calculator (add_*, todos changed)”. */
export function stopDescription(stop: Stop, state: JournalState, hit: readonly Breakpoint[]): string {
  const why = hit.filter(isPlaced).map((one) => visible(one.why()));
  return why.length === 0 ? placeWords(stop, state) : `${placeWords(stop, state)} (${why.join(', ')})`;
}

/** Set at a place or on a thing; a phase's check box says no more than where it stopped. */
function isPlaced({ label }: Breakpoint): boolean {
  return !label.startsWith('filter:') && !label.startsWith('fault:');
}

function placeWords(stop: Stop, state: JournalState): string {
  const { t } = l10n;
  if (stop.reason === 'exception') return t('Paused on a fault: {0}', faultNames(stop.hits));
  switch (stop.kind) {
    case 'plan':
      return t('Paused before plan: nothing is sent yet');
    case 'reply':
      return t('Paused at reply: nothing was acted on');
    case 'act':
      return t('Paused before act: {0}', visible(callAt(state, stop.key ?? '')?.name ?? ''));
    case 'observe':
      return t('Paused before observe');
    case 'end':
      return t('Run ended: {0}', currentRun(state)?.ended?.outcome ?? '');
  }
}

function faultNames(hits: readonly string[]): string {
  return hits.flatMap((hit) => (hit.startsWith('fault:') ? [hit.slice('fault:'.length)] : [])).join(', ');
}

/** Of a place in the past, e.g. “In the past, round 2: act · calculator”. */
export function pastDescription(stop: PastStop): string {
  const { t } = l10n;
  const { state } = stop;
  const round = currentRound(state)?.round ?? 0;
  const run = currentRun(state)?.run ?? 0;
  const where = run > 1 ? t('run {0}, round {1}', run, round) : t('round {0}', round);
  return stop.isFirst
    ? t('In the past, {0}: {1}. Nothing is recorded before it', where, phaseName(state, stop))
    : t('In the past, {0}: {1}', where, phaseName(state, stop));
}
