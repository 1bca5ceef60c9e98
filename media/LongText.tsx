import { useEffect, useState } from 'preact/hooks';
import type { PartId } from '../src/core/messages.ts';
import { headOf, utf8Length } from '../src/core/panelEvent.ts';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

/** UTF-16 units shown unasked, and with each further click: one long line of megabytes stays usable. */
const defaultFirst = 240;
const more = 40_000;

interface Props {
  readonly text: string;
  /** The part that the text is from, where only its head is here. */
  readonly part?: PartId | undefined;
  /** The path of this text in the part's JSON. */
  readonly path?: string;
  /** Tokens of the whole message, where they are known and the text is all of it. */
  readonly tokens?: number | undefined;
  /** UTF-16 units shown unasked. */
  readonly first?: number | undefined;
}

/** Text, folded with its size when it is long, and fetched when it is opened. */
export function LongText({ text, part, path, tokens, first = defaultFirst }: Props) {
  const { store, say } = usePanel();
  const key = `${part} ${path}`;
  const [limit, setOpen] = useState(store.opened.get(key) ?? first);
  // Kept where a row that is scrolled away, or a page that is hidden, does not take it along.
  const setLimit = (opened: number) => {
    store.unfold(key, opened === first ? 0 : opened);
    setOpen(opened);
  };
  const cut = part === undefined ? undefined : store.cuts.get(part);
  const isHead = !!cut && (cut.at.length === 0 || (path !== undefined && cut.at.includes(path)));
  // A little over the fold is shown whole: a button for eight characters helps nobody.
  const shown = text.length <= limit * 1.25 && !isHead ? text : headOf(text, limit);
  // What was unfolded in a page that is made anew is not all here.
  useEffect(() => {
    if (isHead && limit > first && part !== undefined) store.fetchPart(part);
  }, []);
  const isFolded = shown.length < text.length || isHead;
  const open = () => {
    if (isHead && part !== undefined) store.fetchPart(part);
    setLimit(limit === first ? more : limit + more);
  };
  return (
    <>
      <SafeText text={shown} />
      {isFolded && (
        <MoreButton
          label={labelOf()}
          busy={part !== undefined && store.fetching.has(part)}
          missing={part !== undefined && store.missing.has(part)}
          onOpen={open}
        />
      )}
      {!isFolded && limit > first && text.length > first * 1.25 && (
        <>
          {' '}
          <button type="button" class="link" onClick={() => setLimit(first)}>
            {say('showLess')}
          </button>
        </>
      )}
    </>
  );

  function labelOf(): string {
    if (limit > first && !isHead)
      return say('showMore', { size: say.bytes(utf8Length(text.slice(shown.length))) });
    const size = say.bytes(isHead ? cut.bytes : utf8Length(text));
    return tokens === undefined
      ? say('show.size', { size })
      : say('show.tokens', { tokens: say.count('tokens', tokens), size });
  }
}

interface MoreProps {
  readonly label: string;
  readonly busy: boolean;
  readonly missing: boolean;
  readonly onOpen: () => void;
}

function MoreButton({ label, busy, missing, onOpen }: MoreProps) {
  const { say } = usePanel();
  if (missing) return <span class="muted"> … {say('missing')}</span>;
  if (busy) return <span class="muted"> … {say('fetching')}</span>;
  return (
    <>
      {' … '}
      <button type="button" class="link" onClick={onOpen}>
        {label}
      </button>
    </>
  );
}
