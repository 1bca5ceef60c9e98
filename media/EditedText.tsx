import { useEffect, useMemo } from 'preact/hooks';
import type { PartId } from '../src/core/messages.ts';
import { messageDiff } from '../src/core/messageView.ts';
import { utf8Length } from '../src/core/panelEvent.ts';
import { DiffText } from './DiffText.tsx';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

interface Props {
  readonly before: PartId;
  readonly after: PartId;
}

/** Bytes of a text that is fetched unasked: an edit is what people came to see. */
const fetchedUnasked = 64_000;

/** Two texts of a message as one, changed words marked. Heads of long texts are not compared: they would lie. */
export function EditedText({ before, after }: Props) {
  const { store, say } = usePanel();
  const { parts } = store.state;
  const [from, to] = [parts.get(before), parts.get(after)];
  const fields = useMemo(
    () => (from === undefined || to === undefined ? [] : messageDiff(from, to)),
    [from, to],
  );
  const cut = [before, after].filter((part) => store.cuts.has(part));
  const isSmall = cut.every((part) => (store.cuts.get(part)?.bytes ?? 0) <= fetchedUnasked);
  const fetchBoth = () => cut.forEach((part) => store.fetchPart(part));
  useEffect(() => {
    if (isSmall) fetchBoth();
  }, [before, after, isSmall]);
  if (from === undefined || to === undefined || cut.some((part) => store.missing.has(part))) {
    return <span class="muted">{say('missing')}</span>;
  }
  if (cut.some((part) => store.fetching.has(part))) return <span class="muted">{say('fetching')}</span>;
  if (cut.length > 0) {
    const size = store.cuts.get(after)?.bytes ?? utf8Length(to);
    return (
      <button type="button" class="link" onClick={fetchBoth}>
        {say('diff.show', { size: say.bytes(size) })}
      </button>
    );
  }
  return (
    <>
      {fields.map(({ field, name, diff }, index) => (
        <div key={index} class="text mono">
          {field === 'arguments' && name !== undefined && (
            <span class="call-name" title={say('argumentsOf', { name })}>
              <SafeText text={name} />{' '}
            </span>
          )}
          <DiffText pieces={diff.pieces} />
          {diff.coarse && <span class="muted"> ({say('diff.coarse')})</span>}
        </div>
      ))}
    </>
  );
}
