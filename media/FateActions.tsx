import { currentRound } from '../src/core/journalState.ts';
import type { MessageId } from '../src/core/messages.ts';
import type { Op } from '../src/core/ops.ts';
import type { PanelWord } from '../src/core/panelWords.ts';
import { Icon } from './Icon.tsx';
import { type Panel, usePanel } from './usePanel.ts';

interface Props {
  readonly id: MessageId;
  readonly pinned?: 'rule' | 'user' | undefined;
  /** It is not in the request. */
  readonly isOut: boolean;
}

/**
 * What can be decided about a message at a pause: pinned for good; left out of the request that has not left, or sent
 * all the same. The ops are the debugger's: whether one is taken is for it to say.
 */
export function FateActions({ id, pinned, isOut }: Props) {
  const { store } = usePanel();
  const { messages, checkpoint } = store.state;
  // A message of a reply that is about to enter has no fate yet, and the past is over.
  if (!isPaused(store) || !messages.has(id) || pinned === 'rule') return null;
  return (
    <>
      <OpButton
        id={id}
        kind={pinned ? 'unpin' : 'pin'}
        icon={pinned ? 'pinned' : 'pin'}
        label={pinned ? 'row.unpin' : 'row.pin'}
      />
      {checkpoint?.kind === 'plan' && (
        <OpButton
          id={id}
          kind={isOut ? 'restore' : 'drop'}
          icon={isOut ? 'discard' : 'remove'}
          label={isOut ? 'row.restore' : 'row.drop'}
        />
      )}
    </>
  );
}

interface ButtonProps {
  readonly id: MessageId;
  readonly kind: Extract<Op, { readonly target: MessageId }>['kind'] & ('pin' | 'unpin' | 'drop' | 'restore');
  readonly icon: string;
  readonly label: PanelWord;
}

function OpButton({ id, kind, icon, label }: ButtonProps) {
  const { store, say } = usePanel();
  const session = store.session?.id ?? '';
  const words = say(label, { id });
  return (
    <button
      type="button"
      class="icon"
      title={words}
      aria-label={words}
      onClick={() => store.post({ type: 'op', session, op: { kind, target: id } })}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A live session stands, and it is the present that is looked at: ops can be said. */
export function isPaused({ session, before, state }: Panel['store']): boolean {
  return session?.live === true && before === null && state.paused !== undefined && !!currentRound(state);
}
