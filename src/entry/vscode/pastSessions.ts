/** Sessions of earlier windows and of files, as their journals tell of them: they can be read, not changed. */
import * as l10n from '@vscode/l10n';
import type { JournalEvent } from '../../core/events.ts';
import { fold } from '../../core/fold.ts';
import { emptyState, type JournalState } from '../../core/journalState.ts';
import type { Effects } from '../../core/messages.ts';
import { isRecord, parseJson } from '../../core/parseMessage.ts';
import { refuse } from '../../core/refusal.ts';
import { inSlices } from '../inSlices.ts';
import type { PanelSession, Registration } from './panelChannel.ts';
import { titleOf } from './titleOf.ts';

export interface PastSession extends PanelSession {
  /** What another process has written since. */
  grow(events: readonly JournalEvent[]): void;
}

/**
 * A session that can be read, not changed. Folded in slices: a long one takes a second.
 * @param isFile it has an editor of its own
 */
export async function openPastSession(
  id: string,
  read: readonly JournalEvent[],
  isFile = false,
): Promise<PastSession> {
  const events: JournalEvent[] = [];
  const state = emptyState();
  const effects: Record<string, Effects> = {};
  const listeners = new Set<() => void>();
  const take = (event: JournalEvent) => {
    events.push(event);
    fold(state, event);
    if (event.type === 'call.started') effects[event.name] = event.effects;
  };
  await inSlices(taking(read, take));
  return {
    id,
    get title() {
      return titleOf(state);
    },
    agent: state.opened?.agent ?? '',
    get model() {
      return modelOf(state);
    },
    effects,
    live: false,
    // A log has no ids: which message is which was found by what they say.
    ...(state.opened?.kind === 'attach' ? { note: l10n.t('inferred from a log, by content') } : {}),
    ...(isFile ? { isFile } : {}),
    events,
    liveText: '',
    before: undefined,
    state,
    onEvents(listener): Registration {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    onLiveText: () => ({ dispose: () => undefined }),
    apply: async () => refuse('This session is not running.'),
    grow(more) {
      more.forEach(take);
      for (const listener of [...listeners]) listener();
    },
  };
}

function* taking(
  events: readonly JournalEvent[],
  take: (event: JournalEvent) => void,
): Generator<void, void> {
  for (const event of events) {
    take(event);
    yield;
  }
}

function modelOf(state: JournalState): string {
  const config = parseJson(state.parts.get(state.runs.at(-1)?.config ?? '') ?? '');
  const name = isRecord(config) ? config['model_name'] : undefined;
  return typeof name === 'string' ? name : '';
}
