/** What a data breakpoint looks at: a message, or a value of the working state. */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { JournalEvent } from '../core/events.ts';
import type { JournalState } from '../core/journalState.ts';
import type { MessageId } from '../core/messages.ts';
import { splitTarget } from '../core/pointer.ts';
import { isOut } from '../core/sentList.ts';

/** Message ids are a session's own; working state goes by its name in every session of the agent. */
export type Datum =
  | { readonly kind: 'message'; readonly session: string; readonly id: MessageId }
  | { readonly kind: 'state'; readonly key: string };

/** `write`: it changes; `readWrite`: it changes, or (a message) leaves the context. */
export type DataAccess = 'write' | 'readWrite';

/** What a client calls it. */
export function dataId(datum: Datum): string {
  return datum.kind === 'state' ? `state/${datum.key}` : `message/${datum.session}/${datum.id}`;
}

/** Undefined for what `dataId` has not made. */
export function readDataId(text: string): Datum | undefined {
  const [kind, rest] = splitTarget(text);
  if (kind === 'state' && rest !== '') return { kind, key: rest };
  const slash = rest.lastIndexOf('/');
  if (kind !== 'message' || slash <= 0) return undefined;
  return { kind, session: rest.slice(0, slash), id: rest.slice(slash + 1) };
}

/** Answers `dataBreakpointInfo` for a row of Variables (see `Node.watched`). */
export function dataBreakpointInfo(
  watched: string | undefined,
  session: string,
): DebugProtocol.DataBreakpointInfoResponse['body'] {
  if (watched === undefined)
    return { dataId: null, description: l10n.t('Only messages and values of Session can be watched.') };
  const isState = watched.startsWith('state/');
  const datum: Datum = isState
    ? { kind: 'state', key: watched.slice('state/'.length) }
    : { kind: 'message', session, id: watched };
  return {
    dataId: dataId(datum),
    description: isState ? watched.slice('state/'.length) : watched,
    // Working state is never sent as such, so it can't leave.
    accessTypes: isState ? ['write'] : ['write', 'readWrite'],
    // Another session gives the same ids to other messages.
    canPersist: isState,
  };
}

/** What happened to it since it was last asked, in words; undefined when nothing did that counts. */
export type Look = (state: JournalState, since: readonly JournalEvent[]) => string | undefined;

/** A look that begins now; without a state, when it is first asked: what a run begins with is no change. */
export function createLook(datum: Datum, access: DataAccess, now?: JournalState): Look {
  const begin = (state: JournalState) =>
    datum.kind === 'state' ? stateLook(datum.key, state) : messageLook(datum.id, access, state);
  let look = now && begin(now);
  return (state, since) => {
    if (look) return look(state, since);
    look = begin(state);
    return undefined;
  };
}

function stateLook(key: string, now: JournalState): Look {
  const armedAt = now.seq;
  let part = now.working.get(key);
  return (_state, since) => {
    let isChanged = false;
    for (const event of since) {
      const next = event.seq >= armedAt ? partWritten(event, key) : undefined;
      if (next === undefined) continue;
      isChanged ||= next !== part;
      part = next;
    }
    return isChanged ? l10n.t('{0} changed', key) : undefined;
  };
}

function partWritten(event: JournalEvent, key: string): string | undefined {
  if (event.type === 'state.changed' && event.key === key) return event.after;
  return event.type === 'edited' && event.target === `state/${key}` ? event.after : undefined;
}

function messageLook(id: MessageId, access: DataAccess, now: JournalState): Look {
  const armedAt = now.seq;
  let wasOut = isOut(now.fates.get(id)?.fate);
  return (state, since) => {
    const fate = state.fates.get(id);
    const hasLeft = isOut(fate?.fate) && !wasOut;
    wasOut = isOut(fate?.fate);
    if (since.some((event) => event.seq >= armedAt && changes(event, id))) return l10n.t('{0} changed', id);
    if (access === 'write' || !hasLeft) return undefined;
    return l10n.t('{0} left the context ({1})', id, fate?.rule ?? '');
  };
}

/** Whoever edits it, and however long that lasts; a message that is only shortened on its way has not changed. */
function changes(event: JournalEvent, id: MessageId): boolean {
  if (event.type !== 'edited' || splitTarget(event.target)[0] !== id) return false;
  const isText = event.op === 'set' || event.op === 'insert' || event.op === 'remove';
  return isText && event.before !== event.after;
}
