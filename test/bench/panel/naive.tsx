/**
 * What many panels do: the host posts all it knows with each event, and the page draws all of it anew. The same
 * events, the same comparison of rounds, the same text per message; no store, no virtual list.
 */
import { render } from 'preact';
import { foldAll } from '../../../src/core/fold.ts';
import { roundAt } from '../../../src/core/journalState.ts';
import { messageBody } from '../../../src/core/messageView.ts';
import type { PanelEvent } from '../../../src/core/protocol.ts';
import { roundView } from '../../../src/core/roundView.ts';

let events: readonly PanelEvent[] = [];
let chosen: number | undefined;

function Panel() {
  const state = foldAll(events);
  const last = state.runs.at(-1)?.rounds.length ?? 0;
  const round = roundAt(state, 1, chosen ?? last);
  if (!round) return null;
  const rows = roundView(state, round).rows.flatMap((row) => (row.kind === 'kept' ? row.rows : [row]));
  return (
    <main>
      <div class="cells">
        {state.runs[0]?.rounds.map(({ round: number }) => (
          <button key={number} class="cell" onClick={() => choose(number)}>
            {number}
          </button>
        ))}
      </div>
      <h2 class="compare-title">round {round.round}</h2>
      <div class="scroll" style={{ height: '600px', overflow: 'auto' }}>
        {rows.map((row) => (
          <div key={row.id} class={`row ${row.change}`}>
            <b class="id">{row.id}</b> {row.role}{' '}
            <span class="safe">{messageBody(state.parts.get(row.part ?? '') ?? '').text}</span>
          </div>
        ))}
      </div>
    </main>
  );
}

function choose(round: number): void {
  chosen = round;
  draw();
}

function draw(): void {
  const root = document.getElementById('root');
  if (root) render(<Panel />, root);
}

window.addEventListener('message', ({ data }: MessageEvent<{ events?: readonly PanelEvent[] }>) => {
  if (!data.events) return;
  events = data.events;
  requestAnimationFrame(draw);
});
