import { readFile, stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { AgentConfig } from '../../core/config.ts';
import { codeTools, toolNames } from '../../toolbox/builtinTools.ts';
import { noCode, untrusted } from '../../toolbox/code/noCode.ts';
import { createFolderWorkspace } from '../../toolbox/folderWorkspace.ts';
import type { CodeServices } from '../../core/services.ts';
import type { Approve } from '../../core/ports.ts';
import type { Agent } from '../../runner/run.ts';
import { absentTools } from '../absentTools.ts';
import { parseAgentFile } from '../agentFile.ts';
import { createAgent, resolveApiKey } from '../createAgent.ts';
import { loadModules } from '../loadModules.ts';
import { systemClock } from '../systemClock.ts';

export type LoadedAgent =
  | { readonly ok: true; readonly agent: Agent; readonly name: string; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string };

export interface LoadOptions {
  readonly approve?: Approve;
  /** Who is asked about code; left out where code of the folder may not be loaded. */
  readonly codeOf?: ((folder: string) => Promise<CodeServices>) | undefined;
}

/** An agent of a file on disk, working in a plain folder. */
export async function loadAgent(
  file: string,
  workspace: string,
  settings: ReadonlyMap<string, unknown>,
  { approve, codeOf }: LoadOptions = {},
): Promise<LoadedAgent> {
  const read = await readText(file);
  if (!read.ok) return read;
  const name = path.basename(file);
  const parsed = parseAgentFile(read.text, name, toolNames, settings);
  if (!parsed.ok) return { ok: false, message: parsed.problems.map(({ message }) => message).join('\n') };
  const folder = path.resolve(workspace);
  if (!(await isFolder(folder))) return { ok: false, message: `The workspace ${folder} is not a folder.` };
  const loaded = await loadModules(parsed.config.context, path.resolve(file));
  if (!loaded.ok) return loaded;
  const agent = await createAgent({
    config: parsed.config,
    path: name,
    systemLine: parsed.systemLine,
    workspace: createFolderWorkspace(folder, {
      code: codeOf ? await codeOf(folder) : noCode(untrusted),
    }),
    approve,
    clock: systemClock,
    apiKey: resolveApiKey(parsed.config, process.env),
    memoryFile: memoryFileOf(file),
    modules: loaded.modules,
  });
  const warnings = [
    ...parsed.warnings.map(({ message }) => message),
    ...absentTools(parsed.config, agent.workspace).map((words) => `${name}: ${words}`),
    ...(codeOf ? [] : codeWarning(parsed.config)),
  ];
  return { ok: true, agent, name, warnings };
}

/** Before the model finds out: what its tools would need. */
function codeWarning({ tools }: AgentConfig): readonly string[] {
  const asking = codeTools.map(({ spec }) => spec.name).filter((name) => tools.includes(name));
  return asking.length === 0
    ? []
    : [`${asking.join(', ')}: without --trust-workspace there is no language service that could be asked.`];
}

/** Beside the agent file: `day.memory.json` for `day.agent.json`. */
export function memoryFileOf(agentFile: string): string {
  return `${path.resolve(agentFile).replace(/(\.agent)?\.json$/, '')}.memory.json`;
}

async function readText(file: string): Promise<{ ok: true; text: string } | { ok: false; message: string }> {
  try {
    return { ok: true, text: await readFile(file, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'it is a folder'
          : (error as Error).message;
    return { ok: false, message: `Can not read the agent file ${file}: ${why}.` };
  }
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
