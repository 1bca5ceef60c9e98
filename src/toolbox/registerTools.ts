import type { ToolSpec } from '../core/ports.ts';
import { isStrictSchema, schemaProblem } from './schemaProblem.ts';
import type { Tool } from './tool.ts';
import { wireName } from './wireName.ts';

/** A tool under the name that it has on the wire. */
export interface RegisteredTool extends Tool {
  readonly spec: ToolSpec;
}

/**
 * The tools by wire name. Throws for what would cost every request of the agent, with the tool's name: two tools
 * of one name, an unusable name, a schema that providers refuse.
 */
export function registerTools(tools: readonly Tool[]): ReadonlyMap<string, RegisteredTool> {
  const byName = new Map<string, RegisteredTool>();
  for (const tool of tools) {
    const registered = register(tool);
    const taken = byName.get(registered.spec.name)?.spec;
    if (taken)
      throw new Error(
        `two tools have the same name: ${shown(taken)} and ${shown(registered.spec)}. Leave one out, or rename it.`,
      );
    byName.set(registered.spec.name, registered);
  }
  return byName;
}

function register(tool: Tool): RegisteredTool {
  const { strict, ...spec } = tool.spec;
  const { name: own, description, parameters } = spec;
  const problem = nameProblem(own) ?? schemaProblem(parameters);
  if (problem) throw new Error(`the tool ${JSON.stringify(own)} can not be used: ${problem}`);
  if (typeof description !== 'string' || !description.isWellFormed())
    throw new Error(
      `the tool ${JSON.stringify(own)} can not be used: its description is no well-formed text`,
    );
  const name = wireName(own);
  return {
    ...tool,
    spec: {
      ...spec,
      name,
      ...(name === own ? {} : { ownName: own }),
      ...(strict && isStrictSchema(parameters) ? { strict } : {}),
    },
  };
}

/** Why a tool can't be named so, whatever its name on the wire. */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || name.trim() === '') return 'its name is empty';
  if (name.length > 512) return 'its name is longer than 512 characters';
  return /[\u0000-\u001F\u007F]/.test(name) || !name.isWellFormed()
    ? 'its name holds control characters, or half a surrogate pair'
    : undefined;
}

function shown({ name, ownName }: ToolSpec): string {
  return ownName === undefined ? JSON.stringify(name) : `${JSON.stringify(ownName)} (${name} on the wire)`;
}
