import * as l10n from '@vscode/l10n';
import type { AgentConfig } from '../core/config.ts';
import type { Workspace } from '../core/ports.ts';
import { editorToolNames } from '../toolbox/builtinTools.ts';

/** In words, the tools that an agent file names and that the agent does not get here: there is no editor to ask. */
export function absentTools({ tools }: AgentConfig, { editor }: Workspace): readonly string[] {
  const named = tools.filter((tool) => typeof tool === 'string');
  const absent = editor ? [] : named.filter((tool) => editorToolNames.includes(tool));
  return absent.map((tool) =>
    l10n.t('The tool {0} asks an editor: without one the agent does not get it.', tool),
  );
}
