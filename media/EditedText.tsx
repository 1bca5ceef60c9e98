import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { MessageId, PartId } from '../src/core/messages.ts';
import type { FieldDiff } from '../src/core/messageDiff.ts';
import { callLinks } from '../src/core/messageView.ts';
import { utf8Length } from '../src/core/panelEvent.ts';
import { DiffText } from './DiffText.tsx';
import { plainText } from './hiddenText.ts';
import { LongText } from './LongText.tsx';
import { MessageLink } from './MessageLink.tsx';
import { SafeText } from './SafeText.tsx';
import { useMessageDiff } from './useMessageDiff.ts';
import { usePanel } from './usePanel.ts';

interface Props {
  /** The message, for the way to its results; without it only what changed is shown: the rest stands beside it. */
  readonly id?: MessageId;
  readonly before: PartId;
  readonly after: PartId;
}

/** Bytes of a text that is fetched unasked: an edit is what people came to see. */
const fetchedUnasked = 64_000;

/** Two texts of a message as one, what changed marked. Heads of long texts are not compared: they would lie. */
export function EditedText({ id, before, after }: Props) {
  const { store, say } = usePanel();
  const { parts } = store.state;
  const [from, to] = [parts.get(before), parts.get(after)];
  const cut = [before, after].filter((part) => store.cuts.has(part));
  const isWhole = cut.length === 0;
  const messageDiff = useMessageDiff();
  const fields = useMemo(
    () => (from === undefined || to === undefined || !isWhole ? [] : messageDiff?.(from, to)),
    [from, to, isWhole, messageDiff],
  );
  const isSmall = cut.every((part) => (store.cuts.get(part)?.bytes ?? 0) <= fetchedUnasked);
  const fetchBoth = () => cut.forEach((part) => store.fetchPart(part));
  useEffect(() => {
    if (isSmall) fetchBoth();
  }, [before, after, isSmall]);
  if (from === undefined || to === undefined || cut.some((part) => store.missing.has(part))) {
    return <span class="muted">{say('missing')}</span>;
  }
  if (!fields || cut.some((part) => store.fetching.has(part)))
    return <span class="muted">{say('fetching')}</span>;
  if (!isWhole) {
    const size = store.cuts.get(after)?.bytes ?? utf8Length(to);
    return (
      <button type="button" class="link" onClick={fetchBoth}>
        {say('diff.show', { size: say.bytes(size) })}
      </button>
    );
  }
  const links = id === undefined ? undefined : callLinks(store.state, id);
  const shown = links ? fields : fields.filter(({ change }) => change !== 'same');
  return (
    <>
      {shown.map((field, index) => (
        <Field key={index} field={field} part={after} name={`diff ${before} ${after} ${field.path}`}>
          {field.field === 'content' && <LinkTo id={links?.call} sign="←" />}
          {field.wireId !== undefined && field.change !== 'removed' && (
            <LinkTo id={links?.results.get(field.wireId)} sign="→" />
          )}
        </Field>
      ))}
    </>
  );
}

interface FieldProps {
  readonly field: FieldDiff;
  readonly part: PartId;
  /** What was unfolded in it is kept by this name. */
  readonly name: string;
  readonly children?: ComponentChildren;
}

/** One field of the message, as an unedited message shows it; what differs is marked. */
function Field({ field: { field, name: title, change, path, diff }, part, name, children }: FieldProps) {
  const { say } = usePanel();
  const isCall = field === 'arguments';
  return (
    <div class={isCall ? 'call-line mono' : field === 'extra' ? 'extra mono' : 'text mono'}>
      {title !== undefined && (
        <span
          class={isCall ? 'call-name' : 'muted'}
          title={isCall ? say('argumentsOf', { name: plainText(title) }) : undefined}
        >
          <Marked change={change}>
            <SafeText text={title} />
          </Marked>{' '}
        </span>
      )}
      {change === 'same' ? (
        <LongText text={diff.pieces[0]?.text ?? ''} part={part} path={path} />
      ) : (
        <DiffText pieces={diff.pieces} name={name} />
      )}
      {diff.coarse && <span class="muted"> ({say('diff.coarse')})</span>}
      {children}
    </div>
  );
}

/** The name of a call that came or went is part of what changed. */
function Marked({ change, children }: { change: FieldDiff['change']; children: ComponentChildren }) {
  if (change === 'removed') return <del class="diff-removed">{children}</del>;
  if (change === 'added') return <ins class="diff-added">{children}</ins>;
  return <>{children}</>;
}

function LinkTo({ id, sign }: { readonly id: MessageId | undefined; readonly sign: '←' | '→' }) {
  if (id === undefined) return null;
  return (
    <>
      {' '}
      <MessageLink id={id} sign={sign} />
    </>
  );
}
