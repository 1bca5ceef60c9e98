/**
 * A session: one conversation. All state of an agent is in here, in the fold of its journal; the agent
 * itself holds none, so that two sessions can never share a message.
 */
import type { AgentConfig, Todo } from '../core/config.ts';
import { type JournalState, textOf } from '../core/journalState.ts';
import type { MessageId, Origin } from '../core/messages.ts';
import { isRecord, parseJson, parseMessage } from '../core/parseMessage.ts';
import { serialise } from '../core/serialise.ts';
import type { WorkingState } from '../core/ports.ts';
import type { Journal } from './journal.ts';
import { type Repaired, repairSession } from './repairSession.ts';

/** A system message of its own, behind the system prompt. */
export interface Background {
  readonly content: string;
  readonly origin: Origin;
}

export interface Session {
  readonly id: string;
  readonly journal: Journal;
  readonly state: JournalState;
  readonly working: WorkingState;
  /** What had to be put right in the journal that it was opened on. */
  readonly repaired: Repaired;
  /**
   * Begins a run: journals its configuration, the system prompt as it is now, and the goal. `background` (what is
   * remembered of earlier sessions) is told once, at the beginning of the history.
   */
  begin(goal: string, config: AgentConfig, systemOrigin: Origin, background?: Background): void;
  /** Goes on with the last run for so many more rounds: the same goal, nothing new in the history. */
  goOn(more: number, config: AgentConfig, systemOrigin: Origin): void;
}

/** Opens a session on a journal: a new one when the journal is empty, else the one that it holds. */
export function openSession(
  journal: Journal,
  opened: { readonly id: string; readonly agent: string },
): Session {
  if (journal.events.length === 0) {
    journal.append({ type: 'session.opened', v: 1, session: opened.id, kind: 'launch', agent: opened.agent });
  }
  const { state } = journal;
  const repaired = repairSession(journal);
  return {
    id: state.opened?.session ?? opened.id,
    journal,
    state,
    working: createWorkingState(journal),
    repaired,
    begin: (goal, config, systemOrigin, background) => begin(journal, goal, config, systemOrigin, background),
    goOn: (more, config, systemOrigin) => goOn(journal, more, config, systemOrigin),
  };
}

function begin(
  journal: Journal,
  goal: string,
  config: AgentConfig,
  systemOrigin: Origin,
  background: Background | undefined,
): void {
  const first = journal.state.runs.length === 0;
  const isNew = journal.state.history.length === 0;
  const prompt = systemMessage(journal, config.system_prompt, systemOrigin);
  const system = isNew && background ? [...prompt, systemEntry(journal, background)] : prompt;
  const goalId = journal.nextMessage();
  const run = (journal.state.runs.at(-1)?.run ?? 0) + 1;
  journal.append({ type: 'run.started', run, goal: goalId, config: journal.part(serialise(config)) });
  const goalPart = journal.part(serialise({ role: 'user', content: goal }));
  journal.append({
    type: 'history.appended',
    messages: [...system, { id: goalId, role: 'user', part: goalPart, origin: { kind: 'user' } }],
  });
  if (first && config.todos.length > 0) {
    journal.append({
      type: 'state.changed',
      key: 'todos',
      after: journal.part(serialise(startingTodos(config))),
    });
  }
}

function goOn(journal: Journal, more: number, config: AgentConfig, systemOrigin: Origin): void {
  const last = journal.state.runs.at(-1);
  if (!last) return;
  // The history has begun: a prompt that changed is edited there, nothing is appended.
  systemMessage(journal, config.system_prompt, systemOrigin);
  const { run, goal } = last;
  journal.append({ type: 'run.started', run, more, goal, config: journal.part(serialise(config)) });
}

/** The system message to append, none when there is one; a prompt that changed since is an edit by the config. */
function systemMessage(journal: Journal, prompt: string, origin: Origin) {
  const { state } = journal;
  const { redactor } = journal;
  const text = redactor.clean(serialise({ role: 'system', content: prompt })).text;
  const known = state.history.find((id) => {
    const message = state.messages.get(id);
    return message?.role === 'system' && message.origin.kind !== 'memory';
  });
  if (known === undefined) {
    if (state.history.length > 0 || prompt === '') return [];
    return [systemEntry(journal, { content: prompt, origin })];
  }
  const before = textOf(state, known);
  if (before !== undefined && before !== text && configuredPrompt(journal) !== prompt) {
    const edit = {
      op: 'set',
      target: known,
      before: journal.part(before),
      after: journal.part(text),
    } as const;
    journal.append({ type: 'edited', ...edit, scope: 'history', by: 'config' });
  }
  return [];
}

function systemEntry(journal: Journal, { content, origin }: Background) {
  const part = journal.part(serialise({ role: 'system', content }));
  return { id: journal.nextMessage(), role: 'system' as const, part, origin };
}

/** The prompt that the last run was configured with: what the user edited since stays edited. */
function configuredPrompt({ state, redactor }: Journal): unknown {
  const text = state.parts.get(state.runs.at(-1)?.config ?? '') ?? '';
  const config = parseJson(redactor.reveal(text));
  return isRecord(config) ? config['system_prompt'] : undefined;
}

function startingTodos(config: AgentConfig): Todo[] {
  return config.todos.map((todo, index) => ({ id: index + 1, done: false, ...todo }));
}

function createWorkingState(journal: Journal): WorkingState {
  return {
    get(key) {
      const part = journal.state.working.get(key);
      const text = part === undefined ? undefined : journal.state.parts.get(part);
      return text === undefined ? undefined : parseJson(journal.redactor.reveal(text));
    },
    set(key, value) {
      journal.append({ type: 'state.changed', key, after: journal.part(serialise(value)) });
    },
  };
}

/** The session's messages in wire form, in order. */
export function historyMessages(state: JournalState): { readonly id: MessageId; readonly text: string }[] {
  return state.history.flatMap((id) => {
    const text = textOf(state, id);
    return text === undefined || !parseMessage(text) ? [] : [{ id, text }];
  });
}
