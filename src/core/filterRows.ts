import type { MessageRow, RoundRow } from './compareSent.ts';
import type { JournalState } from './journalState.ts';
import { bodyOfPart, callLinks } from './messageView.ts';
import type { RowFilter } from './protocol.ts';

/** Whether a filter leaves out messages; one for the lane alone does not. */
export function filtersRows({ role, tool, change }: RowFilter): boolean {
  return role !== undefined || tool !== undefined || change !== undefined;
}

/** The rows that a filter lets through, those of groups too, each by itself. */
export function filterRows<Row extends MessageRow>(
  state: JournalState,
  rows: readonly (Row | Extract<RoundRow, { kind: 'kept' }>)[],
  filter: RowFilter,
): readonly (Row | MessageRow)[] {
  const { role, tool, change } = filter;
  return rows
    .flatMap((row): readonly (Row | MessageRow)[] => (row.kind === 'kept' ? row.rows : [row]))
    .filter(
      (row) =>
        (role === undefined || row.role === role) &&
        (change === undefined || row.change === change) &&
        (tool === undefined || usesTool(state, row, tool)),
    );
}

/** An assistant message that calls it, or the result of such a call. */
function usesTool(state: JournalState, row: MessageRow, tool: string): boolean {
  const body = bodyOfPart(state, row.part);
  if (row.role !== 'tool') return body?.calls.some(({ name }) => name === tool) ?? false;
  const call = callLinks(state, row.id).call;
  const calls =
    call === undefined ? [] : bodyOfPart(state, state.messages.get(call)?.versions.at(-1)?.part)?.calls;
  return calls?.some(({ name, wireId }) => name === tool && wireId === body?.answers) ?? false;
}
