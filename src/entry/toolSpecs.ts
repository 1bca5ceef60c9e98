/** The tools of an agent file as they would be sent, without making them: nothing is run, and a broken one is there too. */
import type { AgentConfig, CommandToolConfig } from '../core/config.ts';
import type { ToolSpec } from '../core/ports.ts';
import { builtinTools, codeTools, editorTools, programTools } from '../toolbox/builtinTools.ts';
import { defineCommandTool } from '../toolbox/defineCommandTool.ts';
import { registerTools } from '../toolbox/registerTools.ts';
import { wireName } from '../toolbox/wireName.ts';

/** What ships with Loopscope, in the order in which models are told of it. */
export const shippedSpecs: readonly ToolSpec[] = [
  ...builtinTools,
  ...programTools({ env: {} }),
  ...codeTools,
  ...editorTools,
].map(({ spec }) => spec);

/** A command of the agent file's under its name on the wire, also where it could not be used. */
export function commandSpec(config: CommandToolConfig): ToolSpec {
  try {
    const [registered] = registerTools([defineCommandTool(config, {})]).values();
    if (registered) return registered.spec;
  } catch {
    // What is wrong with it is told as a problem of the agent file.
  }
  const { name, description, parameters, effects } = config;
  const wire = wireName(name);
  return {
    name: wire,
    ...(wire === name ? {} : { ownName: name }),
    description,
    parameters,
    effects,
    command: true,
  };
}

/** In the order in which they are sent; a name that there is not is left out. */
export function specsOf({ tools }: Pick<AgentConfig, 'tools'>): readonly ToolSpec[] {
  return [
    ...shippedSpecs.filter(({ name }) => tools.includes(name)),
    ...tools.flatMap((tool) => (typeof tool === 'string' ? [] : [commandSpec(tool)])),
  ];
}
