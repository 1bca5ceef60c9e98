/** What is wrong with the tools of an agent file: names that there are not, commands that no provider would take. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { CommandToolConfig } from '../core/config.ts';
import { isRecord } from '../core/parseMessage.ts';
import { atPointer } from '../core/pointer.ts';
import { nearestNames } from '../toolbox/nearestNames.ts';
import { readResult } from '../toolbox/readResult.ts';
import { nameProblem } from '../toolbox/registerTools.ts';
import { schemaProblem } from '../toolbox/schemaProblem.ts';
import { wireName } from '../toolbox/wireName.ts';

export interface ToolProblem {
  /** Within `tools`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** @param known names of the tools that there are */
export function toolProblems(
  tools: readonly (string | CommandToolConfig)[],
  known: readonly string[],
): ToolProblem[] {
  const names = tools.map((tool) => (typeof tool === 'string' ? tool : tool.name));
  return tools.flatMap((tool, index) =>
    typeof tool === 'string'
      ? namedProblems(tool, index, names.indexOf(tool) !== index, known)
      : commandProblems(tool, index, [...known, readResult.spec.name], names.slice(0, index)),
  );
}

function namedProblems(
  name: string,
  index: number,
  isTwice: boolean,
  known: readonly string[],
): ToolProblem[] {
  if (isTwice) return [{ path: [index], message: twice(name) }];
  if (known.includes(name)) return [];
  const [nearest] = nearestNames(name, known);
  const tools = known.join(', ');
  const message = nearest
    ? l10n.t('There is no tool "{0}". Did you mean "{1}"? Tools: {2}.', name, nearest, tools)
    : l10n.t('There is no tool "{0}". Tools: {1}.', name, tools);
  return [{ path: [index], message }];
}

function commandProblems(
  { name, parameters }: CommandToolConfig,
  index: number,
  known: readonly string[],
  before: readonly string[],
): ToolProblem[] {
  const wire = wireName(name);
  const unnamed = nameProblem(name);
  const unusable = schemaProblem(parameters);
  return [
    ...(unnamed === undefined
      ? []
      : [
          {
            path: [index, 'name'],
            message: l10n.t('A tool can not be named {0}: {1}.', JSON.stringify(name), unnamed),
          },
        ]),
    ...(known.includes(wire)
      ? [
          {
            path: [index, 'name'],
            message: l10n.t('"{0}" is the name of a tool that Loopscope has: choose another.', name),
          },
        ]
      : []),
    ...(before.some((one) => wireName(one) === wire)
      ? [{ path: [index, 'name'], message: twice(name) }]
      : []),
    ...(unusable === undefined
      ? []
      : [
          {
            path: [index, 'parameters'],
            message: l10n.t('The parameters of the tool "{0}" can not be used: {1}.', name, unusable),
          },
        ]),
  ];
}

function twice(name: string): string {
  return l10n.t('The tool "{0}" is listed twice.', name);
}

/** What is wrong inside a tool that is an object, and not that it is no name. */
export function toolIssues(issue: z.core.$ZodIssue, value: unknown): readonly z.core.$ZodIssue[] {
  const { path } = issue;
  if (issue.code !== 'invalid_union' || path[0] !== 'tools' || path.length !== 2) return [issue];
  const inside = issue.errors.at(-1);
  if (!inside || !isRecord(atPointer(value, path.join('/')))) return [issue];
  return inside.map((one) => ({ ...one, path: [...path, ...one.path] }));
}
