import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RoundState } from '../src/core/journalState.ts';
import type { WireView } from '../src/core/wireView.ts';
import { CopyButton } from './CopyButton.tsx';
import { Icon } from './Icon.tsx';
import { LongText } from './LongText.tsx';
import { wireKey } from './panelKnown.ts';
import { SafeText } from './SafeText.tsx';
import { useKeptScroll } from './useKeptScroll.ts';
import { usePanel } from './usePanel.ts';

interface Props {
  readonly round: RoundState;
  /** The element that scrolls. */
  readonly scroll: RefObject<HTMLElement>;
}

/** The very bytes of a round's request: hash and size as recorded, and whether the journal's texts give the same. */
export function Wire({ round, scroll }: Props) {
  const { store, say } = usePanel();
  useKeptScroll('wire', scroll);
  const attempts = round.requests.flatMap((id) => store.state.requests.get(id)?.attempts ?? []);
  const keys = attempts.map(({ sent }) => wireKey(sent.request, sent.attempt));
  const [chosen, setChosen] = useState<string>();
  const at = chosen !== undefined && keys.includes(chosen) ? keys.indexOf(chosen) : keys.length - 1;
  const sent = attempts[at]?.sent;
  useEffect(() => {
    if (sent) store.fetchWire(sent.request, sent.attempt);
  }, [sent?.request, sent?.attempt]);
  if (!sent) return <p class="muted pad">{say('notSent')}</p>;
  const view = store.wires.get(keys[at]!);
  return (
    <section class="wire" aria-label={say('view.wire')}>
      {keys.length > 1 && (
        <select
          aria-label={say('wire.attempt')}
          value={keys[at]}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {attempts.map((one, index) => (
            <option key={keys[index]} value={keys[index]}>
              {say('wire.request', { request: one.sent.request, attempt: one.sent.attempt })}
            </option>
          ))}
        </select>
      )}
      {view ? <Body view={view} /> : <p class="muted">{say('fetching')}</p>}
    </section>
  );
}

function Body({ view }: { readonly view: WireView }) {
  const { store, say } = usePanel();
  const { request, attempt, url, bytes, hash, text, checks } = view;
  const session = store.session?.id ?? '';
  const open = () => store.post({ type: 'open', session, what: { kind: 'body', request, attempt } });
  return (
    <>
      <p class="wire-facts">
        <SafeText text={`POST ${url}`} /> · {say('wire.bytes', { n: bytes })} ·{' '}
        <span class="mono hash">sha256 {hash}</span>
      </p>
      <ul class="checks" aria-label={say('wire.checks')}>
        {checks.map(({ what, ok, found }) => (
          <li key={what} class={ok ? 'good' : 'bad'}>
            <Icon name={ok ? 'pass' : 'error'} />{' '}
            {say(`wire.${what}.${ok ? 'ok' : 'bad'}`, { found: found ?? '' })}
          </li>
        ))}
      </ul>
      {text === undefined ? (
        <p class="muted">{say('missing')}</p>
      ) : (
        <>
          <p class="wire-actions">
            <CopyButton what={{ kind: 'body', request, attempt }} />
            <button type="button" class="link" onClick={open}>
              {say('wire.open')}
            </button>
          </p>
          <div class="mono wire-text">
            <LongText text={text} path={`wire ${request} ${attempt}`} first={20_000} />
          </div>
        </>
      )}
    </>
  );
}
