import type { CopyTarget } from '../src/core/protocol.ts';
import { Icon } from './Icon.tsx';
import { usePanel } from './usePanel.ts';

/** Copies the whole text, also of what is here only as a head: the host has it. */
export function CopyButton({ what }: { readonly what: CopyTarget }) {
  const { store, say } = usePanel();
  const { session } = store;
  if (!session) return null;
  return (
    <button
      type="button"
      class="icon"
      title={say('copy')}
      aria-label={say('copy')}
      onClick={() => store.post({ type: 'copy', session: session.id, what })}
    >
      <Icon name="copy" />
    </button>
  );
}
