/**
 * The arguments of the library's face, for who writes JavaScript and has no compiler to say it: each check throws a
 * `TypeError` that tells what to pass instead.
 */
import type { AgentConfig } from '../core/config.ts';
import { isRecord } from '../core/parseMessage.ts';
import { errorText } from '../toolbox/errorText.ts';
import { agentSchema } from './agentSchema.ts';

/** The options of an agent that are no settings. */
export function requireOptions(options: unknown): void {
  const clients = 'createOpenAiClient({ apiBase, apiKey }) and createDemoModel() make one';
  if (!isRecord(options))
    fail(`new Agent({ model, tools }): the options must be an object; got ${shown(options)}`);
  const { model, tools, workspace, approve, retrieve, memoryFile } = options;
  if (!isRecord(model) || typeof model['send'] !== 'function')
    fail(`new Agent({ model }): the model must be a client with a send(): ${clients}; got ${shown(model)}`);
  for (const name of ['url', 'label'])
    if (typeof model[name] !== 'string')
      fail(`new Agent({ model }): the model's ${name} must be a text: ${clients}`);
  if (tools !== undefined && !Array.isArray(tools))
    fail(`new Agent({ tools }): must be a list; got ${shown(tools)}`);
  for (const [index, tool] of ((tools ?? []) as unknown[]).entries()) requireTool(tool, index);
  requireFunctions({ approve, retrieve });
  if (workspace !== undefined && !(isRecord(workspace) && typeof workspace['list'] === 'function'))
    fail(`new Agent({ workspace }): createFolderWorkspace(folder) makes one; got ${shown(workspace)}`);
  if (memoryFile !== undefined && typeof memoryFile !== 'string')
    fail(`new Agent({ memoryFile }): must be the path of a file; got ${shown(memoryFile)}`);
}

function requireTool(tool: unknown, index: number): void {
  if (isRecord(tool) && isRecord(tool['spec']) && typeof tool['prepare'] === 'function') return;
  const named =
    typeof tool === 'string'
      ? ' The tools that come along are in builtinTools and codeTools, by their spec.name.'
      : '';
  fail(
    `new Agent({ tools }): tools[${index}] must be a tool as defineTool({ … }) makes it; got ${shown(tool)}.${named}`,
  );
}

function requireFunctions(given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && typeof value !== 'function')
      fail(`new Agent({ ${name} }): must be a function; got ${shown(value)}`);
}

/** Settings as an agent file has them; throws with each one that is wrong, by name. */
export function requireSettings(settings: unknown): AgentConfig {
  const parsed = agentSchema.safeParse(settings);
  if (parsed.success) return parsed.data as AgentConfig;
  const problems = parsed.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  return fail(`new Agent(): ${problems.join('; ')}`);
}

/** A goal: what the agent is to do, in words. */
export function requireGoal(goal: unknown): void {
  if (typeof goal !== 'string' || goal.trim() === '')
    fail(`chat(goal): the goal must be a text that says what to do; got ${shown(goal)}`);
}

/** What a run is started with, beside its goal. `call`: as it is written, for the message. */
export function requireRunOptions(options: unknown, call: string): void {
  if (!isRecord(options))
    fail(`${call}: the options must be an object, { session, onEvent, signal }; got ${shown(options)}`);
  const { onEvent, signal } = options;
  if (onEvent !== undefined && onEvent !== null && typeof onEvent !== 'function')
    fail(`${call}: onEvent must be a function (event) => …; got ${shown(onEvent)}`);
  if (signal === undefined || signal === null || (isSignal(signal) && 'aborted' in signal)) return;
  const hint = isRecord(signal) && 'signal' in signal ? ': pass controller.signal' : '';
  fail(`${call}: signal must be an AbortSignal${hint}; got ${shown(signal)}`);
}

function isSignal(value: unknown): value is object {
  return isRecord(value) && typeof value['addEventListener'] === 'function';
}

/** A session, as a result holds it. */
export function requireSession(session: unknown, call: string): void {
  if (isRecord(session) && isRecord(session['journal']) && isRecord(session['state'])) return;
  const isResult = isRecord(session) && isRecord(session['session']);
  fail(
    `${call}: the session must be that of a result, ${isResult ? 'result.session and not the result itself' : 'const { session } = await agent.chat(…)'}; got ${shown(session)}`,
  );
}

function fail(message: string): never {
  throw new TypeError(message);
}

/** A value in a few words: `undefined`, `the text "gpt-4"`, `an object with type, function`. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'object' || value === null) return errorText(String(value));
  const keys = Object.keys(value).slice(0, 5).join(', ');
  return keys === '' ? 'an object with nothing in it' : `an object with ${keys}`;
}
