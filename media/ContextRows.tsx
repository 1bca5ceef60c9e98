import type { RefObject } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { ContextRow, ContextView } from '../src/core/contextView.ts';
import type { LeaveReason } from '../src/core/decisions.ts';
import type { JournalState } from '../src/core/journalState.ts';
import type { RoundRef } from '../src/core/protocol.ts';
import { isOut } from '../src/core/sentList.ts';
import { FateActions } from './FateActions.tsx';
import { Icon } from './Icon.tsx';
import type { NextToLeave } from '../src/core/nextToLeave.ts';
import { roundName, shortIds } from './names.ts';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';
import { VirtualList } from './VirtualList.tsx';

/** What stands in the list: a message, the line from which on all are sent, or what leaves next, below it. */
type Line = ContextRow | 'sentFrom' | NextToLeave;

/** One bar per message of the history, in order: tokens, fate, and the arithmetic of what left. */
export function ContextRows({ view }: { readonly view: ContextView }) {
  const { say } = usePanel();
  const scroll: RefObject<HTMLDivElement> = useRef(null);
  const { rows, next } = view;
  const largest = useMemo(() => rows.reduce((most, row) => Math.max(most, row.tokens ?? 0), 1), [rows]);
  const lines = useMemo(() => linesOf(view), [view]);
  return (
    <section class="panel-section" aria-label={say('context.messages')}>
      <div class="section-head">
        <h2>{say('context.messages')}</h2>
      </div>
      <div class="context-rows" ref={scroll}>
        <VirtualList
          items={lines}
          keyOf={(line) => (line === 'sentFrom' ? line : 'id' in line ? line.id : 'next')}
          scroll={scroll}
          label={say('context.messages')}
          render={(line, isActive) =>
            line === 'sentFrom' ? (
              <SentFrom />
            ) : 'id' in line ? (
              <Row
                row={line}
                largest={largest}
                leavesNext={next?.ids.includes(line.id) === true}
                isActive={isActive}
                round={view}
              />
            ) : (
              <Next next={line} />
            )
          }
        />
      </div>
    </section>
  );
}

function linesOf({ rows, sentFrom, next }: ContextView): readonly Line[] {
  const nextAfter = next?.ids.at(-1);
  const lines = rows.flatMap((row, index): readonly Line[] => [
    ...(index === sentFrom ? (['sentFrom'] as const) : []),
    row,
    ...(next && row.id === nextAfter ? [next] : []),
  ]);
  return sentFrom === rows.length ? [...lines, 'sentFrom'] : lines;
}

function Next({ next }: { readonly next: NextToLeave }) {
  const { say } = usePanel();
  const { ids, fate, more, unit } = next;
  return (
    <div class="next-to-leave muted">
      {say(`next.${unit}`, { ids: shortIds(ids), fate: say(`change.${fate}`), n: more })}
    </div>
  );
}

function SentFrom() {
  const { say } = usePanel();
  return (
    <div class="sent-from">
      <span>{say('context.sentFrom')}</span>
    </div>
  );
}

const fateIcons = { kept: 'check', trimmed: 'fold', dropped: 'remove', folded: 'fold-down' } as const;

interface RowProps {
  readonly row: ContextRow;
  readonly largest: number;
  readonly leavesNext: boolean;
  readonly isActive: boolean;
  /** The round that is shown: a message is as old as the rounds since it entered. */
  readonly round: RoundRef;
}

function Row({ row, largest, leavesNext, isActive, round }: RowProps) {
  const { store, say } = usePanel();
  const { id, role, fate, tokens, pinned, reason } = row;
  const rounds = ageOf(store.state, id, round);
  const age = rounds === 0 ? say('age.none') : say.count('age', rounds);
  return (
    <div class={`context-row ${fate}`}>
      <Icon name={leavesNext ? 'arrow-down' : fateIcons[fate]} label={say(`change.${fate}`)} />
      <span class="id" title={`${role} · ${age}`}>
        {id}
      </span>
      <span class="sr-only">
        {role}, {age}
      </span>
      <span class="track" aria-hidden="true">
        <span
          class={`fill ${role === 'tool' ? 'results' : role}`}
          style={{ width: `${((tokens ?? 0) / largest) * 100}%` }}
        />
      </span>
      <span class="age" title={age} aria-hidden="true">
        {rounds === 0 ? '' : say.count('rounds', rounds)}
      </span>
      <span class="tokens">{tokens === undefined ? say('unknownTokens') : say.number(tokens)}</span>
      <span class="pin">
        {pinned && <Icon name="pinned" label={say(pinned === 'user' ? 'pinned.user' : 'pinned')} />}
      </span>
      {isActive && (
        <span class="fate-actions">
          <FateActions id={id} pinned={pinned} isOut={isOut(fate)} />
        </span>
      )}
      {reason && <Reason reason={reason} {...(row.into === undefined ? {} : { into: row.into })} />}
    </div>
  );
}

/** Rounds since a message entered, runs before this one included. */
function ageOf({ messages, runs }: JournalState, id: string, { run, round }: RoundRef): number {
  const entered = messages.get(id);
  if (!entered) return 0;
  // What was there before the first round is as old as that.
  const since = Math.max(1, entered.round);
  if (entered.run === run) return round - since;
  const between = runs.filter((one) => one.run >= entered.run && one.run < run);
  return round + between.reduce((sum, one) => sum + one.rounds.length, 0) - since;
}

function Reason({ reason, into }: { readonly reason: LeaveReason; readonly into?: string }) {
  const { store, say } = usePanel();
  const { ids, rule, need, room, limit } = reason;
  const names = ids.join(' + ');
  const sum =
    need === undefined || room === undefined || limit === undefined
      ? say('context.ids', { ids: names })
      : say(ids.length === 1 ? 'context.need.one' : 'context.need.other', { ids: names, need, room, limit });
  const round = roundName(store.state, say, reason);
  return (
    <span class="why">
      <SafeText text={into === undefined ? sum : `${sum} · ${say('reason.into', { id: into })}`} />
      <br />
      <SafeText
        text={rule === 'user' ? say('context.byYou', { round }) : say('context.rule', { rule, round })}
      />
    </span>
  );
}
