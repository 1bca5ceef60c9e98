import type { RoundState } from '../src/core/journalState.ts';
import { type StopTarget, stopTargetId } from '../src/core/stopRules.ts';
import { plainText } from './hiddenText.ts';
import { Icon } from './Icon.tsx';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

/** The stop rules, each with its way out, and one for the round that is shown. */
export function StopRules({ round }: { readonly round: RoundState | undefined }) {
  const { store, say } = usePanel();
  const rules = store.stopRules;
  // What was read from a file never runs: there is nothing to stop.
  const isFile = store.session?.isFile === true;
  if (isFile || (rules.length === 0 && !round)) return null;
  return (
    <div class="stop-rules" role="group" aria-label={say('rules.label')}>
      {rules.map(({ target, words, problem }) => (
        <span
          key={stopTargetId(target)}
          class={problem === undefined ? 'rule' : 'rule unverified'}
          title={problem === undefined ? undefined : plainText(problem)}
        >
          <Icon name={problem === undefined ? 'debug-breakpoint' : 'debug-breakpoint-unverified'} />
          <SafeText text={words} />
          <button
            type="button"
            class="icon"
            aria-label={say('rules.remove', { what: plainText(words) })}
            title={say('rules.remove', { what: plainText(words) })}
            onClick={() => store.post({ type: 'stopRule', target, on: false })}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {round && (
        <StopHere
          target={{ kind: 'round', round: round.round }}
          label={say('rules.round', { n: round.round })}
          isText
        />
      )}
    </div>
  );
}

/** Adds a rule for a thing, or takes it away. */
export function StopHere({
  target,
  label,
  isText = false,
}: {
  readonly target: StopTarget;
  readonly label: string;
  readonly isText?: boolean;
}) {
  const { store } = usePanel();
  if (store.session?.isFile) return null;
  const isOn = store.stopRules.some((one) => stopTargetId(one.target) === stopTargetId(target));
  // What is listed has its own way out.
  if (isText && isOn) return null;
  return (
    <button
      type="button"
      class={isText ? 'link muted' : 'icon'}
      title={label}
      aria-label={label}
      aria-pressed={isOn}
      onClick={() => store.post({ type: 'stopRule', target, on: !isOn })}
    >
      <Icon name={isOn ? 'debug-breakpoint' : 'debug-breakpoint-unverified'} />
      {isText && ` ${label}`}
    </button>
  );
}
