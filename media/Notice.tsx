import type { RefusalOffer } from '../src/core/protocol.ts';
import { Icon } from './Icon.tsx';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

/** Why the last edit was not taken. */
export function Notice() {
  const { store, say } = usePanel();
  return (
    <div role="alert">
      {store.refused !== undefined && (
        <div class="notice">
          <Icon name="error" />
          <SafeText text={say('refused', { reason: store.refused.reason })} />
          {store.refused.offer && <Offer offer={store.refused.offer} />}
          <button
            type="button"
            class="icon"
            aria-label={say('dismiss')}
            title={say('dismiss')}
            onClick={() => store.dismiss()}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

/** What would be taken instead. */
function Offer({ offer: { words, ops } }: { readonly offer: RefusalOffer }) {
  const { store, say } = usePanel();
  const session = store.session?.id ?? '';
  const take = () => ops.forEach((op) => store.post({ type: 'op', session, op }));
  return (
    <button type="button" class="secondary" onClick={take}>
      <SafeText text={say('refused.offer', { what: words })} />
    </button>
  );
}
