import type { MessageId, PartId } from '../src/core/messages.ts';
import type { CallText } from '../src/core/messages.ts';
import { JsonText } from './JsonText.tsx';
import { MessageLink } from './MessageLink.tsx';
import { SafeText } from './SafeText.tsx';

interface Props {
  readonly call: CallText;
  readonly part?: PartId | undefined;
  readonly index: number;
  readonly result?: MessageId | undefined;
}

/** A call in an assistant message: its name, its arguments as they stand, the way to its result. */
export function CallLine({ call, part, index, result }: Props) {
  return (
    <div class="call-line mono">
      <span class="call-name">
        <SafeText text={call.name} />
      </span>{' '}
      <JsonText text={call.arguments} part={part} path={`tool_calls/${index}/function/arguments`} />
      {result !== undefined && (
        <>
          {' '}
          <MessageLink id={result} sign="→" />
        </>
      )}
    </div>
  );
}
