/** One breakpoint of any kind: its condition, its count of hits, its log message, and what is wrong with it. */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { JournalEvent } from '../core/events.ts';
import type { Checkpoint } from '../runner/gate.ts';
import type { Journal } from '../session/journal.ts';
import { hitRule } from './hitCondition.ts';
import { loggedText, type Piece, readLogMessage } from './logMessage.ts';
import { preview } from './node.ts';
import type { Evaluated } from './sandbox.ts';

export interface BreakpointPorts {
  /** Must not reject. */
  readonly evaluate: (expression: string, moment: Moment) => Promise<Evaluated>;
  /** Why an expression does not compile; undefined when it does. Must not reject. */
  readonly compile: (expression: string) => Promise<string | undefined>;
  /** What a breakpoint has to say at a checkpoint: its log message, or `log(…)` in its condition. */
  readonly log: (text: string, label: string, moment: Moment) => void;
  /** What does not work in a breakpoint, in words for people; once for each. */
  readonly onBroken: (words: string) => void;
  /** What a client was told of a breakpoint is no longer so. */
  readonly onChanged: (breakpoint: DebugProtocol.Breakpoint) => void;
}

/** Where the run stands: the checkpoint, the journal, what happened since the checkpoint before. */
export interface Moment {
  readonly at: Checkpoint;
  readonly journal: Journal;
  readonly since: readonly JournalEvent[];
}

/** What a client asks for. */
export interface Wish {
  /** What the journal calls it: `filter:act`, `fault:limit`, `function:add_*`, `line:15`, `data:m3`. */
  readonly label: string;
  /** As people know it: a check box, a tool's name, a line. */
  readonly name: string;
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
  /** Why it may never be reached; it stays armed all the same. */
  readonly doubt?: string | undefined;
  /** What else makes it another one than before. */
  readonly key?: string | undefined;
  /** Where it really stands. */
  readonly place?: Pick<DebugProtocol.Breakpoint, 'line' | 'source'>;
  /** Asked at every checkpoint, in order. */
  readonly reached?: (moment: Moment) => boolean;
  /** The same for checkpoints on record, where being reached depends on what was asked before. */
  readonly recorded?: () => (moment: Moment) => boolean;
  /** A new session begins: why it can never be reached in it, or nothing. */
  readonly begin?: (session: string) => string | undefined;
  /** Why it was reached, where its name does not say it. */
  readonly why?: () => string | undefined;
}

export interface Breakpoint {
  readonly id: number;
  readonly label: string;
  /** Why the run stops at it, in a few words. */
  why(): string;
  /** For the client, as soon as it is known. Never rejects. */
  verdict(): Promise<DebugProtocol.Breakpoint>;
  /** Whether the run stops at it here; counts, and logs. Never rejects. */
  stops(moment: Moment): Promise<boolean>;
  /**
   * Whether a run would stop at it at checkpoints that are on record, asked in their order: nothing counts, is logged or
   * told. `hits`: what the run was paused for there. Never rejects.
   */
  recorded(): (moment: Moment, hits: readonly string[]) => Promise<boolean>;
  /** A new session begins: counts from the beginning. */
  begin(session: string): void;
}

export function createBreakpoint(id: number, wish: Wish, ports: BreakpointPorts): Breakpoint {
  const { label, name, condition, doubt, place = {}, reached = () => true } = wish;
  const isHit = wish.hitCondition === undefined ? () => true : hitRule(wish.hitCondition);
  let message: readonly Piece[] | undefined;
  let count = 0;
  /** Why it can't work, whatever happens. */
  let problem: string | undefined;
  /** What went wrong when it was last tried; it may work later. */
  let broken: { readonly expression: string; readonly words: string } | undefined;
  let isTold = false;

  const tellCondition = (why: string) =>
    tell(l10n.t('The condition of {0} does not work and does not stop: {1}', name, why));
  const tellMessage = (why: string) => tell(l10n.t('The log message of {0} does not work: {1}', name, why));
  const tell = (words: string) => {
    if (!isTold) ports.onBroken(words);
    isTold = true;
  };

  const check = async (): Promise<void> => {
    if (!isHit) problem = hitConditionHelp(wish.hitCondition ?? '');
    const why = condition === undefined ? undefined : await ports.compile(condition);
    if (why !== undefined) {
      problem = l10n.t('The condition does not compile: {0}', why);
      tellCondition(why);
    }
    const read =
      wish.logMessage === undefined ? undefined : await readLogMessage(wish.logMessage, ports.compile);
    if (read?.ok) message = read.pieces;
    if (!read || read.ok) return;
    problem = l10n.t('The log message does not compile: {0}', read.message);
    tellMessage(read.message);
  };
  const checked = check();

  const told = (): DebugProtocol.Breakpoint => {
    const words = doubt ?? problem ?? broken?.words;
    return {
      id,
      ...place,
      verified: words === undefined,
      ...(words === undefined ? {} : { message: words }),
    };
  };

  /** Tells of a failure once, and when it turns out to work after all. */
  const evaluate = async (expression: string, moment: Moment, tellOf: (why: string) => void) => {
    const result = await ports.evaluate(expression, moment);
    for (const text of result.logs) ports.log(text, label, moment);
    const before = broken;
    if (result.ok && broken?.expression === expression) broken = undefined;
    if (!result.ok && !isTold)
      broken = { expression, words: l10n.t('It does not work: {0}', result.message) };
    if (!result.ok) tellOf(result.message);
    if (broken !== before) ports.onChanged(told());
    return result;
  };

  const holds = async (moment: Moment): Promise<boolean> => {
    if (condition === undefined) return true;
    const result = await evaluate(condition, moment, tellCondition);
    return result.ok && result.truthy;
  };

  const write = async (pieces: readonly Piece[], moment: Moment): Promise<void> => {
    let text = '';
    for (const piece of pieces) {
      if ('text' in piece) text += piece.text;
      else {
        const result = await evaluate(piece.expression, moment, tellMessage);
        text += result.ok ? loggedText(result.value) : `{${result.message}}`;
      }
    }
    ports.log(text, label, moment);
  };

  return {
    id,
    label,
    why() {
      const words = wish.why?.() ?? name;
      return wish.hitCondition === undefined ? words : l10n.t('{0}, hit {1}', words, count);
    },
    async verdict() {
      await checked;
      return told();
    },
    async stops(moment) {
      // Asked at once: what it looks at may be another thing after a wait.
      if (!reached(moment)) return false;
      await checked;
      if (problem !== undefined || !(await holds(moment))) return false;
      count++;
      if (!isHit?.(count)) return false;
      if (!message) return true;
      await write(message, moment);
      return false;
    },
    recorded() {
      const reachedThen = wish.recorded?.() ?? reached;
      return async (moment, hits) => {
        if (!reachedThen(moment)) return false;
        await checked;
        if (problem !== undefined || message) return false;
        // How often it had been hit by then is not known: it stops where it has stopped.
        if (wish.hitCondition !== undefined) return hits.includes(label);
        if (condition === undefined) return true;
        const result = await ports.evaluate(condition, moment);
        return result.ok && result.truthy;
      };
    },
    begin(session) {
      count = 0;
      const why = wish.begin?.(session);
      if (why === undefined || problem !== undefined) return;
      problem = why;
      ports.onChanged(told());
    },
  };
}

function hitConditionHelp(text: string): string {
  return l10n.t(
    '{0} is no hit count. Write 5 (the fifth time), >= 3, > 3, < 3, <= 3 or % 2.',
    preview(JSON.stringify(text)),
  );
}
