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
          <SafeText text={say('refused', { reason: store.refused })} />
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
