import type { MessageId } from '../src/core/messages.ts';
import { useReveal } from './reveal.ts';
import { usePanel } from './usePanel.ts';

/** A way from a call to its result and back. */
export function MessageLink({ id, sign }: { readonly id: MessageId; readonly sign: '→' | '←' }) {
  const { say } = usePanel();
  const reveal = useReveal();
  return (
    <button type="button" class="link" title={say('goTo', { id })} onClick={() => reveal(id)}>
      {sign} {id}
    </button>
  );
}
