import { useRef, useState } from 'preact/hooks';
import { changingTools } from '../src/core/changingTools.ts';
import type { RoundState } from '../src/core/journalState.ts';
import type { Op } from '../src/core/ops.ts';
import { parseJson } from '../src/core/parseMessage.ts';
import type { PanelWord } from '../src/core/panelWords.ts';
import { type CallView, replyView } from '../src/core/replyView.ts';
import { statusView } from '../src/core/statusView.ts';
import { AskForm } from './AskForm.tsx';
import { Icon } from './Icon.tsx';
import { JsonText } from './JsonText.tsx';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

/** What the run stands before, and what can be done about it. Only while a live session is paused, in the present. */
export function PendingCard({ round }: { readonly round: RoundState | undefined }) {
  const { store } = usePanel();
  const status = statusView(store.state);
  if (status.kind !== 'paused' || !store.session?.live || store.before !== null || !round) return null;
  const reply = replyView(store.state, round);
  const call = reply?.calls.find((one) => one.key === status.call?.key);
  if (status.at === 'act' && reply && call) {
    // Another key: the form of one call is not the form of the next.
    return (
      <CallCard
        key={call.key}
        call={call}
        count={reply.calls.length}
        message={reply.message}
        part={reply.part}
      />
    );
  }
  if (status.at === 'reply') return <ReplyCard />;
  const words = headings[status.at];
  return words ? <PlainCard title={words[0]} {...(words[1] ? { hint: words[1] } : {})} /> : null;
}

const headings: Readonly<Record<string, readonly [PanelWord, PanelWord?]>> = {
  plan: ['card.plan', 'card.planHint'],
  observe: ['card.observe'],
};

function PlainCard({ title, hint }: { readonly title: PanelWord; readonly hint?: PanelWord }) {
  const { say } = usePanel();
  return (
    <section class="card slim" aria-label={say(title)}>
      <div class="card-title">
        <Icon name="debug-stackframe" />
        <span class="strong">{say(title)}</span>
        {hint && <span class="muted">{say(hint)}</span>}
        <GoOn label={hint ? 'card.send' : 'card.on'} />
      </div>
    </section>
  );
}

/** A reply that nothing has acted on can be set aside for another one. */
function ReplyCard() {
  const { store, say } = usePanel();
  const session = store.session?.id ?? '';
  const askAgain = () => store.post({ type: 'op', session, op: { kind: 'askAgain' } });
  return (
    <section class="card" aria-label={say('card.reply')}>
      <div class="card-title">
        <Icon name="debug-stackframe" />
        <span class="strong">{say('card.reply')}</span>
      </div>
      <div class="card-actions">
        <GoOn label="card.on" />
        <button type="button" class="secondary" onClick={askAgain}>
          {say('card.askAgain')}
        </button>
        <span class="card-hint">{say('card.askAgainHint')}</span>
      </div>
    </section>
  );
}

/** The button that goes on was used, and nothing has had the focus since. */
let wentOn = false;

/** Whoever goes on by keyboard, stop after stop, stays on the button, which is another one on another card. */
function focusNext(button: HTMLButtonElement | null): void {
  if (button && wentOn && document.hasFocus() && document.activeElement === document.body) button.focus();
}

/** Step Into, said here: the next stop is the one that the debugger's own key leads to. */
function GoOn({ label }: { readonly label: 'card.run' | 'card.send' | 'card.on' }) {
  const { store, say } = usePanel();
  const session = store.session?.id ?? '';
  const goOn = () => {
    wentOn = true;
    document.addEventListener('focusin', () => (wentOn = false), { once: true });
    store.post({ type: 'go', session });
  };
  return (
    <button ref={focusNext} type="button" class="primary" aria-keyshortcuts="F11" onClick={goOn}>
      {say(label)} <kbd>F11</kbd>
    </button>
  );
}

interface CallCardProps {
  readonly call: CallView;
  readonly count: number;
  /** The reply: its message id and its text. */
  readonly message: string;
  readonly part: string;
}

function CallCard({ call, count, message, part }: CallCardProps) {
  const { say } = usePanel();
  const path = `tool_calls/${call.position - 1}/function/arguments`;
  const title = say('card.call', { position: call.position, count });
  return (
    <section class="card" aria-label={title}>
      <div class="card-title">
        <Icon name="debug-stackframe" />
        <span class="strong">{title}</span>
        <span class="muted">{say('card.callNote')}</span>
      </div>
      <div class="card-call mono">
        <span class="call-name">
          <SafeText text={call.name} />
        </span>{' '}
        <JsonText text={call.arguments} part={part} path={path} />
      </div>
      <CallActions call={call} target={`${message}/${path}`} />
    </section>
  );
}

/** `target`: the arguments, as an op names them. */
function CallActions({ call, target }: { readonly call: CallView; readonly target: string }) {
  const { store, say } = usePanel();
  const [asked, setAsked] = useState<'reject' | 'mock'>();
  /** Whose form was closed without an answer: its button gets the focus back. */
  const takenBack = useRef<'reject' | 'mock'>();
  const session = store.session?.id ?? '';
  const op = (value: Op) => store.post({ type: 'op', session, op: value });
  const decide = (value: Op) => {
    op(value);
    setAsked(undefined);
  };
  const cancel = () => {
    takenBack.current = asked;
    setAsked(undefined);
  };
  const focusAgain = (asks: 'reject' | 'mock') => (button: HTMLButtonElement | null) => {
    if (button === null || takenBack.current !== asks) return;
    takenBack.current = undefined;
    button.focus();
  };
  if (asked === 'reject')
    return (
      <AskForm
        key="reject"
        label={say('card.reason')}
        act={say('card.rejectNow')}
        onAnswer={(reason) => decide({ kind: 'reject', target: call.key, reason })}
        onCancel={cancel}
      />
    );
  if (asked === 'mock')
    return (
      <AskForm
        key="mock"
        label={say('card.answer')}
        act={say('card.answerNow')}
        // What is no JSON is a text.
        onAnswer={(text) => decide({ kind: 'mock', target: call.key, data: parseJson(text) ?? text })}
        onCancel={cancel}
      />
    );
  const edit = () => store.post({ type: 'open', session, what: { kind: 'edit', target, scope: 'pending' } });
  const show = () => store.post({ type: 'open', session, what: { kind: 'change', call: call.key } });
  return (
    <div class="card-actions">
      <GoOn label={call.verdict ? 'card.on' : 'card.run'} />
      <button type="button" class="secondary" onClick={edit}>
        {say('card.edit')}
      </button>
      {changingTools.has(call.name) && (
        <button type="button" class="secondary" onClick={show}>
          {say('card.change')}
        </button>
      )}
      <button ref={focusAgain('mock')} type="button" class="secondary" onClick={() => setAsked('mock')}>
        {say('card.mock')}
      </button>
      <button type="button" class="secondary" onClick={() => op({ kind: 'skip', target: call.key })}>
        {say('card.skip')}
      </button>
      <button ref={focusAgain('reject')} type="button" class="secondary" onClick={() => setAsked('reject')}>
        {say('card.reject')}
      </button>
      <Outlook call={call} />
    </div>
  );
}

/** What will happen to the call, and what it touches. */
function Outlook({ call }: { readonly call: CallView }) {
  const { store, say } = usePanel();
  const effects = call.effects ?? store.session?.effects[call.name];
  return (
    <>
      <span class="card-hint">
        {call.verdict ? (
          <>
            <span class="strong">{say(`call.${call.verdict}`)}</span> {say('card.decidedHint')}
          </>
        ) : (
          say('card.callHint')
        )}
      </span>
      {effects !== undefined && (
        <span class="muted effects">{say('card.effects', { effects: say(`effects.${effects}`) })}</span>
      )}
    </>
  );
}
