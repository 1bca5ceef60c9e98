import type { PartId } from '../src/core/messages.ts';
import type { CallView } from '../src/core/replyView.ts';
import { bodyOfPart } from '../src/core/messageView.ts';
import { plainText } from './hiddenText.ts';
import { Icon } from './Icon.tsx';
import { JsonText } from './JsonText.tsx';
import { noteText } from './names.ts';
import { SafeText } from './SafeText.tsx';
import { StopHere } from './StopRules.tsx';
import { usePanel } from './usePanel.ts';
import type { Words } from './words.ts';

const good = new Set(['ok', 'mocked']);

/** A call of the reply: what it is, what became of it, what it answered. */
export function CallBox({ call: now, reply }: { readonly call: CallView; readonly reply: PartId }) {
  const { store, say } = usePanel();
  // Looked back at, a run stands before its call: nobody is asked any more.
  const isPast = now.status === 'asking' && store.before !== null;
  const call: CallView = isPast ? { ...now, status: 'paused' } : now;
  const { result, position } = call;
  const kind = kindOf(call);
  const note = call.edits.findLast((one) => one.op === 'set');
  return (
    <div class={`call ${kind}`} data-call={call.key}>
      <div class="call-head mono">
        <Icon name={icons[kind]} />
        <span class="call-text">
          <button
            type="button"
            class="call-name link"
            title={say('openTool')}
            onClick={() =>
              store.post({
                type: 'open',
                session: store.session!.id,
                what: { kind: 'tool', name: call.name },
              })
            }
          >
            <SafeText text={call.name} />
          </button>{' '}
          <JsonText
            text={call.arguments}
            part={reply}
            path={`tool_calls/${position - 1}/function/arguments`}
          />
        </span>
        <span class="call-state">{stateText(say, call)}</span>
        <StopHere
          target={{ kind: 'tool', name: call.name }}
          label={say('rules.tool', { tool: plainText(call.name) })}
        />
      </div>
      {result && (
        <div class="call-result mono">
          <span class="muted">→ {result.message} </span>
          <JsonText
            text={bodyOfPart(store.state, result.part)?.text ?? ''}
            part={result.part}
            path="content"
          />
        </div>
      )}
      {note && <div class="note">{noteText(store.state, say, note)}</div>}
    </div>
  );
}

type Kind = 'later' | 'paused' | 'asking' | 'decided' | 'running' | 'good' | 'bad';

const icons: Readonly<Record<Kind, string>> = {
  later: 'circle-outline',
  paused: 'debug-stackframe',
  asking: 'question',
  decided: 'debug-stackframe',
  running: 'loading',
  good: 'pass',
  bad: 'error',
};

function kindOf(call: CallView): Kind {
  if (call.status !== 'finished') return call.status;
  return good.has(call.outcome ?? '') ? 'good' : 'bad';
}

function stateText(say: Words, call: CallView): string {
  if (call.status === 'decided') return say(`call.${call.verdict ?? 'skip'}`);
  if (call.status !== 'finished') return say(`call.${call.status}`);
  return [
    say(`outcome.${call.outcome ?? 'ok'}`),
    ...(call.ms === undefined || call.outcome === 'rejected' || call.outcome === 'skipped'
      ? []
      : [say.duration(call.ms)]),
    ...(call.result?.entered === false ? [say('entersAtObserve')] : []),
  ].join(' · ');
}
