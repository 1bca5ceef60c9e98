import { useEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from './usePanel.ts';

interface Props {
  readonly onReject: (reason: string) => void;
  readonly onCancel: () => void;
}

/** Asks for the reason that the model will read. Enter rejects, Escape takes it back. */
export function RejectForm({ onReject, onCancel }: Props) {
  const { say } = usePanel();
  const [reason, setReason] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      class="card-actions"
      onSubmit={(event) => {
        event.preventDefault();
        onReject(reason.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <input
        ref={input}
        type="text"
        class="reason-input"
        aria-label={say('card.reason')}
        placeholder={say('card.reason')}
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        {say('card.rejectNow')}
      </button>
      <button type="button" class="secondary" onClick={onCancel}>
        {say('card.cancel')}
      </button>
    </form>
  );
}
