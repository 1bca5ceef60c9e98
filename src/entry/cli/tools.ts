import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { encodingFor } from '../../planner/tokenizer/encoding.ts';
import { createTokenCounter } from '../../planner/tokens.ts';
import { toolNames } from '../../toolbox/builtinTools.ts';
import { parseAgentFile } from '../agentFile.ts';
import { type AgentTool, agentTools } from '../agentTools.ts';
import { oneLine, toolWords, totalWords } from '../toolWords.ts';
import { exitCodes } from './exitCodes.ts';
import { badInput, parseOptions } from './options.ts';

const help = `Shows the tools that an agent gets on the command line: what each changes, whether a rule ("approvals") asks
for it or denies it, and what it costs in each request.

Usage: loopscope tools <agent file> [--sent]

Options:
  --sent   print them as they are sent instead: the JSON of "tools" in a request
  --help   this text

Exit code: 0, or 2 where something is wrong with the agent file or its tools.
`;

export async function toolsCommand(args: readonly string[]): Promise<number> {
  const parsed = parseOptions(args, { sent: { type: 'boolean' } } as const, help, { min: 1, max: 1 });
  if (!parsed.ok) return parsed.exitCode;
  const [given = ''] = parsed.positionals;
  const text = await readFile(given, 'utf8').catch((error: Error) => error);
  if (text instanceof Error)
    return badInput(`Can not read the agent file ${given}: ${text.message}`).exitCode;
  const file = parseAgentFile(text, path.basename(given), toolNames);
  const problems = file.ok ? file.warnings : file.problems;
  for (const { message } of problems) process.stderr.write(`${oneLine(message)}\n`);
  const known = file.ok ? file : file.known;
  if (!known) return exitCodes.badInput;
  const list = agentTools({
    ...known,
    rules: { agent: known.config.approvals },
    place: { isTrusted: true, hasEditor: false, hasFolder: true },
    countTokens: await createTokenCounter(encodingFor(known.config.model_name)),
    problems: file.ok ? [] : file.problems,
  });
  const sent = list.tools.filter(({ state }) => state === 'sent');
  if (parsed.values.sent) process.stdout.write(`[${sent.map((tool) => tool.sent).join(',')}]\n`);
  else {
    for (const tool of list.tools.filter(({ state }) => state !== 'not given')) writeTool(tool);
    process.stdout.write(`${totalWords(list)}\n`);
  }
  return file.ok ? exitCodes.done : exitCodes.badInput;
}

function writeTool(tool: AgentTool): void {
  process.stdout.write(`${oneLine([tool.name, ...toolWords(tool)].join(' · '))}\n`);
  // What is an error was said of the file.
  for (const { severity, message } of tool.problems)
    if (severity !== 'error') process.stdout.write(`  ${severity}: ${oneLine(message)}\n`);
}
