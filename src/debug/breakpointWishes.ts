/** What clients ask for, by kind of breakpoint: where each is reached, and what it is called. */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { callAt } from '../core/journalState.ts';
import type { Session } from '../session/session.ts';
import { pathMatcher } from '../toolbox/globMatcher.ts';
import type { Wish } from './breakpoint.ts';
import { createLook, type Datum, readDataId } from './dataWatch.ts';
import { exceptionFilters, type FilterId, phaseIds } from './filters.ts';
import { preview } from './node.ts';
import { type CheckpointLines, snapToCheckpoint } from './loopSource.ts';

export interface FilterWish extends Wish {
  readonly id: FilterId;
  /** Its condition, where that is a text and no expression. */
  readonly text?: string | undefined;
}

/** Undefined for a filter that is not there. */
export function filterWish(id: string, condition?: string): FilterWish | undefined {
  const filter = exceptionFilters().find((one) => one.filter === id);
  if (!filter) return undefined;
  const label = isPhase(filter.filter) ? `filter:${id}` : `fault:${id}`;
  const wish = { id: filter.filter, label, name: filter.label };
  if (filter.filter !== 'contextLost') return { ...wish, condition: given(condition) };
  // Its condition is a text, whatever it looks like.
  const text = given(condition);
  const doubt =
    text === undefined ? l10n.t('Give it a condition: the text that the model must see.') : undefined;
  return { ...wish, text, doubt, key: text };
}

export function isPhase(id: FilterId): boolean {
  return (phaseIds as readonly FilterId[]).includes(id);
}

export function functionWish(asked: DebugProtocol.FunctionBreakpoint, tools: readonly string[]): Wish {
  const { name, condition, hitCondition } = asked;
  const isMatch = toolMatcher(name);
  const isThere = tools.some((tool) => isMatch(tool));
  return {
    label: `function:${name}`,
    name: preview(name),
    condition: given(condition),
    hitCondition: given(hitCondition),
    doubt: isThere
      ? undefined
      : l10n.t(
          'No tool of this agent is called {0}. Its tools: {1}.',
          preview(name),
          tools.join(', ') || '–',
        ),
    reached: ({ at, journal }) =>
      at.kind === 'act' && isMatch(callAt(journal.state, at.key ?? '')?.name ?? ''),
  };
}

export function lineWish(
  asked: DebugProtocol.SourceBreakpoint,
  lines: CheckpointLines,
  source: DebugProtocol.Source,
): Wish {
  const { kind, line } = snapToCheckpoint(lines, asked.line);
  return {
    label: `line:${line}`,
    name: l10n.t('line {0}', line),
    condition: given(asked.condition),
    hitCondition: given(asked.hitCondition),
    logMessage: given(asked.logMessage),
    place: { line, source },
    reached: ({ at }) => at.kind === kind,
  };
}

export function dataWish(asked: DebugProtocol.DataBreakpoint, session: Session | undefined): Wish {
  const { condition, hitCondition, accessType = 'write' } = asked;
  const datum = readDataId(asked.dataId);
  const name = preview(datum ? datumName(datum) : asked.dataId);
  const label = `data:${datum?.kind === 'state' ? `state/${name}` : name}`;
  const wish = {
    label,
    name,
    condition: given(condition),
    hitCondition: given(hitCondition),
    key: `${accessType} ${asked.dataId}`,
  };
  const problem = datum ? datumProblem(datum, session) : l10n.t('{0} is nothing that can be watched.', name);
  if (!datum || accessType === 'read' || problem === otherSession()) {
    const reads = l10n.t('It can be stopped when it changes, not when it is read.');
    return { ...wish, doubt: problem ?? reads, reached: () => false };
  }
  // Before the first run there is nothing that could change.
  const now = session && session.state.runs.length > 0 ? session.state : undefined;
  let look = createLook(datum, accessType, now);
  let why: string | undefined;
  return {
    ...wish,
    doubt: problem,
    reached: ({ journal, since }) => (why = look(journal.state, since)) !== undefined,
    recorded() {
      const lookBack = createLook(datum, accessType);
      return ({ journal, since }) => lookBack(journal.state, since) !== undefined;
    },
    why: () => why,
    begin(id) {
      look = createLook(datum, accessType);
      return datum.kind === 'message' && datum.session !== id ? otherSession() : undefined;
    },
  };
}

/** As Variables calls it. */
export function datumName(datum: Datum): string {
  return datum.kind === 'state' ? datum.key : datum.id;
}

function datumProblem(datum: Datum, session: Session | undefined): string | undefined {
  if (datum.kind === 'state') return undefined;
  if (session?.id !== datum.session) return otherSession();
  const isKnown = Number(datum.id.slice(1)) <= session.state.highest.message;
  return isKnown ? undefined : l10n.t('There is no message {0} in this session.', datum.id);
}

function otherSession(): string {
  return l10n.t('This message belongs to another session.');
}

/** A text that says something; blank is as good as none. */
function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** A tool's name, or a glob of names; a glob that does not parse matches nothing. */
function toolMatcher(pattern: string): (name: string) => boolean {
  try {
    return pathMatcher(pattern);
  } catch {
    return (name) => name === pattern;
  }
}
