import type { MessageRow as Row } from '../src/core/compareSent.ts';
import { historyPlace } from '../src/core/historyPlace.ts';
import type { HistoryRow } from '../src/core/historyView.ts';
import { bodyOfPart } from '../src/core/messageView.ts';
import { CopyButton } from './CopyButton.tsx';
import { EditedText } from './EditedText.tsx';
import { FateActions, isPaused } from './FateActions.tsx';
import { Icon } from './Icon.tsx';
import { MessageText } from './MessageText.tsx';
import { noteText, rowReason, signs } from './names.ts';
import { SafeText } from './SafeText.tsx';
import { StopHere } from './StopRules.tsx';
import { usePanel } from './usePanel.ts';

interface Props {
  readonly row: Row | HistoryRow;
  /** It is pointed at or has the focus: only then there is something to do with it. */
  readonly isActive: boolean;
}

/** One message of the request: sign, id, role, what it says or how it changed, tokens. */
export function MessageRow({ row, isActive }: Props) {
  const { store, say } = usePanel();
  const { id, change, role, tokens } = row;
  const note = row.edits.at(-1);
  // An edit made before the message entered: against what it would have been.
  const before =
    change === 'edited' || change === 'trimmed' ? row.before : change === 'new' ? note?.before : undefined;
  const reason = rowReason(say, row);
  return (
    <div class={`row ${change}`}>
      <span class="sign" role="img" aria-label={say(`change.${change}`)} title={say(`change.${change}`)}>
        {signs[change]}
      </span>
      <MessageId id={id} />
      <span class="role">
        <span class="badge">{role ?? '?'}</span>
        {row.pinned && <Icon name="pinned" label={say(row.pinned === 'user' ? 'pinned.user' : 'pinned')} />}
      </span>
      <div class="body" key={`${row.part} ${before}`}>
        {before !== undefined && row.part !== undefined && before !== row.part ? (
          <EditedText id={id} before={before} after={row.part} />
        ) : (
          <MessageText id={id} part={row.part} tokens={tokens} isGone={signs[change] === '−'} />
        )}
        {note && <div class="note">{noteText(store.state, say, note)}</div>}
        {change === 'restored' && row.before !== undefined && <div class="note">{say('ownTextAgain')}</div>}
        {'sent' in row && row.sent !== 'whole' && (
          <div class="note">{say(row.sent === 'left' ? 'history.left' : 'history.other')}</div>
        )}
        {reason !== undefined && (
          <div class="reason">
            <SafeText text={reason} />
          </div>
        )}
      </div>
      <span class="tokens">{tokens === undefined ? '' : say.number(tokens)}</span>
      {isActive && <RowActions row={row} />}
    </div>
  );
}

/** The id; where a message stands in a file it opens that place. */
function MessageId({ id }: { readonly id: string }) {
  const { store, say } = usePanel();
  const { session } = store;
  const place = store.state.messages.get(id)?.origin.location;
  if (!session || !place) return <span class="id">{id}</span>;
  const open = () => store.post({ type: 'open', session: session.id, what: { kind: 'origin', message: id } });
  return (
    <button type="button" class="id link" title={say('openOrigin', { id })} onClick={open}>
      {id}
    </button>
  );
}

function RowActions({ row }: { readonly row: Row }) {
  const { store, say } = usePanel();
  const { session } = store;
  const { id, part } = row;
  const seq = store.state.messages.get(id)?.versions.at(-1)?.seq;
  if (!session || seq === undefined) return null;
  const label = say('openJournal', { line: seq + 1 });
  return (
    <span class="actions">
      <FateActions id={id} pinned={row.pinned} isOut={signs[row.change] === '−'} />
      {isPaused(store) && <EditButtons id={id} part={part} isOut={signs[row.change] === '−'} />}
      {part !== undefined && <CopyButton what={{ kind: 'part', part }} />}
      <StopHere target={{ kind: 'message', session: session.id, id }} label={say('rules.message', { id })} />
      <button
        type="button"
        class="icon"
        title={label}
        aria-label={label}
        onClick={() => store.post({ type: 'open', session: session.id, what: { kind: 'journal', seq } })}
      >
        <Icon name="go-to-file" />
      </button>
    </span>
  );
}

interface EditProps {
  readonly id: string;
  readonly part: string | undefined;
  readonly isOut: boolean;
}

/**
 * Edits the text of a message in an editor: for good, or for the request that has not left; one without a text is edited
 * where its calls are.
 */
function EditButtons({ id, part, isOut }: EditProps) {
  const { store } = usePanel();
  const { state } = store;
  const body = bodyOfPart(state, part);
  if (historyPlace(state, id) < 0 || !body?.text) return null;
  const isPlan = state.checkpoint?.kind === 'plan' && !isOut;
  return (
    <>
      <EditButton id={id} scope="history" />
      {isPlan && <EditButton id={id} scope="request" />}
    </>
  );
}

const edits = {
  history: { icon: 'edit', label: 'row.edit' },
  request: { icon: 'edit-session', label: 'row.editRequest' },
} as const;

function EditButton({ id, scope }: { readonly id: string; readonly scope: keyof typeof edits }) {
  const { store, say } = usePanel();
  const session = store.session?.id ?? '';
  const label = say(edits[scope].label, { id });
  const what = { kind: 'edit', target: `${id}/content`, scope } as const;
  return (
    <button
      type="button"
      class="icon"
      title={label}
      aria-label={label}
      onClick={() => store.post({ type: 'open', session, what })}
    >
      <Icon name={edits[scope].icon} />
    </button>
  );
}
