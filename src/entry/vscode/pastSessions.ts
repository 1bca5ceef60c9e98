/** Sessions of earlier windows, as their journals on disk tell of them: they can be read, not changed. */
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { JournalEvent } from '../../core/events.ts';
import { foldAll } from '../../core/fold.ts';
import { type JournalState, textOf } from '../../core/journalState.ts';
import { contentText, type Effects } from '../../core/messages.ts';
import { refuse } from '../../core/refusal.ts';
import { isRecord, parseJson, parseMessage } from '../../core/parseMessage.ts';
import { readJournalText } from '../../session/journalText.ts';
import type { PanelSession } from './panelChannel.ts';

export interface PastSessions {
  readonly read: readonly { readonly session: PanelSession; readonly file: string }[];
  readonly unread: readonly UnreadJournal[];
}

export interface UnreadJournal {
  readonly file: string;
  /** With the line, for people. */
  readonly why: string;
}

/** Reads every journal of a folder. Never rejects: a file that can not be read costs the others nothing. */
export async function readPastSessions(folder: string): Promise<PastSessions> {
  const read: { session: PanelSession; file: string }[] = [];
  const unread: UnreadJournal[] = [];
  for (const file of await journalFiles(folder)) {
    const past = await readPast(file);
    if ('why' in past) unread.push(past);
    else if (past.session) read.push({ session: past.session, file });
  }
  return { read, unread };
}

/** A session of an earlier window: it can be read, not changed. */
export function createPastSession(id: string, events: readonly JournalEvent[]): PanelSession {
  const state = foldAll(events);
  const nothing = { dispose: () => undefined };
  const effects: Record<string, Effects> = {};
  for (const event of events) if (event.type === 'call.started') effects[event.name] = event.effects;
  return {
    id,
    title: titleOf(state),
    agent: state.opened?.agent ?? '',
    model: modelOf(state),
    effects,
    live: false,
    events,
    liveText: '',
    before: undefined,
    state,
    onEvents: () => nothing,
    onLiveText: () => nothing,
    apply: async () => refuse('This session is not running.'),
  };
}

/** What a session is called: its last goal. */
export function titleOf(state: JournalState): string {
  const goal = state.runs.at(-1)?.goal;
  const message = goal === undefined ? undefined : parseMessage(textOf(state, goal) ?? '');
  return message ? contentText(message).slice(0, 200) : (state.opened?.agent ?? '');
}

function modelOf(state: JournalState): string {
  const config = parseJson(state.parts.get(state.runs.at(-1)?.config ?? '') ?? '');
  const name = isRecord(config) ? config['model_name'] : undefined;
  return typeof name === 'string' ? name : '';
}

async function journalFiles(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(folder, name));
}

/** One file; an empty one is a session that has not begun. */
async function readPast(file: string): Promise<{ readonly session?: PanelSession } | UnreadJournal> {
  try {
    const read = readJournalText(await fs.readFile(file, 'utf8'));
    if (!read.ok) return { file, why: `${file}:${read.line}: ${read.message}` };
    const [first] = read.events;
    if (first?.type !== 'session.opened') return {};
    return { session: createPastSession(first.session, read.events) };
  } catch (error) {
    return { file, why: `${file}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
