import type { RoundState } from '../src/core/journalState.ts';
import { bodyOfPart } from '../src/core/messageView.ts';
import { setAsideReplies, type SetAsideReply } from '../src/core/replyView.ts';
import { CallLine } from './CallLine.tsx';
import { Icon } from './Icon.tsx';
import { LongText } from './LongText.tsx';
import { usePanel } from './usePanel.ts';

/** The replies of a round that were not taken: the model was asked again before anything acted on them. */
export function SetAside({ round }: { readonly round: RoundState }) {
  const replies = setAsideReplies(round);
  if (replies.length === 0) return null;
  return (
    <section class="reply aside">
      {replies.map((reply) => (
        <Reply key={reply.message} reply={reply} />
      ))}
    </section>
  );
}

function Reply({ reply: { message, part, finish, ms } }: { readonly reply: SetAsideReply }) {
  const { store, say } = usePanel();
  const body = bodyOfPart(store.state, part);
  const facts = [say.duration(ms), ...(finish === null ? [] : [say('finish', { finish })])].join(' · ');
  return (
    <>
      <h2 class="section">
        <Icon name="discard" />
        <span class="strong">{say('reply.setAside', { id: message })}</span>
        <span class="muted">{facts}</span>
      </h2>
      <div class="row reply-row muted">
        <span class="sign" />
        <span class="id">{message}</span>
        <span class="role">
          <span class="badge">assistant</span>
        </span>
        <div class="body">
          <LongText text={body?.text ?? ''} part={part} path="content" />
          {body?.calls.map((call, index) => (
            <CallLine key={index} call={call} part={part} index={index} result={undefined} />
          ))}
        </div>
        <span class="tokens" />
      </div>
    </>
  );
}
