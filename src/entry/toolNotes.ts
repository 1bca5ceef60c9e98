/** What is worth knowing of an agent's tools where nothing is wrong with the file: per tool, in words for people. */
import * as l10n from '@vscode/l10n';
import type { AgentConfig, CommandToolConfig } from '../core/config.ts';
import { mostTools, pickyProblems } from '../toolbox/pickyProviders.ts';
import { nameProblem } from '../toolbox/registerTools.ts';
import { wireName } from '../toolbox/wireName.ts';
import { absence, type ToolPlace } from './absentTools.ts';

export interface ToolNote {
  /** The place in `tools`. */
  readonly tool: number;
  readonly message: string;
  /** `warning`: something is missing here, or refused somewhere. */
  readonly severity: 'warning' | 'information';
}

export function toolNotes({ tools }: Pick<AgentConfig, 'tools'>, place: ToolPlace): readonly ToolNote[] {
  return tools.flatMap((tool, index): ToolNote[] => {
    const missing = absence(tool, place);
    const [name, picky] = typeof tool === 'string' ? [undefined, []] : [renamed(tool), refusals(tool)];
    return [
      ...[missing, ...picky, index === mostTools ? tooMany(tools.length) : undefined].flatMap((message) =>
        message === undefined ? [] : [{ tool: index, message, severity: 'warning' } as const],
      ),
      ...(name === undefined ? [] : [{ tool: index, message: name, severity: 'information' } as const]),
    ];
  });
}

function renamed({ name }: CommandToolConfig): string | undefined {
  const wire = wireName(name);
  if (wire === name || nameProblem(name) !== undefined) return undefined;
  return l10n.t(
    'The model is told of this tool as {0}: providers take letters, digits, _ and -, and 64 characters.',
    wire,
  );
}

function refusals(tool: CommandToolConfig): readonly string[] {
  return pickyProblems(tool).map((why) =>
    l10n.t('Some providers refuse the tool {0}, and every request with it: {1}.', tool.name, why),
  );
}

function tooMany(count: number): string {
  return l10n.t(
    'These are {0} tools; some providers take {1} in a request.',
    String(count),
    String(mostTools),
  );
}
