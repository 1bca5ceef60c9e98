import { useState } from 'preact/hooks';
import { prettyJson } from '../src/core/prettyJson.ts';
import type { PartId } from '../src/core/messages.ts';
import { Icon } from './Icon.tsx';
import { LongText } from './LongText.tsx';
import { usePanel } from './usePanel.ts';

/** Shorter JSON is read in its line. */
const leastPretty = 60;
/** UTF-16 units; more is opened in an editor, which folds it. */
const mostPretty = 200_000;

interface Props {
  readonly text: string;
  readonly part?: PartId | undefined;
  readonly path: string;
  readonly tokens?: number | undefined;
  readonly first?: number | undefined;
}

/** A text as it stands; one that is JSON can be read with line breaks. */
export function JsonText(props: Props) {
  const { store, say } = usePanel();
  const { text, first } = props;
  const key = `pretty ${props.part} ${props.path}`;
  const [isPretty, setPretty] = useState(store.opened.has(key));
  const toggle = () => {
    store.unfold(key, isPretty ? 0 : 1);
    setPretty(!isPretty);
  };
  const canBePretty = text.length >= leastPretty && text.length <= mostPretty && /^\s*[[{]/.test(text);
  const pretty = isPretty && canBePretty ? prettyJson(text) : undefined;
  return (
    <>
      <LongText
        key={pretty === undefined ? 'raw' : 'pretty'}
        {...props}
        text={pretty ?? text}
        first={pretty === undefined ? first : 2000}
      />
      {canBePretty && (
        <button
          type="button"
          class="icon inline"
          aria-pressed={isPretty}
          title={say('pretty')}
          aria-label={say('pretty')}
          onClick={toggle}
        >
          <Icon name="json" />
        </button>
      )}
    </>
  );
}
