import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { DiffPiece } from '../src/core/diff/pieces.ts';
import { headOf, utf8Length } from '../src/core/panelEvent.ts';
import { plainText } from './hiddenText.ts';
import { Icon } from './Icon.tsx';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

type Kind = DiffPiece['kind'];

/**
 * UTF-16 units at the two ends of a stretch that are read unasked: of what stayed what stands beside the change, of what
 * went enough to know it by, of what came what is read for itself.
 */
const ends: Readonly<Record<Kind, readonly [head: number, tail: number]>> = {
  same: [160, 160],
  removed: [160, 80],
  added: [2000, 400],
};
/** Fewer are not worth a button. */
const leastFolded = 80;
/** UTF-16 units that one click unfolds: a text of megabytes stays usable. */
const mostUnfolded = 40_000;

interface Props {
  readonly piece: DiffPiece;
  /** Nothing stands before it, or behind it: that end of what stayed is beside no change. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** How far it was unfolded is kept by this name. */
  readonly name: string;
}

/** A stretch of a difference, marked for what became of it; the middle of a long one is folded. */
export function DiffStretch({ piece: { kind, text }, isFirst, isLast, name }: Props) {
  const [most, least] = ends[kind];
  const isSame = kind === 'same';
  const head = headOf(text, isSame && isFirst ? 0 : most);
  const tail = tailOf(text.slice(head.length), isSame && isLast ? 0 : least);
  const middle = text.slice(head.length, text.length - tail.length);
  const isFolded = middle.length >= leastFolded && !(isSame && isFirst && isLast);
  return (
    <Marked kind={kind} text={text}>
      {isFolded ? (
        <>
          <SafeText text={head} />
          <Middle kind={kind} text={middle} name={name} hasHead={head !== ''} hasTail={tail !== ''} />
          <SafeText text={tail} />
        </>
      ) : (
        <SafeText text={text} />
      )}
    </Marked>
  );
}

function Marked({ kind, text, children }: DiffPiece & { readonly children: ComponentChildren }) {
  const { say } = usePanel();
  if (kind === 'same') return <>{children}</>;
  const Tag = kind === 'removed' ? 'del' : 'ins';
  const label = say(`diff.${kind}`, { text: plainText(headOf(text, 200)) });
  return (
    <Tag class={`diff-${kind}`} aria-label={label}>
      {children}
    </Tag>
  );
}

interface MiddleProps extends DiffPiece {
  readonly name: string;
  /** Something of the stretch is read before it, and behind it. */
  readonly hasHead: boolean;
  readonly hasTail: boolean;
}

/** Folded to its length. The button stays where it is, and so does the focus: what it unfolds stands behind it. */
function Middle({ kind, text, name, hasHead, hasTail }: MiddleProps) {
  const { store, say } = usePanel();
  const [far, setFar] = useState(store.opened.get(name) ?? 0);
  const unfold = (units: number) => {
    store.unfold(name, units);
    setFar(units);
  };
  const shown = headOf(text, far);
  const isOpen = far > 0;
  return (
    <>
      {!isOpen && hasHead && ' … '}
      <button
        type="button"
        class="link stretch"
        aria-expanded={isOpen}
        title={say.count(`diff.${kind}Stretch`, text.length)}
        onClick={() => unfold(isOpen ? 0 : mostUnfolded)}
      >
        <Icon name={isOpen ? 'fold' : 'unfold'} />
        {say.count('diff.stretch', text.length)}
      </button>
      {isOpen && <SafeText text={shown} />}
      {!isOpen && hasTail && ' … '}
      {isOpen && shown.length < text.length && (
        <>
          {' … '}
          <button type="button" class="link stretch" onClick={() => unfold(far + mostUnfolded)}>
            {say('showMore', { size: say.bytes(utf8Length(text.slice(shown.length))) })}
          </button>
          {' … '}
        </>
      )}
    </>
  );
}

function tailOf(text: string, length: number): string {
  const at = Math.max(0, text.length - length);
  const unit = text.charCodeAt(at);
  return text.slice(unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at);
}
