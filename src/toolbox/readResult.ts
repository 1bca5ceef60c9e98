import * as z from 'zod';
import type { CallResults } from '../core/ports.ts';
import { capText, countCodePoints, sliceCodePoints } from '../core/capText.ts';
import { pagerName } from '../core/restNote.ts';
import type { ResultPage } from '../core/resultPage.ts';
import { defineTool } from './defineTool.ts';
import { nearestNames } from './nearestNames.ts';
import { resultText } from './resultText.ts';
import { ToolError } from './toolError.ts';

/** JSON characters of a page: below what an observation may have, so that a page is never cut itself. */
const pageRoom = 3_500;

/** Pages through the result of an earlier call. Every agent has it; a model is told of it once a result was cut. */
export const readResult = defineTool({
  name: pagerName,
  description:
    'Reads the whole result of an earlier tool call that was too long and was cut: the characters start to end (from 1, ' +
    'inclusive). A note beside a cut result gives the call to use. `end` is the last character that you got of `total`; ' +
    'go on from end + 1.',
  effects: 'none',
  input: z.strictObject({
    call: z.string().describe('As the note names it, for example 1.2.1'),
    start: z.int().min(1).optional(),
    end: z.int().min(1).optional(),
  }),
  run: ({ call, start = 1, end }, { results }): ResultPage => {
    if (end !== undefined && end < start) throw new ToolError(`end (${end}) is before start (${start})`);
    const observation = results.get(call);
    if (!observation) throw new ToolError(unknownCall(call, results));
    const text = resultText(observation);
    const total = countCodePoints(text);
    if (start > Math.max(total, 1))
      throw new ToolError(`the result of call ${call} has ${total} characters; start was ${start}`);
    const page = pageOf(text, start, end ?? total);
    return { call, start, end: start - 1 + countCodePoints(page), total, text: page };
  },
});

/** As much from `start` on as fits one page, written as JSON. */
function pageOf(text: string, start: number, end: number): string {
  let page = sliceCodePoints(text, start - 1, Math.min(end, start - 1 + pageRoom));
  while (JSON.stringify(page).length > pageRoom) {
    page = sliceCodePoints(page, 0, Math.floor(countCodePoints(page) * 0.8));
  }
  return page;
}

function unknownCall(call: string, { keys, cut }: CallResults): string {
  const near = nearestNames(call, keys);
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  const there =
    cut.length > 0
      ? ` Calls whose result was cut: ${cut.slice(-10).join(', ')}.`
      : ' No result was cut so far: you have all of each.';
  return `there is no result of a call ${JSON.stringify(capText(call, 100))}.${meant}${there}`;
}
