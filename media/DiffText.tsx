import { useState } from 'preact/hooks';
import type { DiffPiece } from '../src/core/diff/pieces.ts';
import { headOf, utf8Length } from '../src/core/panelEvent.ts';
import { plainText } from './hiddenText.ts';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

/** UTF-16 units of unchanged text shown beside a change, and of a change itself. */
const around = 160;
const mostChanged = 8000;
/** Pieces shown unasked, and with each further click: a list of ten thousand numbers may differ in all of them. */
const mostPieces = 600;

/** A difference inline: removed and added words, unchanged text shortened between them. */
export function DiffText({ pieces }: { readonly pieces: readonly DiffPiece[] }) {
  const { say } = usePanel();
  const [limit, setLimit] = useState(mostPieces);
  const left = pieces.slice(limit).reduce((sum, piece) => sum + utf8Length(piece.text), 0);
  return (
    <>
      {pieces.slice(0, limit).map((piece, index) => {
        if (piece.kind === 'same')
          return (
            <Same key={index} text={piece.text} first={index === 0} last={index === pieces.length - 1} />
          );
        return <Changed key={index} kind={piece.kind} text={piece.text} />;
      })}
      {left > 0 && (
        <>
          {' … '}
          <button type="button" class="link" onClick={() => setLimit(limit + mostPieces)}>
            {say('showMore', { size: say.bytes(left) })}
          </button>
        </>
      )}
    </>
  );
}

function Changed({ kind, text }: { readonly kind: 'removed' | 'added'; readonly text: string }) {
  const { say } = usePanel();
  const Tag = kind === 'removed' ? 'del' : 'ins';
  const label = say(kind === 'removed' ? 'diff.removed' : 'diff.added', {
    text: plainText(headOf(text, 200)),
  });
  return (
    <Tag class={`diff-${kind}`} aria-label={label}>
      <SafeText text={headOf(text, mostChanged)} />
      {text.length > mostChanged && <span class="gap"> … {say.bytes(utf8Length(text))}</span>}
    </Tag>
  );
}

function Same({
  text,
  first,
  last,
}: {
  readonly text: string;
  readonly first: boolean;
  readonly last: boolean;
}) {
  const { say } = usePanel();
  const [isOpen, setOpen] = useState(false);
  const before = first ? 0 : around;
  const after = last ? 0 : around;
  if (text.length <= before + after + 40 || isOpen || (first && last)) return <SafeText text={text} />;
  const start = headOf(text, before);
  const tail = tailOf(text, after);
  const hidden = say.count('diff.same', text.length - start.length - tail.length);
  return (
    <>
      <SafeText text={start} />
      <button type="button" class="link gap" title={hidden} aria-label={hidden} onClick={() => setOpen(true)}>
        {' … '}
      </button>
      <SafeText text={tail} />
    </>
  );
}

function tailOf(text: string, length: number): string {
  const at = text.length - length;
  const unit = text.charCodeAt(at);
  return text.slice(unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at);
}
