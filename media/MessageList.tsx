import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { KeptRow, MessageRow as Row, RoundRow } from '../src/core/compareSent.ts';
import type { MessageId } from '../src/core/messages.ts';
import { Icon } from './Icon.tsx';
import { MessageRow } from './MessageRow.tsx';
import { RevealContext } from './reveal.ts';
import { usePanel } from './usePanel.ts';
import { VirtualList } from './VirtualList.tsx';

/** Names of a folded group that are written out; more are counted. */
const mostNames = 4;

/** What stands in the list: a message, or the line of a group that opens and closes. */
type Line = Row | { readonly kind: 'group'; readonly group: KeptRow; readonly isOpen: boolean };

interface Props {
  readonly rows: readonly RoundRow[];
  readonly scroll: RefObject<HTMLElement>;
}

/** The messages of a request. What did not change is folded together and opens by its first message's id. */
export function MessageList({ rows, scroll }: Props) {
  const { store, say } = usePanel();
  const [open, setOpen] = useState<ReadonlySet<MessageId>>(() => openGroups(store.opened));
  const { wanted } = store;
  const setWanted = (id: MessageId | undefined) => store.want(id);
  const lines = useMemo(() => linesOf(rows, open), [rows, open]);
  const toggle = (id: MessageId, isOpen: boolean) => {
    store.unfold(`${groupPrefix}${id}`, isOpen ? 1 : 0);
    setOpen(openGroups(store.opened));
  };
  // What is wanted may be folded: its group opens first, then it is there to be shown.
  useEffect(() => {
    if (wanted === undefined) return;
    const group = rows.find((row) => row.kind === 'kept' && row.rows.some((one) => one.id === wanted));
    if (group?.kind === 'kept') toggle(keyOf(group), true);
  }, [wanted, rows]);
  const at =
    wanted === undefined ? -1 : lines.findIndex((line) => line.kind === 'message' && line.id === wanted);
  return (
    <RevealContext.Provider value={setWanted}>
      <VirtualList
        items={lines}
        keyOf={(line) => (line.kind === 'group' ? `kept ${keyOf(line.group)}` : line.id)}
        scroll={scroll}
        label={say('messages.label')}
        wanted={at < 0 ? undefined : at}
        onRevealed={() => setWanted(undefined)}
        onEnter={(line) => line.kind === 'group' && toggle(keyOf(line.group), !line.isOpen)}
        render={(line, isActive) =>
          line.kind === 'group' ? (
            <KeptGroup {...line} onToggle={(isOpen) => toggle(keyOf(line.group), isOpen)} />
          ) : (
            <MessageRow row={line} isActive={isActive} />
          )
        }
      />
    </RevealContext.Provider>
  );
}

function linesOf(rows: readonly RoundRow[], open: ReadonlySet<MessageId>): Line[] {
  return rows.flatMap((row): readonly Line[] => {
    if (row.kind === 'message') return [row];
    const isOpen = open.has(keyOf(row));
    return [{ kind: 'group', group: row, isOpen }, ...(isOpen ? row.rows : [])];
  });
}

const groupPrefix = 'group ';

function openGroups(opened: ReadonlyMap<string, number>): ReadonlySet<MessageId> {
  const groups = [...opened.keys()].filter((key) => key.startsWith(groupPrefix));
  return new Set(groups.map((key) => key.slice(groupPrefix.length)));
}

function keyOf(group: KeptRow): MessageId {
  return group.first;
}

interface GroupProps {
  readonly group: KeptRow;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

function KeptGroup({ group, isOpen, onToggle }: GroupProps) {
  const { store, say } = usePanel();
  const { count, tokens } = group;
  const nameOf = (id: MessageId) => `${id} ${store.state.messages.get(id)?.role ?? ''}`;
  const shown =
    count <= mostNames
      ? group.rows.map(({ id }) => nameOf(id)).join(', ')
      : `${nameOf(group.first)} … ${nameOf(group.last)} (${say.number(count)})`;
  return (
    <div class="kept-row">
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span>{say('keptRow', { names: shown })}</span>
        {group.pinned && <Icon name="pinned" label={say('pinned')} />}
        {tokens !== undefined && <span>· {say.count('tokens', tokens)}</span>}
      </button>
    </div>
  );
}
