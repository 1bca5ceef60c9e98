import type { PanelWord } from '../src/core/panelWords.ts';
import { usePanel } from './usePanel.ts';

/** No session: how to get one. A session that is gone: which ones are there. */
export function Empty({ hint }: { readonly hint: PanelWord }) {
  const { store, say } = usePanel();
  return (
    <main class="empty">
      <h1>{say(store.gone ? 'empty.gone' : 'empty.none')}</h1>
      <p class="muted">{say(hint)}</p>
      <button
        type="button"
        class="primary"
        onClick={() => store.post({ type: 'command', command: 'debugAgent' })}
      >
        {say('empty.debug')}
      </button>
      {store.sessions.length > 0 && (
        <>
          <p class="muted">{say('empty.choose')}</p>
          <ul class="choices">
            {store.sessions.map((session) => (
              <li key={session.id}>
                <button type="button" class="link" onClick={() => store.choose(session.id)}>
                  {session.title}
                </button>{' '}
                <span class="muted">
                  {session.agent} · {session.model}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </main>
  );
}
