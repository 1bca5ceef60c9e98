import { visible } from '../../core/visible.ts';
import { forgetMemories, readMemories } from '../../session/memoryFile.ts';
import { exitCodes } from './exitCodes.ts';
import { memoryFileOf } from './loadAgent.ts';
import { badInput, parseOptions } from './options.ts';

const help = `Shows what an agent remembers of earlier sessions, or forgets it.

Usage: loopscope memory <agent file> [--forget]

It is kept in a JSON file beside the agent file (day.memory.json for day.agent.json), when the agent file says
"memory": "on" or "ask".

Options:
  --forget   delete the file
  --help     this text
`;

export function memoryCommand(args: readonly string[]): number {
  const parsed = parseOptions(args, { forget: { type: 'boolean' } } as const, help, { min: 1, max: 1 });
  if (!parsed.ok) return parsed.exitCode;
  const [agent = ''] = parsed.positionals;
  const file = memoryFileOf(agent);
  return parsed.values.forget === true ? forget(file) : show(file);
}

function show(file: string): number {
  const known = readMemories(file);
  if (!known.ok) return badInput(known.why).exitCode;
  for (const { session, at, summary } of known.memories)
    process.stdout.write(`${visible(`${at} (${session}): ${summary}`)}\n`);
  if (known.memories.length === 0) process.stderr.write(`Nothing is remembered in ${file}.\n`);
  return exitCodes.done;
}

function forget(file: string): number {
  try {
    const wasThere = forgetMemories(file);
    process.stderr.write(wasThere ? `${file} was deleted.\n` : `There is no ${file}.\n`);
    return exitCodes.done;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return badInput(`${file} can not be deleted: ${why}`).exitCode;
  }
}
