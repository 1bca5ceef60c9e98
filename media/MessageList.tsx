import { useEffect, useState } from 'preact/hooks';
import type { MessageId } from '../src/core/messages.ts';
import type { KeptRow, RoundRow } from '../src/core/roundView.ts';
import { Icon } from './Icon.tsx';
import { MessageRow } from './MessageRow.tsx';
import { RevealContext, rowElementId } from './reveal.ts';
import { usePanel } from './usePanel.ts';

/** Names of a folded group that are written out; more are counted. */
const mostNames = 4;

/** The messages of a request. What did not change is folded together and opens by its first message's id. */
export function MessageList({ rows }: { readonly rows: readonly RoundRow[] }) {
  const { say } = usePanel();
  const [open, setOpen] = useState<ReadonlySet<MessageId>>(new Set());
  const [wanted, setWanted] = useState<MessageId>();
  useEffect(() => {
    if (wanted === undefined) return;
    const element = document.getElementById(rowElementId(wanted));
    element?.scrollIntoView({ block: 'nearest' });
    element?.focus();
    setWanted(undefined);
  }, [wanted]);
  const toggle = (id: MessageId, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
  };
  const reveal = (id: MessageId) => {
    const group = rows.find((row) => row.kind === 'kept' && row.rows.some((one) => one.id === id));
    if (group?.kind === 'kept') toggle(keyOf(group), true);
    setWanted(id);
  };
  return (
    <RevealContext.Provider value={reveal}>
      <div role="list" aria-label={say('messages.label')} class="messages">
        {rows.map((row) =>
          row.kind === 'kept' ? (
            <KeptGroup
              key={`kept ${keyOf(row)}`}
              group={row}
              isOpen={open.has(keyOf(row))}
              onToggle={(isOpen) => toggle(keyOf(row), isOpen)}
            />
          ) : (
            <MessageRow key={row.id} row={row} />
          ),
        )}
      </div>
    </RevealContext.Provider>
  );
}

function keyOf(group: KeptRow): MessageId {
  return group.rows[0]?.id ?? '';
}

interface GroupProps {
  readonly group: KeptRow;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

function KeptGroup({ group, isOpen, onToggle }: GroupProps) {
  const { say } = usePanel();
  const { rows, tokens } = group;
  const names = rows.map((row) => `${row.id} ${row.role ?? ''}`);
  const shown =
    names.length <= mostNames
      ? names.join(', ')
      : `${names[0]} … ${names.at(-1)} (${say.number(names.length)})`;
  return (
    <>
      <div role="listitem" class="kept-row">
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <span>{say('keptRow', { names: shown })}</span>
          {rows.some((row) => row.pinned) && <Icon name="pinned" label={say('pinned')} />}
          {tokens !== undefined && <span>· {say.count('tokens', tokens)}</span>}
        </button>
      </div>
      {isOpen && rows.map((row) => <MessageRow key={row.id} row={row} />)}
    </>
  );
}
