/**
 * The wall between the extension host and the panels: every verb that crosses it, in both directions.
 *
 * The panel asks first: `ready` with the session it shows and the number of events it has folded. The host
 * answers `hello`, then pushes `batch`es from there, one per frame, and never again what it has sent. A batch
 * that does not start where the panel stands is a gap, and the panel says `ready` again: no single message
 * has to arrive. Panels run core's own fold; long texts cross as a head and are fetched by part id.
 */
import type { JournalEvent, Scope } from './events.ts';
import type { CallKey, Effects, MessageId, PartId, RequestId } from './messages.ts';
import type { Op } from './ops.ts';
import type { PanelWords } from './panelWords.ts';
import type { ListedRule, StopTarget } from './stopRules.ts';
import type { WhatIfAnswer, WhatIfAsk } from './whatIf.ts';
import type { WireView } from './wireView.ts';

/** A round of a session: its run, and its number in that run, both from 1. */
export interface RoundRef {
  readonly run: number;
  readonly round: number;
}

/** Which round a panel shows; null follows the run. */
export type Selection = RoundRef | null;

/** What a panel keeps across hiding and window reload. */
export interface SavedPanel {
  readonly session: string | null;
  readonly selection: Selection;
  readonly looks?: Partial<Looks>;
  /** Where the messages are scrolled to; absent: to their top. */
  readonly place?: Place;
  /** How far what is no list is scrolled, in pixels; absent: not at all. */
  readonly scrolled?: Scrolled;
  /** What the messages were scrolled to last because the run got there; a page that is made anew need not go there again. */
  readonly followed?: string;
  /** What was unfolded, by the name that the page gives it, with how far (UTF-16 units of a text). */
  readonly opened?: readonly (readonly [key: string, far: number])[];
}

/** A place in a list: the item that is the first in view, and how many pixels of it are scrolled over. */
export interface Place {
  /** Empty: what stands below the list. */
  readonly key: string;
  readonly offset: number;
}

/** Pixels: of the panel as a whole, and of a request's very bytes. */
export interface Scrolled {
  readonly page?: number;
  readonly wire?: number;
}

/** How a panel is looked at: its own, no other panel follows it. */
export interface Looks {
  /** How far the lane is drawn away: 0 is nearest. */
  readonly zoom: number;
  /** Which of the three truths of a round is shown: its history, its messages as sent, its request's very bytes. */
  readonly view: 'history' | 'sent' | 'wire';
  /** The round to compare with; null: the one before. */
  readonly against: RoundRef | null;
  /** What is searched in all rounds; empty: nothing. */
  readonly find: string;
  readonly filter: RowFilter;
  /** The budget that is tried out; null: none. */
  readonly whatIf: WhatIfAsk | null;
}

/** Which messages are listed: those to which all that is given applies. Empty: all. */
export interface RowFilter {
  readonly role?: string;
  /** Calls of this tool, and their results. */
  readonly tool?: string;
  /** What happened to it since the request before. */
  readonly change?: string;
  /** Only rounds in which something was off stand out in the lane. */
  readonly anomaly?: true;
}

export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  /** The agent file's name, for people. */
  readonly agent: string;
  /** The model as the UI calls it, e.g. `demo model (offline)`. */
  readonly model: string;
  /** Effects by tool name: the journal says them only once a call has started. */
  readonly effects: Readonly<Record<string, Effects>>;
  /** The context policy of the user's own that it has loaded, as its agent file names it. */
  readonly policy?: string | undefined;
  /** Read from a file that has an editor of its own: it will never go on. */
  readonly isFile?: true;
  /** Whether it takes ops: false for one that is only read. */
  readonly live: boolean;
  /** What is to be known of all that is shown of it, in words. */
  readonly note?: string;
}

/** An event as it crosses: itself, but a long text is a head of it. Folds like the event. */
export type PanelEvent = JournalEvent & { readonly cut?: Cut };

/** What a head stands for. */
export interface Cut {
  /** Size of the whole text: UTF-16 units, and bytes of UTF-8. */
  readonly chars: number;
  readonly bytes: number;
  /**
   * Where it was cut, as paths into the JSON value (`content`, `tool_calls/0/function/arguments`): the head
   * of a JSON text is JSON. Empty: the text is no JSON and the head is its beginning.
   */
  readonly at: readonly string[];
}

export type ToPanel =
  /** The answer to `ready`, and again when another session becomes the current one. */
  | {
      readonly type: 'hello';
      readonly words: PanelWords;
      readonly session: SessionInfo | null;
      /** All that can be shown; newest first. */
      readonly sessions: readonly SessionInfo[];
      /** The panel asked for a session that is no longer there. */
      readonly gone: boolean;
    }
  /**
   * Events `from`, `from + 1`, …, then the streamed text of the reply that is arriving. `before`: the debugger looks
   * back, and only the events before this one are to be shown; null in the present. Said with every batch. `more`: the
   * next one follows at once, so there is no use in showing this one by itself.
   */
  | {
      readonly type: 'batch';
      readonly session: string;
      readonly from: number;
      readonly events: readonly PanelEvent[];
      readonly live: LiveText | null;
      readonly before: number | null;
      readonly more: boolean;
    }
  /** A whole text that was asked for; null when the session has none of that id. */
  | { readonly type: 'part'; readonly session: string; readonly part: PartId; readonly text: string | null }
  /** The bytes of a request that were asked for; null when there is no such attempt. A long text is its head. */
  | { readonly type: 'wire'; readonly session: string; readonly view: WireView | null }
  /** How often each part of the session has the text that was asked for; parts without it are not there. */
  | {
      readonly type: 'found';
      readonly session: string;
      readonly text: string;
      readonly hits: readonly (readonly [PartId, number])[];
    }
  /** The answer to what was asked last, or how far it is (rounds). */
  | { readonly type: 'whatIf'; readonly session: string; readonly answer: WhatIfAnswer | number }
  /** An op was refused; one that was taken shows as its `edited` event. */
  | {
      readonly type: 'refused';
      readonly session: string;
      readonly reason: string;
      readonly offer?: RefusalOffer;
    }
  /** All stop rules, after `hello` and whenever they change. */
  | { readonly type: 'stopRules'; readonly rules: readonly ListedRule[] }
  /** Another view chose a round. */
  | { readonly type: 'select'; readonly session: string; readonly selection: Selection };

/** What would be taken in place of what was refused: ops in order, and what they do, in words. */
export interface RefusalOffer {
  readonly words: string;
  readonly ops: readonly Op[];
}

/**
 * Text of the running reply, not journaled: `text` goes at UTF-16 offset `at` of what has arrived. Each
 * `model.requested`, `model.replied` and `model.failed` empties it, on both sides.
 */
export interface LiveText {
  readonly at: number;
  readonly text: string;
}

export type FromPanel =
  /** `next`: events folded so far, so the seq of the one that is missing. `selection`: the round of it that is shown. */
  | {
      readonly type: 'ready';
      readonly session: string | null;
      readonly next: number;
      readonly selection: Selection;
    }
  | { readonly type: 'fetchPart'; readonly session: string; readonly part: PartId }
  | { readonly type: 'wire'; readonly session: string; readonly request: RequestId; readonly attempt: number }
  /** Looks for a text in all messages; the last one asked for is the one that is answered. */
  | { readonly type: 'find'; readonly session: string; readonly text: string }
  /** What the run would have sent under another budget; null: no longer asked. The last question is answered. */
  | { readonly type: 'whatIf'; readonly session: string; readonly ask: WhatIfAsk | null }
  /** Writes limit and policy into the agent file, as an edit that can be undone. */
  | { readonly type: 'useBudget'; readonly session: string; readonly limit: number; readonly policy: string }
  | { readonly type: 'copy'; readonly session: string; readonly what: CopyTarget }
  | { readonly type: 'op'; readonly session: string; readonly op: Op }
  /** Lets a paused run go on: to the next checkpoint (Step Into), or to the plan of a later round. */
  | { readonly type: 'go'; readonly session: string; readonly round?: number | undefined }
  | { readonly type: 'open'; readonly session: string; readonly what: OpenTarget }
  | { readonly type: 'select'; readonly session: string; readonly selection: Selection }
  /** Adds a stop rule, or removes it. */
  | { readonly type: 'stopRule'; readonly target: StopTarget; readonly on: boolean }
  | { readonly type: 'command'; readonly command: PanelCommand };

/** What a panel can have copied: the readable text of a message, or a request's body word for word. */
export type CopyTarget =
  | { readonly kind: 'part'; readonly part: PartId }
  | { readonly kind: 'body'; readonly request: RequestId; readonly attempt: number };

/** What a panel can have shown in an editor. */
export type OpenTarget =
  /** A request's body, word for word. */
  | { readonly kind: 'body'; readonly request: RequestId; readonly attempt: number }
  /** Where a message came from. */
  | { readonly kind: 'origin'; readonly message: MessageId }
  | { readonly kind: 'journal'; readonly seq: number }
  /** Where a tool is defined. */
  | { readonly kind: 'tool'; readonly name: string }
  /** What a call that waits would change in its file. */
  | { readonly kind: 'change'; readonly call: CallKey }
  /** Edit in Editor on an op's target. */
  | { readonly kind: 'edit'; readonly target: string; readonly scope: Scope };

/** Commands that a panel may start: these and no others. */
export const panelCommands = ['debugAgent', 'chat', 'newAgent', 'showRounds'] as const;
export type PanelCommand = (typeof panelCommands)[number];

/** The events after which the reply that was arriving is over, or another begins. */
export function endsLiveText(event: JournalEvent): boolean {
  return event.type === 'model.requested' || event.type === 'model.replied' || event.type === 'model.failed';
}
