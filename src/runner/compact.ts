/**
 * The policy `summarize`: the oldest units are folded into a summary that the model writes. Only a summary that was
 * accepted replaces anything; until then the history is what it was. Two attempts in a row that bring nothing end it
 * for the run: a further goal of the user may try again.
 */
import { countCodePoints } from '../core/capText.ts';
import { textOf } from '../core/journalState.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { serialise } from '../core/serialise.ts';
import { countMessage } from '../planner/countMessage.ts';
import { foldTrigger, type FoldWish, summaryCap } from '../planner/foldWish.ts';
import { countingAhead, shorteningText } from '../planner/shorten.ts';
import { summaryInstruction, summaryMessage, transcriptOf } from '../planner/summary.ts';
import type { Session } from '../session/session.ts';
import { askAside, rejectAside } from './askAside.ts';
import type { Packer } from './createPacker.ts';
import type { StepPorts } from './stepPorts.ts';

/** Attempts in a row that may bring nothing. */
const mostInVain = 2;

/** Returns the step that folds what the last packing wants folded, and packs again. It never rejects. */
export function createCompaction(
  session: Session,
  ports: StepPorts,
  packer: Packer,
  signal: AbortSignal,
): () => Promise<void> {
  const { state } = session;
  const trigger = () => foldTrigger(budgetOf(session, ports));
  let inVain = 0;
  /** The packing (index) after the last fold, until a report says what came of it. */
  let unproven: number | undefined;

  const judge = () => {
    if (unproven === undefined) return;
    const last = state.reports.at(-1);
    const measured = last && last.packing >= unproven ? last.prompt : 0;
    inVain = measured > trigger() ? inVain + 1 : 0;
    unproven = undefined;
  };

  return async () => {
    judge();
    for (;;) {
      const wish = (await packer.packed())?.fold;
      if (!wish || inVain >= mostInVain || signal.aborted) return;
      const asked = await fold(session, ports, wish, signal);
      if (asked > 0) {
        inVain += asked;
        continue;
      }
      await packer.pack();
      if (((await packer.packed())?.total ?? 0) > trigger()) inVain++;
      else unproven = state.packings.length - 1;
    }
  };
}

/** What the packing that wanted to fold went by. */
function budgetOf({ state }: Session, { config }: StepPorts) {
  const { max_tokens, reserve } = config.context;
  return { max_tokens: state.packings.at(-1)?.event.limit ?? max_tokens, reserve };
}

/** Asks for a summary and puts it in the place of what it stands for; returns the requests that brought nothing. */
async function fold(
  session: Session,
  ports: StepPorts,
  { ids, tokens }: FoldWish,
  signal: AbortSignal,
): Promise<number> {
  const { journal, state } = session;
  const { countTokens } = ports;
  const factor = state.packings.at(-1)?.event.meter.factor ?? 1;
  const cap = Math.floor(summaryCap(budgetOf(session, ports)) / factor);
  const messages = ids.flatMap((id) => parseMessage(textOf(state, id) ?? '') ?? []);
  const answer = await askAside(
    session,
    ports,
    {
      purpose: 'summary',
      instruction: summaryInstruction(Math.floor(cap / 2)),
      text: transcriptOf(messages),
      longest: (text) => Math.floor((countCodePoints(text) * cap) / Math.max(countTokens(text), 1)),
    },
    signal,
  );
  if (!answer.ok) return answer.asked;
  if (signal.aborted) return 1;
  const cutting = shorteningText(answer.text, cap, countTokens);
  const text = await countingAhead(cutting, (texts) => countTokens.ahead(texts));
  if (signal.aborted) return 1;
  const summary = summaryMessage(text, ids.length);
  if (countMessage(summary, countTokens) * factor >= tokens) {
    rejectAside(journal, 'summary', 'it is not shorter than what it would replace', answer.seq);
    return 1;
  }
  const origin = { kind: 'summary', request: answer.request, folds: ids } as const;
  const message = {
    id: journal.nextMessage(),
    role: 'user',
    part: journal.part(serialise(summary)),
    origin,
  } as const;
  journal.append({ type: 'history.appended', messages: [{ ...message, before: ids[0]! }] });
  return 0;
}
