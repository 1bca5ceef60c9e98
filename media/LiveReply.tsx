import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RoundState } from '../src/core/journalState.ts';
import { headOf, utf8Length } from '../src/core/panelEvent.ts';
import { Icon } from './Icon.tsx';
import { roundName } from './names.ts';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

/** UTF-16 units of the end of a streaming text that are drawn with each frame. */
const tail = 12_000;

/** A reply while it arrives. Not announced: a screen reader hears of it when it has arrived. */
export function LiveReply({ round, text }: { readonly round: RoundState; readonly text: string }) {
  const { store, say } = usePanel();
  const hidden = text.length > tail ? headOf(text, text.length - tail) : '';
  const box = useRef<HTMLElement>(null);
  // Its end is what is read; who scrolled up in it stays there.
  useLayoutEffect(() => {
    const element = box.current;
    if (element && element.scrollHeight - element.scrollTop - element.clientHeight < 80) {
      element.scrollTop = element.scrollHeight;
    }
  }, [text]);
  return (
    <section class="arriving" ref={box}>
      <h2 class="section">
        <Icon name="comment-discussion" />
        <span class="strong">{say('reply.coming', { round: roundName(store.state, say, round) })}</span>
      </h2>
      <div class="row reply-row">
        <span class="sign" />
        <span class="id" />
        <span class="role">
          <span class="badge">assistant</span>
        </span>
        <div class="body text live">
          {hidden !== '' && (
            <div class="muted">{say('live.before', { size: say.bytes(utf8Length(hidden)) })}</div>
          )}
          <SafeText text={text.slice(hidden.length)} />
          <span class="caret" aria-hidden="true" />
        </div>
      </div>
    </section>
  );
}
