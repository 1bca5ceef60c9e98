/** The commands that edit what is paused, registered before anything is: what they do is loaded with the first one. */

import type { CallPreview } from './callPreview.ts';
import type { EditCommand } from './editHere.ts';
import type { SessionStore } from './sessionStore.ts';
import type { VariableRow } from './variableRow.ts';

type Name = EditCommand | 'editHere' | 'showChange';

/** A record, so that the compiler asks for a command that joins them. */
const names: Readonly<Record<Name, true>> = {
  dropMessage: true,
  restoreMessage: true,
  pinMessage: true,
  unpinMessage: true,
  removeMessage: true,
  addMessage: true,
  setParameter: true,
  resetParameter: true,
  addCall: true,
  removeCall: true,
  mockCall: true,
  skipCall: true,
  rejectCall: true,
  askAgain: true,
  editHere: true,
  showChange: true,
};

export function editCommandsLater(
  store: SessionStore,
  preview: CallPreview,
): Record<Name, (row?: VariableRow) => Promise<void>> {
  const commands = (Object.keys(names) as Name[]).map((name) => {
    const run = async (...given: [row?: VariableRow]) => {
      const { editCommands } = await import('./editCommands.ts');
      await editCommands(store, preview)[name](...given);
    };
    return [name, run] as const;
  });
  return Object.fromEntries(commands) as Record<Name, (row?: VariableRow) => Promise<void>>;
}
