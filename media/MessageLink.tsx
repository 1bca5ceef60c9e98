import type { MessageId } from '../src/core/messages.ts';
import { useReveal } from './reveal.ts';
import { usePanel } from './usePanel.ts';

/** A way from a call to its result and back; the other end shows itself while this one is pointed at. */
export function MessageLink({ id, sign }: { readonly id: MessageId; readonly sign: '→' | '←' }) {
  const { say } = usePanel();
  const reveal = useReveal();
  const mark = (isOn: boolean) => () =>
    document.querySelector(`[data-key="${CSS.escape(id)}"]`)?.classList.toggle('linked', isOn);
  return (
    <button
      type="button"
      class="link"
      title={say('goTo', { id })}
      onClick={() => reveal(id)}
      onPointerEnter={mark(true)}
      onPointerLeave={mark(false)}
      onFocus={mark(true)}
      onBlur={mark(false)}
    >
      {sign} {id}
    </button>
  );
}
