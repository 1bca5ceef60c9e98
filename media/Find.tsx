import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Found, foundIn } from '../src/core/findText.ts';
import { Icon } from './Icon.tsx';
import { usePanel } from './usePanel.ts';

/** Milliseconds after the last key before all messages are looked through. */
const pause = 200;

/** What was found in what is shown; undefined while nothing is searched, or the answer is not here. */
export function useFound(): Found | undefined {
  const { store } = usePanel();
  const { state, hits } = store;
  return useMemo(
    () => hits && foundIn(state, hits),
    [state, hits, state.rewritten, state.history.length, state.lastRequest],
  );
}

/** Search in all rounds: how often, in how many messages and rounds, and the way from one to the next. */
export function Find({ found }: { readonly found: Found | undefined }) {
  const { store, say } = usePanel();
  const [text, setText] = useState(store.looks.find);
  const [at, setAt] = useState(-1);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (wanted: string) => {
    setText(wanted);
    setAt(-1);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => store.find(wanted), pause);
  };
  const go = (step: number) => {
    const messages = found?.messages ?? [];
    if (messages.length === 0) return;
    const next = (at + step + messages.length) % messages.length;
    const { id, round } = messages[at < 0 && step < 0 ? messages.length - 1 : next]!;
    setAt(next);
    store.select(round);
    store.want(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') search('');
    else return;
    event.preventDefault();
  };
  return (
    <div class="find" role="search">
      <Icon name="search" />
      <input
        type="text"
        value={text}
        placeholder={say('find.placeholder')}
        aria-label={say('find.placeholder')}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span class="muted find-sum" role="status">
        {sumOf()}
      </span>
      {found && found.messages.length > 0 && (
        <>
          <FindButton icon="arrow-up" label={say('find.previous')} onClick={() => go(-1)} />
          <FindButton icon="arrow-down" label={say('find.next')} onClick={() => go(1)} />
        </>
      )}
    </div>
  );

  function sumOf(): string {
    if (text === '' || store.looks.find !== text) return '';
    if (!found) return say('find.busy');
    const where = { messages: found.messages.length, rounds: found.rounds.size };
    const sum = say('find.sum', { n: found.total, ...where });
    return at < 0 ? sum : `${say.number(at + 1)}/${say.number(where.messages)} · ${sum}`;
  }
}

interface ButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
}

function FindButton({ icon, label, onClick }: ButtonProps) {
  return (
    <button type="button" class="icon" title={label} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
