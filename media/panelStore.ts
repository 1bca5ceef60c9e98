/**
 * What a panel knows: core's fold of the events it got, and what else the host told. Asks first, notices
 * gaps, and asks again. No DOM: the same store runs in plain Node tests.
 */
import type { JournalState } from '../src/core/journalState.ts';
import type { LaneState } from '../src/core/lane.ts';
import type { ListedRule } from '../src/core/stopRules.ts';
import type { MessageId, PartId, RequestId } from '../src/core/messages.ts';
import type { PanelWords } from '../src/core/panelWords.ts';
import type {
  Cut,
  FromPanel,
  Looks,
  Place,
  RefusalOffer,
  SavedPanel,
  Scrolled,
  Selection,
  SessionInfo,
  ToPanel,
} from '../src/core/protocol.ts';
import type { WhatIfAnswer, WhatIfAsk } from '../src/core/whatIf.ts';
import type { WireView } from '../src/core/wireView.ts';
import { createPanelAsks } from './panelAsks.ts';
import { createPanelKeepers, restored, savedPanel } from './panelKeepers.ts';
import { bringsText, forgetPlaces, type Known, take } from './panelKnown.ts';

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
  /** The answer to the budget that is tried out; how many rounds are computed while it is on its way. */
  readonly tried: WhatIfAnswer | number | undefined;
  /** A message that is to be brought into view. */
  readonly wanted: MessageId | undefined;
  /** What was unfolded: how far, in UTF-16 units where it is a text, by the name that its component gives it. */
  readonly opened: ReadonlyMap<string, number>;
  /** What has arrived of the running reply. */
  readonly live: string;
  readonly selection: Selection;
  readonly looks: Looks;
  /** Where the messages were scrolled to; the page is to go back there. */
  readonly place: Place | undefined;
  /** How far what is no list was scrolled; the page is to go back there. */
  readonly scrolled: Scrolled;
  /** The last thing that the messages were scrolled to because the run got there. */
  readonly followed: string | undefined;
  /** What the debugger stops at by rules of the user's. */
  readonly stopRules: readonly ListedRule[];
  /** Why the last op was refused, and what would be taken instead. */
  readonly refused: { readonly reason: string; readonly offer?: RefusalOffer } | undefined;
  /** Grows with every change: what was computed from an older version is out of date. */
  readonly version: number;
  subscribe(listener: () => void): () => void;
  receive(message: ToPanel): void;
  select(selection: Selection): void;
  look(looks: Partial<Looks>): void;
  /** Saved, and nothing drawn. 0: folded again. */
  unfold(key: string, far: number): void;
  /** Saved, and nothing drawn. */
  keepPlace(place: Place | undefined): void;
  /** Saved, and nothing drawn. */
  keepScrolled(what: keyof Scrolled, pixels: number): void;
  /** Saved, and nothing drawn. Where the messages were scrolled to is past. */
  follow(thing: string): void;
  fetchPart(part: PartId): void;
  fetchWire(request: RequestId, attempt: number): void;
  find(text: string): void;
  tryOut(ask: WhatIfAsk | null): void;
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
  const known: Known = { ...restored(host.saved), version: 0 };
  const listeners = new Set<() => void>();
  const changed = () => {
    known.version++;
    for (const listener of listeners) listener();
  };
  const save = () => host.save(savedPanel(known));
  const ready = (session: string | null, next: number, selection: Selection) =>
    host.post({ type: 'ready', session, next, selection });

  const { askHits, ...asks } = createPanelAsks(known, host, changed, (looks) => methods.look(looks));
  const methods = {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    receive: (message: ToPanel) => {
      const isInOrder = take(known, message, host.saved?.session ?? null);
      if (!isInOrder) ready(known.session?.id ?? null, known.now.state.seq, known.selection);
      if (message.type === 'hello' || message.type === 'select') save();
      if (isInOrder && message.type === 'batch' && !message.more && bringsText(message.events)) askHits();
      // A long run comes in many batches: drawn once, not once for each.
      if (message.type !== 'batch' || !message.more || !isInOrder) changed();
    },
    select: (selection: Selection) => {
      known.selection = selection;
      forgetPlaces(known);
      save();
      if (known.session) host.post({ type: 'select', session: known.session.id, selection });
      changed();
    },
    look: (looks: Partial<Looks>) => {
      if (looks.view !== undefined) forgetPlaces(known);
      known.looks = { ...known.looks, ...looks };
      save();
      changed();
    },
    want: (message: MessageId | undefined) => {
      known.wanted = message;
      changed();
    },
    choose: (session: string) => ready(session, 0, null),
    dismiss: () => {
      known.refused = undefined;
      changed();
    },
    post: (message: FromPanel) => {
      if (message.type === 'op') known.refused = undefined;
      host.post(message);
    },
  };
  ready(host.saved?.session ?? null, 0, known.selection);
  return Object.assign(known, methods, asks, createPanelKeepers(known, save));
}
