/** `.vscode/tasks.json`, as far as it can be run without VS Code; of the rest it is said why not. */
import { parse } from 'jsonc-parser';
import * as z from 'zod';
import { isRecord } from '../../core/parseMessage.ts';
import type { Environment } from '../defineCommandTool.ts';
import type { PlainTask } from './plainTasks.ts';
import { quoteForShell } from './quoteForShell.ts';

export interface TaskVariables {
  readonly workspaceFolder: string;
  readonly userHome: string;
  readonly env: Environment;
}

const word = z.union([z.string(), z.object({ value: z.string(), quoting: z.string().optional() })]);
type Word = z.output<typeof word>;

const parts = z.object({
  type: z.string().optional(),
  command: word.optional(),
  args: z.array(word).optional(),
  script: z.string().optional(),
  options: z
    .object({
      cwd: z.string().optional(),
      env: z.record(z.string(), z.string()).optional(),
      shell: z.unknown().optional(),
    })
    .optional(),
});
type Parts = z.output<typeof parts>;

const definition = parts.extend({
  label: z.string().optional(),
  taskName: z.string().optional(),
  detail: z.string().optional(),
  isBackground: z.boolean().optional(),
  dependsOn: z.unknown().optional(),
  group: z.union([z.string(), z.object({ kind: z.string() })]).optional(),
  windows: parts.optional(),
  osx: parts.optional(),
  linux: parts.optional(),
});
type Definition = z.output<typeof definition>;

const systems: Readonly<Record<string, 'windows' | 'osx' | 'linux'>> = {
  win32: 'windows',
  darwin: 'osx',
  linux: 'linux',
};

export function definedTasks(
  text: string,
  variables: TaskVariables,
  platform: NodeJS.Platform = process.platform,
): readonly PlainTask[] {
  const file: unknown = parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  if (!isRecord(file) || !Array.isArray(file['tasks'])) return [];
  const common = parts.safeParse(file).data?.options;
  return (file['tasks'] as readonly unknown[]).flatMap((value): PlainTask[] => {
    const name = isRecord(value) ? (value['label'] ?? value['taskName']) : undefined;
    const read = definition.safeParse(value);
    if (read.success) return [taskOf(read.data, common, variables, platform)];
    return typeof name === 'string' ? [{ task: name, problem: 'its definition is not right' }] : [];
  });
}

function taskOf(
  given: Definition,
  common: Parts['options'],
  variables: TaskVariables,
  platform: NodeJS.Platform,
): PlainTask {
  const system = systems[platform];
  const own = { ...given, ...(system ? given[system] : undefined) };
  const options = { ...common, ...own.options, env: { ...common?.env, ...own.options?.env } };
  const { detail, group } = own;
  const name = own.label ?? own.taskName ?? (own.type === 'npm' ? `npm: ${own.script}` : '');
  const info = {
    task: name,
    ...(detail === undefined ? {} : { detail }),
    ...(group === undefined ? {} : { group: typeof group === 'string' ? group : group.kind }),
  };
  const problem = problemOf(own, options);
  if (problem !== undefined) return { ...info, problem };
  const filling = createFilling(variables);
  const run = runOf(own, filling.fill, platform);
  const cwd = options.cwd === undefined ? undefined : filling.fill(options.cwd);
  const env = Object.entries(options.env).map(([key, value]) => [key, filling.fill(value)] as const);
  // What the environment holds is for the task alone.
  const told = runOf(own, createFilling({ ...variables, env: undefined }).fill, platform);
  const command = typeof told === 'string' ? told : told.map((one) => quoteForShell(one, platform)).join(' ');
  const [unknown] = filling.unknown;
  if (unknown !== undefined)
    return { ...info, command, problem: `it uses ${unknown}, which only VS Code can fill in` };
  return {
    ...info,
    command,
    run,
    ...(cwd === undefined ? {} : { cwd }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  };
}

function problemOf(task: Definition, options: NonNullable<Parts['options']>): string | undefined {
  if (task.isBackground) return 'it runs in the background and does not end by itself';
  if (task.dependsOn !== undefined) return 'it runs other tasks first, which only VS Code does';
  if (options.shell !== undefined) return 'it names a shell of its own, which only VS Code starts';
  if (task.type === 'npm') return task.script === undefined ? 'it names no script' : undefined;
  if (task.type !== undefined && task.type !== 'shell' && task.type !== 'process')
    return `an extension of VS Code runs tasks of the type ${JSON.stringify(task.type)}`;
  return task.command === undefined ? 'it has no command' : undefined;
}

function runOf(
  { type, command = '', args = [], script = '' }: Parts,
  fill: (text: string) => string,
  platform: NodeJS.Platform,
): string | readonly string[] {
  if (type === 'npm') return `npm run ${quoteForShell(script, platform)}`;
  const filled = [command, ...args].map((one) =>
    typeof one === 'string' ? fill(one) : { ...one, value: fill(one.value) },
  );
  if (type === 'process') return filled.map((one) => (typeof one === 'string' ? one : one.value));
  // A command alone is a whole line for the shell; its arguments are words beside it.
  const [line = '', ...words] = filled;
  const first = typeof line === 'string' && words.length === 0 ? line : shellWord(line, platform);
  return [first, ...words.map((one) => shellWord(one, platform))].join(' ');
}

/** As VS Code does it: what has no blanks is the shell's to read, the rest is one word. */
function shellWord(given: Exclude<Word, undefined>, platform: NodeJS.Platform): string {
  if (typeof given !== 'string') return quoteForShell(given.value, platform);
  return /[\s"']/.test(given) && !isQuoted(given) ? quoteForShell(given, platform) : given;
}

function isQuoted(text: string): boolean {
  return text.length > 1 && /^(["']).*\1$/s.test(text);
}

/** Fills in variables, and keeps those that it does not know; those of the environment too where there is none. */
function createFilling({
  workspaceFolder,
  userHome,
  env,
}: Omit<TaskVariables, 'env'> & { readonly env: Environment | undefined }) {
  const unknown: string[] = [];
  const known: Readonly<Record<string, string>> = {
    workspaceFolder,
    workspaceRoot: workspaceFolder,
    cwd: workspaceFolder,
    workspaceFolderBasename: workspaceFolder.split(/[\\/]/).at(-1) ?? '',
    userHome,
    pathSeparator: process.platform === 'win32' ? '\\' : '/',
    '/': process.platform === 'win32' ? '\\' : '/',
  };
  const fill = (text: string) =>
    text.replace(/\$\{([^{}]*)\}/g, (whole, name: string) => {
      if (name.startsWith('env:')) return env ? (env[name.slice(4)] ?? '') : whole;
      const value = Object.hasOwn(known, name) ? known[name] : undefined;
      if (value === undefined) unknown.push(whole);
      return value ?? whole;
    });
  return { fill, unknown };
}
