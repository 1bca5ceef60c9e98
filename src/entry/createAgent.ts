/** Makes an agent of its settings: the model, the tools, the tokenizer. Heavy parts are loaded here, on first use. */
import { createHash } from 'node:crypto';
import * as path from 'node:path';
import type { AgentConfig } from '../core/config.ts';
import type { Approve, Clock, ModelClient, Workspace } from '../core/ports.ts';
import { encodingFor } from '../planner/tokenizer/encoding.ts';
import { createTokenCounter } from '../planner/tokens.ts';
import type { Agent } from '../runner/run.ts';
import { createPermit, type PermitOptions } from '../toolbox/approvalRules.ts';
import { builtinTools, codeTools, editorTools, programTools } from '../toolbox/builtinTools.ts';
import { createToolbox } from '../toolbox/createToolbox.ts';
import { defineCommandTool } from '../toolbox/defineCommandTool.ts';
import type { ShowCommand } from '../toolbox/process/runShown.ts';
import type { Tool } from '../toolbox/tool.ts';
import type { UserModules } from './loadModules.ts';
import { commandEnvironment, secretsOf } from './secrets.ts';

export interface AgentInput {
  readonly config: AgentConfig;
  /** The agent file as messages and origins call it, and the line of its system prompt. */
  readonly path: string;
  readonly systemLine: number;
  readonly workspace: Workspace;
  /** The user's rules for calls beside the agent file's, and why nothing may be changed at all. */
  readonly rules?: Omit<PermitOptions, 'agent'>;
  /** Who is asked before a call that the rules let run only after a yes, where no debugger could stop before it; nobody when left out. */
  readonly approve?: Approve | undefined;
  /** Where people see the commands that its tools run; nowhere when left out. */
  readonly showCommand?: ShowCommand;
  readonly clock: Clock;
  /** The key for an API base, when there is one. */
  readonly apiKey: string | undefined;
  /** Who says which proxy is used; the environment's variables when left out. */
  readonly proxies?: 'environment' | 'editor';
  /** What the agent file names by path (see `loadModules`). */
  readonly modules?: UserModules;
  /** Where its sessions are remembered, when the agent file says that they are. */
  readonly memoryFile: string;
}

/** The model name of the built-in offline model. */
export const demoName = 'demo';

export async function createAgent(input: AgentInput): Promise<Agent> {
  const { config, memoryFile } = input;
  const remembers = config.memory === 'on' || config.memory === 'ask';
  return {
    config,
    model: await createModel(input),
    toolbox: createToolbox(toolsOf(input)),
    workspace: input.workspace,
    permit: createPermit({ agent: config.approvals, ...input.rules }),
    ...(input.approve ? { approve: input.approve } : {}),
    countTokens: await createTokenCounter(encodingFor(config.model_name)),
    clock: input.clock,
    systemOrigin: { kind: 'system', location: { path: input.path, line: input.systemLine } },
    secrets: secretsOf(config, input.apiKey, process.env),
    ...input.modules,
    ...(remembers ? { memory: { file: memoryFile, name: path.basename(memoryFile) } } : {}),
  };
}

function toolsOf({ config, apiKey, showCommand, workspace }: AgentInput): readonly Tool[] {
  const env = commandEnvironment(process.env, { apiKey, named: config.api_key_env });
  const shipped = [
    ...builtinTools,
    ...programTools({ env, show: showCommand }),
    ...codeTools,
    ...(workspace.editor ? editorTools : []),
  ];
  return [
    ...shipped.filter(({ spec }) => config.tools.includes(spec.name)),
    ...config.tools.flatMap((tool) =>
      typeof tool === 'string' ? [] : [defineCommandTool(tool, env, showCommand)],
    ),
  ];
}

async function createModel({ config, apiKey, proxies }: AgentInput): Promise<ModelClient> {
  if (config.model_name === demoName) return (await import('../planner/demoModel.ts')).createDemoModel();
  const { createOpenAiClient } = await import('../planner/openaiClient.ts');
  return createOpenAiClient({
    apiBase: config.api_base,
    label: config.model_name,
    overflowPatterns: config.context.overflow_patterns ?? [],
    ...(proxies === undefined ? {} : { proxies }),
    ...(apiKey === undefined ? {} : { apiKey }),
  });
}

/** The key that a variable named by the agent file holds, else the stored one for the base, else `OPENAI_API_KEY`. */
export function resolveApiKey(
  config: AgentConfig,
  env: Readonly<Record<string, string | undefined>>,
  stored?: string,
): string | undefined {
  const named = config.api_key_env === undefined ? undefined : env[config.api_key_env];
  return [named, stored, env['OPENAI_API_KEY']].find((key) => key !== undefined && key.trim() !== '')?.trim();
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
