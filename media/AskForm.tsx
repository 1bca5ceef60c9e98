import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from './usePanel.ts';

interface Props {
  /** What is asked for. */
  readonly label: string;
  /** What the answer does, on its button. */
  readonly act: string;
  readonly onAnswer: (text: string) => void;
  readonly onCancel: () => void;
}

/** Asks for one line that the model will read. Enter gives it, Escape takes it back. */
export function AskForm({ label, act, onAnswer, onCancel }: Props) {
  const { say } = usePanel();
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  // Before the next key: an effect after the paint would lose what is typed until then.
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <form
      class="card-actions"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(text.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <input
        ref={input}
        type="text"
        class="reason-input"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        {act}
      </button>
      <button type="button" class="secondary" onClick={onCancel}>
        {say('card.cancel')}
      </button>
    </form>
  );
}
