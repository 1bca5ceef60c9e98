import type { MessageId, PartId } from '../src/core/messages.ts';
import { callLinks, messageBody } from '../src/core/messageView.ts';
import { CallLine } from './CallLine.tsx';
import { JsonText } from './JsonText.tsx';
import { MessageLink } from './MessageLink.tsx';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

interface Props {
  readonly id: MessageId;
  readonly part: PartId | undefined;
  readonly tokens?: number | undefined;
  /** A message that left is only recalled: less of it is shown unasked. */
  readonly isGone?: boolean;
}

const firstOfGone = 90;

/** What a message says: its text, its calls with the way to their results, a provider's own fields. */
export function MessageText({ id, part, tokens, isGone = false }: Props) {
  const { store, say } = usePanel();
  const text = part === undefined ? undefined : store.state.parts.get(part);
  if (text === undefined) return <span class="muted">{say('missing')}</span>;
  const body = messageBody(text);
  const links = callLinks(store.state, id);
  const isMono = !body.parsed || body.answers !== undefined;
  return (
    <>
      {(body.text !== '' || body.calls.length === 0) && (
        <div class={isMono ? 'text mono' : 'text'}>
          <JsonText
            text={body.text}
            part={part}
            path="content"
            tokens={body.calls.length === 0 ? tokens : undefined}
            first={isGone ? firstOfGone : undefined}
          />
          {links.call !== undefined && (
            <>
              {' '}
              <MessageLink id={links.call} sign="←" />
            </>
          )}
        </div>
      )}
      {body.calls.map((call, index) => (
        <CallLine key={index} call={call} part={part} index={index} result={links.results.get(call.wireId)} />
      ))}
      {body.extras.map(([name, json]) => (
        <div key={name} class="extra mono">
          <span class="muted">
            <SafeText text={name} />{' '}
          </span>
          <JsonText text={json} part={part} path={name} />
        </div>
      ))}
    </>
  );
}
