import { costText, spentIn } from '../src/core/cost.ts';
import type { RoundState } from '../src/core/journalState.ts';
import { workedMs } from '../src/core/lane.ts';
import { bodyOfPart } from '../src/core/messageView.ts';
import { headOf } from '../src/core/panelEvent.ts';
import { Icon } from './Icon.tsx';
import { SafeText } from './SafeText.tsx';
import { StatusPill } from './StatusPill.tsx';
import { usePanel } from './usePanel.ts';

/** The goal of the run that is shown, whose agent and model, where it stands, and its sums. */
export function Header({ round }: { readonly round: RoundState | undefined }) {
  const { store, say } = usePanel();
  const { session, state } = store;
  const run = state.runs.find((one) => one.run === round?.run) ?? state.runs.at(-1);
  const goal = run && bodyOfPart(state, state.messages.get(run.goal)?.versions.at(-1)?.part)?.text;
  return (
    <header class="header">
      <Icon name="debug-alt" />
      <h1>
        <SafeText text={headOf(goal ?? session?.title ?? '', 200)} />
      </h1>
      <span class="muted">{[session?.agent, session?.model, session?.note].filter(Boolean).join(' · ')}</span>
      <StatusPill />
      <span class="muted sums">{sums()}</span>
    </header>
  );

  function sums(): string {
    const cells = store.lane.cells.filter((cell) => cell.run === run?.run);
    if (cells.length === 0) return '';
    const shown = cells.find((cell) => cell.round === round?.round) ?? cells.at(-1);
    const cost = run && spentIn(state, run).cost;
    const ms = cells.reduce((sum, cell) => sum + workedMs(cell), 0);
    return [
      say.count('rounds', cells.length),
      // A log of another agent tells no times.
      ...(ms === 0 ? [] : [say.duration(ms)]),
      ...(cost === undefined ? [] : [costText(cost, document.documentElement.lang)]),
      ...(shown?.tokens === undefined
        ? []
        : shown.limit === undefined
          ? [say('contextPlain', { n: shown.tokens })]
          : [say('contextOf', { n: shown.tokens, limit: shown.limit })]),
    ].join(' · ');
  }
}
