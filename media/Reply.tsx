import type { RoundState } from '../src/core/journalState.ts';
import { type FailedAttempt, failedAttempts, type ReplyView, replyView } from '../src/core/replyView.ts';
import { CallBox } from './CallBox.tsx';
import { EditedText } from './EditedText.tsx';
import { Icon } from './Icon.tsx';
import { LiveReply } from './LiveReply.tsx';
import { LongText } from './LongText.tsx';
import { bodyOfPart } from '../src/core/messageView.ts';
import { noteText, roundName } from './names.ts';
import { SafeText } from './SafeText.tsx';
import { useLater } from './useLater.ts';
import { usePanel } from './usePanel.ts';

interface Props {
  readonly round: RoundState;
  /** The round that runs now: streamed text is its reply's. */
  readonly isCurrent: boolean;
  /** What stands above it fills the view by itself. */
  readonly isBelow: boolean;
}

/** Calls drawn with the round where they may be seen; the others follow when it was painted. */
const firstCalls = 6;

/** What came back: attempts that failed, the reply that is arriving or has arrived, its calls. */
export function Reply({ round, isCurrent, isBelow }: Props) {
  const { store } = usePanel();
  const reply = replyView(store.state, round);
  const failures = failedAttempts(store.state, round);
  const isArriving = isCurrent && !reply && store.live !== '' && store.before === null;
  if (!reply && failures.length === 0 && !isArriving) return null;
  return (
    <>
      <section class="reply">
        {failures.map((failure) => (
          <Failure key={failure.seq} failure={failure} />
        ))}
        {reply && <Arrived round={round} reply={reply} first={isBelow ? 0 : firstCalls} />}
      </section>
      {isArriving && <LiveReply round={round} text={store.live} />}
    </>
  );
}

interface ArrivedProps {
  readonly round: RoundState;
  readonly reply: ReplyView;
  /** Calls that are drawn at once. */
  readonly first: number;
}

function Arrived({ round, reply, first }: ArrivedProps) {
  const { store, say } = usePanel();
  const note = reply.edits.at(-1);
  const calls = reply.calls.slice(0, useLater(reply.message) ? undefined : first);
  const text = bodyOfPart(store.state, reply.part)?.text ?? '';
  return (
    <>
      <h2 class="section">
        <Icon name="comment-discussion" />
        <span class="strong">{say('reply', { round: roundName(store.state, say, round) })}</span>
        <span class="muted">{factsOf()}</span>
      </h2>
      <div class="row reply-row">
        <span class="sign" />
        <span class="id">{reply.message}</span>
        <span class="role">
          <span class="badge">assistant</span>
        </span>
        <div class="body">
          {text !== '' && (
            <div class="text">
              <LongText text={text} part={reply.part} path="content" tokens={reply.usage?.completion} />
            </div>
          )}
          {reply.before !== undefined && <EditedText before={reply.before} after={reply.part} />}
          {note && <div class="note">{noteText(store.state, say, note)}</div>}
          {calls.map((call) => (
            <CallBox key={call.key} call={call} reply={reply.part} />
          ))}
        </div>
        <span class="tokens">
          {reply.usage?.completion === undefined ? '' : say.number(reply.usage.completion)}
        </span>
      </div>
    </>
  );

  function factsOf(): string {
    const { usage, finish, ms, source } = reply;
    return [
      say.duration(ms),
      usage?.completion === undefined ? say('usage.unknown') : say.count('tokens', usage.completion),
      ...(finish === null ? [] : [say('finish', { finish })]),
      ...(source === 'live' ? [] : [say(`source.${source}`)]),
    ].join(' · ');
  }
}

function Failure({ failure }: { readonly failure: FailedAttempt }) {
  const { store, say } = usePanel();
  const { attempt, status, message, retryIn, partial } = failure;
  const kind = status === undefined ? failure.class : `${failure.class} ${status}`;
  const text = partial === undefined ? undefined : store.state.parts.get(partial);
  return (
    <div class="failure">
      <Icon name="warning" />
      <div>
        {say('attempt', { n: attempt, class: kind })} · <SafeText text={message} />
        {retryIn !== undefined && (
          <span class="muted"> · {say('retryIn', { time: say.duration(retryIn) })}</span>
        )}
        {text !== undefined && (
          <div class="muted">
            {say('partial')}: <LongText text={text} part={partial} />
          </div>
        )}
      </div>
    </div>
  );
}
