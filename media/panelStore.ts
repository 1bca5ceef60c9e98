/**
 * What a panel knows: core's fold of the events it got, and what else the host told. Asks first, notices
 * gaps, and asks again. No DOM: the same store runs in plain Node tests.
 */
import type { ListedRule } from '../src/core/stopRules.ts';
import { fold } from '../src/core/fold.ts';
import { type JournalState, emptyState } from '../src/core/journalState.ts';
import { type LaneState, emptyLane, foldLane } from '../src/core/lane.ts';
import type { MessageId, PartId, RequestId } from '../src/core/messages.ts';
import type { PanelWords } from '../src/core/panelWords.ts';
import {
  type Cut,
  endsLiveText,
  type FromPanel,
  type Looks,
  type PanelEvent,
  type SavedPanel,
  type Selection,
  type SessionInfo,
  type ToPanel,
} from '../src/core/protocol.ts';
import type { WireView } from '../src/core/wireView.ts';

export interface PanelStore {
  /** Absent until the host has answered. */
  readonly words: PanelWords | undefined;
  readonly session: SessionInfo | undefined;
  readonly sessions: readonly SessionInfo[];
  readonly gone: boolean;
  /** What is shown: the session now, or as it was before event `before`. */
  readonly state: JournalState;
  readonly lane: LaneState;
  /** The debugger looks back to before this event; null in the present. */
  readonly before: number | null;
  /** Texts of which only the head is here. */
  readonly cuts: ReadonlyMap<PartId, Cut>;
  /** Texts asked for and not here yet. */
  readonly fetching: ReadonlySet<PartId>;
  /** Asked for, and the host has none. */
  readonly missing: ReadonlySet<PartId>;
  /** Bodies of requests that came, by request and attempt; null: there is none. */
  readonly wires: ReadonlyMap<string, WireView | null>;
  /** How often each text has what is searched; undefined while that is not known. */
  readonly hits: ReadonlyMap<PartId, number> | undefined;
  /** A message that is to be brought into view. */
  readonly wanted: MessageId | undefined;
  /** How far long texts were opened, in UTF-16 units, by part and path. The page's own: nothing of it is saved. */
  readonly opened: Map<string, number>;
  /** What has arrived of the running reply. */
  readonly live: string;
  readonly selection: Selection;
  readonly looks: Looks;
  /** What the debugger stops at by rules of the user's. */
  readonly stopRules: readonly ListedRule[];
  /** Why the last op was refused. */
  readonly refused: string | undefined;
  /** Grows with every change: what was computed from an older version is out of date. */
  readonly version: number;
  subscribe(listener: () => void): () => void;
  receive(message: ToPanel): void;
  select(selection: Selection): void;
  look(looks: Partial<Looks>): void;
  fetchPart(part: PartId): void;
  fetchWire(request: RequestId, attempt: number): void;
  find(text: string): void;
  want(message: MessageId | undefined): void;
  choose(session: string): void;
  dismiss(): void;
  post(message: FromPanel): void;
}

export interface PanelHost {
  post(message: FromPanel): void;
  save(saved: SavedPanel): void;
  readonly saved: SavedPanel | undefined;
}

/** Says `ready` at once. */
export function createPanelStore(host: PanelHost): PanelStore {
  const { selection = null, looks } = host.saved ?? {};
  const known: Known = { ...nothingKnown(), selection, looks: { ...plainLooks, ...looks }, version: 0 };
  const listeners = new Set<() => void>();
  const changed = () => {
    known.version++;
    for (const listener of listeners) listener();
  };
  const save = () =>
    host.save({ session: known.session?.id ?? null, selection: known.selection, looks: known.looks });
  const askHits = () => {
    if (known.session && known.looks.find !== '')
      host.post({ type: 'find', session: known.session.id, text: known.looks.find });
  };
  const ready = (session: string | null, next: number) => host.post({ type: 'ready', session, next });

  const methods = {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    receive: (message: ToPanel) => {
      const isInOrder = take(known, message, host.saved?.session ?? null);
      if (!isInOrder) ready(known.session?.id ?? null, known.now.state.seq);
      if (message.type === 'hello') save();
      if (isInOrder && message.type === 'batch' && !message.more && bringsText(message.events)) askHits();
      // A long run comes in many batches: drawn once, not once for each.
      if (message.type !== 'batch' || !message.more || !isInOrder) changed();
    },
    select: (selection: Selection) => {
      known.selection = selection;
      save();
      if (known.session) host.post({ type: 'select', session: known.session.id, selection });
      changed();
    },
    look: (looks: Partial<Looks>) => {
      known.looks = { ...known.looks, ...looks };
      save();
      changed();
    },
    fetchPart: (part: PartId) => {
      if (!known.session || known.fetching.has(part)) return;
      known.fetching.add(part);
      host.post({ type: 'fetchPart', session: known.session.id, part });
      changed();
    },
    fetchWire: (request: RequestId, attempt: number) => {
      if (!known.session || known.wires.has(wireKey(request, attempt))) return;
      // Asked once: null until it is here.
      known.wires.set(wireKey(request, attempt), null);
      host.post({ type: 'wire', session: known.session.id, request, attempt });
    },
    find: (text: string) => {
      known.hits = undefined;
      methods.look({ find: text });
      askHits();
    },
    want: (message: MessageId | undefined) => {
      known.wanted = message;
      changed();
    },
    choose: (session: string) => ready(session, 0),
    dismiss: () => {
      known.refused = undefined;
      changed();
    },
    post: (message: FromPanel) => {
      if (message.type === 'op') known.refused = undefined;
      host.post(message);
    },
  };
  ready(host.saved?.session ?? null, 0);
  return Object.assign(known, methods);
}

type Known = {
  -readonly [
    Key in
      | 'words'
      | 'session'
      | 'sessions'
      | 'gone'
      | 'live'
      | 'selection'
      | 'looks'
      | 'refused'
      | 'stopRules'
      | 'version'
  ]: PanelStore[Key];
} & ReturnType<typeof nothingYet>;

const plainLooks: Looks = { zoom: 0, view: 'sent', against: null, find: '', filter: {} };

function nothingKnown() {
  return {
    words: undefined,
    session: undefined,
    sessions: [],
    gone: false,
    stopRules: [] as readonly ListedRule[],
    ...nothingYet(),
  };
}

/** Takes a message in; false when something between it and what is known is missing. */
function take(known: Known, message: ToPanel, savedSession: string | null): boolean {
  if (message.type === 'hello') hello(known, message, savedSession);
  else if (message.type === 'stopRules') known.stopRules = message.rules;
  else if (message.session !== known.session?.id) return true;
  else if (message.type === 'batch') return batch(known, message);
  else if (message.type === 'part') part(known, message);
  else if (message.type === 'refused') known.refused = message.reason;
  else if (message.type === 'wire') {
    if (message.view) known.wires.set(wireKey(message.view.request, message.view.attempt), message.view);
  } else if (message.type === 'found') {
    if (message.text === known.looks.find) known.hits = new Map(message.hits);
  } else known.selection = message.selection;
  return true;
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
  fold(state, event);
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
    wanted: undefined as MessageId | undefined,
    opened: new Map<string, number>(),
    live: '',
    refused: undefined as string | undefined,
  };
}

export function wireKey(request: RequestId, attempt: number): string {
  return `${request} ${attempt}`;
}

/** What may hold what is searched: asked anew once a round or so, not with every event. */
function bringsText(events: readonly PanelEvent[]): boolean {
  return events.some(({ type }) => type === 'history.appended' || type === 'model.replied');
}

/** A text that came whole (fetched, then sent again after a gap) is not cut any more. */
function keepCut(cuts: Map<PartId, Cut>, event: PanelEvent): void {
  if (event.type !== 'part') return;
  if (event.cut) cuts.set(event.id, event.cut);
  else cuts.delete(event.id);
}
