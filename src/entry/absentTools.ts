/** What an agent file names and the agent does not get here, or could not run here: why, in words for people. */
import * as l10n from '@vscode/l10n';
import type { AgentConfig, CommandToolConfig } from '../core/config.ts';
import type { Workspace } from '../core/ports.ts';
import { editorToolNames, programNames } from '../toolbox/builtinTools.ts';

/** Where an agent would run. */
export interface ToolPlace {
  readonly isTrusted: boolean;
  /** There is an editor to ask. */
  readonly hasEditor: boolean;
  /** A folder on a disk of this machine is open, for commands. */
  readonly hasFolder: boolean;
}

export function placeOf(
  { editor, folder }: Pick<Workspace, 'editor' | 'folder'>,
  isTrusted = true,
): ToolPlace {
  return { isTrusted, hasEditor: editor !== undefined, hasFolder: folder().ok };
}

/** The tools that an agent does not get here: there is no editor to ask. */
export function absentTools({ tools }: AgentConfig, workspace: Workspace): readonly string[] {
  const place = placeOf(workspace);
  return tools.flatMap((tool) => (isCommand(tool) ? [] : (absence(tool, place) ?? [])));
}

/** Why an agent with these tools is not started here: commands are code, and they need a folder on a disk. */
export function unrunnableTools({ tools }: AgentConfig, place: ToolPlace): string | undefined {
  const commands = tools.filter(isCommand).map((tool) => (typeof tool === 'string' ? tool : tool.name));
  return commands.length === 0 ? undefined : unrunnable(commands, place);
}

/** Why this one is not there, or can not be run here; undefined where it is and can. */
export function absence(tool: string | CommandToolConfig, place: ToolPlace): string | undefined {
  if (isCommand(tool)) return unrunnable([typeof tool === 'string' ? tool : tool.name], place);
  return typeof tool === 'string' && editorToolNames.includes(tool) && !place.hasEditor
    ? l10n.t('The tool {0} asks an editor: without one the agent does not get it.', tool)
    : undefined;
}

function unrunnable(commands: readonly string[], { isTrusted, hasFolder }: ToolPlace): string | undefined {
  const names = commands.join(', ');
  if (!isTrusted)
    return l10n.t('The tools {0} are commands: they are run only in a trusted workspace.', names);
  if (hasFolder) return undefined;
  return l10n.t(
    'The tools {0} are commands: they are run in the workspace folder, and no folder on disk is open.',
    names,
  );
}

function isCommand(tool: string | CommandToolConfig): boolean {
  return typeof tool !== 'string' || programNames.includes(tool);
}
