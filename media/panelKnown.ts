/** What a panel's store knows, and how a message of the host changes it. */
import { foldSound } from '../src/core/fold.ts';
import { type JournalState, emptyState } from '../src/core/journalState.ts';
import { type LaneState, emptyLane, foldLane } from '../src/core/lane.ts';
import type { MessageId, PartId, RequestId } from '../src/core/messages.ts';
import {
  type Cut,
  endsLiveText,
  type Looks,
  type PanelEvent,
  type Selection,
  type ToPanel,
} from '../src/core/protocol.ts';
import type { ListedRule } from '../src/core/stopRules.ts';
import type { WhatIfAnswer } from '../src/core/whatIf.ts';
import type { WireView } from '../src/core/wireView.ts';
import type { PanelStore } from './panelStore.ts';

export type Known = {
  -readonly [
    Key in
      | 'words'
      | 'session'
      | 'sessions'
      | 'gone'
      | 'live'
      | 'selection'
      | 'looks'
      | 'place'
      | 'scrolled'
      | 'followed'
      | 'refused'
      | 'stopRules'
      | 'version'
  ]: PanelStore[Key];
} & ReturnType<typeof nothingYet> & { opened: Map<string, number> };

export const plainLooks: Looks = { zoom: 0, view: 'sent', against: null, find: '', filter: {}, whatIf: null };

export function nothingKnown() {
  return {
    words: undefined,
    session: undefined,
    sessions: [],
    gone: false,
    place: undefined,
    scrolled: {},
    followed: undefined,
    stopRules: [] as readonly ListedRule[],
    opened: new Map<string, number>(),
    ...nothingYet(),
  };
}

/** Takes a message in; false when something between it and what is known is missing. */
export function take(known: Known, message: ToPanel, savedSession: string | null): boolean {
  if (message.type === 'hello') hello(known, message, savedSession);
  else if (message.type === 'stopRules') known.stopRules = message.rules;
  else if (message.session !== known.session?.id) return true;
  else if (message.type === 'batch') return batch(known, message);
  else if (message.type === 'part') part(known, message);
  else if (message.type === 'refused') known.refused = message;
  else if (message.type === 'select') select(known, message.selection);
  else answered(known, message);
  return true;
}

/** Another round is read from its top. */
function select(known: Known, selection: Selection): void {
  const isSame = selection?.run === known.selection?.run && selection?.round === known.selection?.round;
  if (!isSame) forgetPlaces(known);
  known.selection = selection;
}

/** Other messages are shown, or in another way: where the ones before were scrolled to says nothing of them. */
export function forgetPlaces(known: Pick<Known, 'place' | 'scrolled' | 'followed'>): void {
  known.place = undefined;
  known.followed = undefined;
  const { wire: _wire, ...others } = known.scrolled;
  known.scrolled = others;
}

/** Answers to what the panel asked; one to an earlier question is out of date. */
function answered(known: Known, message: Extract<ToPanel, { type: 'wire' | 'found' | 'whatIf' }>): void {
  if (message.type === 'whatIf') known.tried = known.looks.whatIf ? message.answer : undefined;
  else if (message.type === 'found') {
    if (message.text === known.looks.find) known.hits = new Map(message.hits);
  } else if (message.view) {
    known.wires.set(wireKey(message.view.request, message.view.attempt), message.view);
  }
}

function hello(
  known: Known,
  message: Extract<ToPanel, { type: 'hello' }>,
  savedSession: string | null,
): void {
  const { words, session, sessions, gone } = message;
  // A restored panel knows nothing yet, and its selection is one of the session it was saved with.
  const before = known.session?.id ?? savedSession;
  if (session?.id !== known.session?.id) Object.assign(known, nothingYet());
  if (session?.id !== before) {
    known.selection = null;
    forgetPlaces(known);
    known.scrolled = {};
    known.opened = new Map();
    known.looks = { ...known.looks, against: null };
  }
  Object.assign(known, { words, session: session ?? undefined, sessions, gone });
}

function batch(known: Known, { from, events, live, before }: Extract<ToPanel, { type: 'batch' }>): boolean {
  const { now, cuts } = known;
  if (from > now.state.seq) return false;
  for (const event of events.slice(now.state.seq - from)) {
    foldInto(now, event);
    known.events.push(event);
    keepCut(cuts, event);
    if (endsLiveText(event)) known.live = '';
  }
  if (before !== known.before) showAt(known, before);
  if (!live) return true;
  if (live.at > known.live.length) return false;
  known.live = known.live.slice(0, live.at) + live.text;
  return true;
}

function part(known: Known, { part: id, text }: Extract<ToPanel, { type: 'part' }>): void {
  known.fetching.delete(id);
  if (text === null) {
    known.missing.add(id);
    return;
  }
  known.fetched.set(id, text);
  for (const { parts } of [known.now.state, known.state]) if (parts.has(id)) parts.set(id, text);
  known.cuts.delete(id);
}

/** Shows the past, folded from its beginning, or the present again. */
function showAt(known: Known, before: number | null): void {
  const shown = before === null ? known.now : emptyFold();
  for (const event of known.events.slice(0, before ?? 0)) foldInto(shown, event);
  for (const [id, text] of known.fetched) if (shown.state.parts.has(id)) shown.state.parts.set(id, text);
  Object.assign(known, { ...shown, before });
}

function foldInto({ state, lane }: Fold, event: PanelEvent): void {
  foldSound(state, event);
  foldLane(lane, event);
}

interface Fold {
  readonly state: JournalState;
  readonly lane: LaneState;
}

function emptyFold(): Fold {
  return { state: emptyState(), lane: emptyLane() };
}

function nothingYet() {
  const now = emptyFold();
  return {
    ...now,
    /** The session to its last event, whatever is shown of it, and the events that it is the fold of. */
    now,
    events: [] as PanelEvent[],
    fetched: new Map<PartId, string>(),
    before: null as number | null,
    cuts: new Map<PartId, Cut>(),
    fetching: new Set<PartId>(),
    missing: new Set<PartId>(),
    wires: new Map<string, WireView | null>(),
    hits: undefined as ReadonlyMap<PartId, number> | undefined,
    tried: undefined as WhatIfAnswer | number | undefined,
    wanted: undefined as MessageId | undefined,
    live: '',
    refused: undefined as PanelStore['refused'],
  };
}

export function wireKey(request: RequestId, attempt: number): string {
  return `${request} ${attempt}`;
}

/** What may hold what is searched: asked anew once a round or so, not with every event. */
export function bringsText(events: readonly PanelEvent[]): boolean {
  return events.some(({ type }) => type === 'history.appended' || type === 'model.replied');
}

/** A text that came whole (fetched, then sent again after a gap) is not cut any more. */
function keepCut(cuts: Map<PartId, Cut>, event: PanelEvent): void {
  if (event.type !== 'part') return;
  if (event.cut) cuts.set(event.id, event.cut);
  else cuts.delete(event.id);
}
