import { useState } from 'preact/hooks';
import type { DiffPiece } from '../src/core/diff/pieces.ts';
import { utf8Length } from '../src/core/panelEvent.ts';
import { DiffStretch } from './DiffStretch.tsx';
import { usePanel } from './usePanel.ts';

/** Pieces shown unasked, and with each further click: a list of ten thousand numbers may differ in all of them. */
const mostPieces = 600;

interface Props {
  readonly pieces: readonly DiffPiece[];
  /** What was unfolded in it is kept by this name. */
  readonly name: string;
}

/** A difference inline: removed and added words, long stretches folded. */
export function DiffText({ pieces, name }: Props) {
  const { store, say } = usePanel();
  const [limit, setLimit] = useState(store.opened.get(name) ?? mostPieces);
  const left = pieces.slice(limit).reduce((sum, piece) => sum + utf8Length(piece.text), 0);
  const more = () => {
    store.unfold(name, limit + mostPieces);
    setLimit(limit + mostPieces);
  };
  return (
    <>
      {pieces.slice(0, limit).map((piece, index) => (
        <DiffStretch
          key={index}
          piece={piece}
          isFirst={index === 0}
          isLast={index === pieces.length - 1}
          name={`${name} ${index}`}
        />
      ))}
      {left > 0 && (
        <>
          {' … '}
          <button type="button" class="link" onClick={more}>
            {say('showMore', { size: say.bytes(left) })}
          </button>
        </>
      )}
    </>
  );
}
