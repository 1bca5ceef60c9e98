import type { StatusView } from '../src/core/statusView.ts';
import type { JournalState } from '../src/core/journalState.ts';
import { roundName } from './names.ts';
import type { Words } from './words.ts';

/** `paused before act · round 4 · calculator`; empty where nothing runs. */
export function statusText(state: JournalState, say: Words, status: StatusView): string {
  switch (status.kind) {
    case 'idle':
      return '';
    case 'paused':
      return [
        say(`paused.${status.at}`),
        roundName(state, say, status),
        ...(status.call ? [status.call.name] : []),
        ...faultsOf(status.hits).map((what) => say('fault', { what })),
      ].join(' · ');
    case 'running':
      return `${say(`running.${status.doing}`, { tool: status.tool ?? '' })} · ${say('round', { round: status.round })}`;
    case 'ended':
      return [say(`ended.${status.outcome}`), ...(status.limit === undefined ? [] : [status.limit])].join(
        ' · ',
      );
  }
}

/** `fault:toolFailure` → `toolFailure`. */
export function faultsOf(hits: readonly string[]): string[] {
  return hits.filter((hit) => hit.startsWith('fault:')).map((hit) => hit.slice('fault:'.length));
}
