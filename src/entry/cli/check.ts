import { readFile } from 'node:fs/promises';
import { checkJournal } from '../../core/check.ts';
import { readJournalText } from '../../session/journalText.ts';
import { sha256 } from '../createAgent.ts';
import { exitCodes } from './exitCodes.ts';
import { badInput, parseOptions } from './options.ts';

const help = `Proves a journal: rebuilds every request body and compares its hash and size, checks that what was
sent is what the packing and the edits name, that every history sent was legal, that no call ran twice.

Usage: loopscope check <journal file>

Exit code: 0 all proven, 1 something is wrong, 2 the file can not be read.
`;

export async function checkCommand(args: readonly string[]): Promise<number> {
  const parsed = parseOptions(args, {}, help, { min: 1, max: 1 });
  if (!parsed.ok) return parsed.exitCode;
  const [file = ''] = parsed.positionals;
  const text = await readFile(file, 'utf8').catch((error: Error) => error);
  if (text instanceof Error) return badInput(`Can not read ${file}: ${text.message}`).exitCode;
  const read = readJournalText(text);
  if (!read.ok) return badInput(`${file}:${read.line}: ${read.message}`).exitCode;
  const report = checkJournal(read.events, { sha256, byteLength: (body) => Buffer.byteLength(body) });
  if (read.torn !== undefined)
    process.stderr.write(`${file}: the last line is torn (${read.torn.length} characters)\n`);
  for (const { seq, message } of report.notes) process.stderr.write(`${file}:${seq + 1}: note: ${message}\n`);
  for (const { seq, message } of report.problems) process.stdout.write(`${file}:${seq + 1}: ${message}\n`);
  const { events, runs, requests, problems } = report;
  const verdict =
    problems.length === 0 ? 'every request body rebuilds to its hash' : `${problems.length} problem(s)`;
  process.stdout.write(`${events} events, ${runs} run(s), ${requests} request(s): ${verdict}\n`);
  return problems.length === 0 ? exitCodes.done : exitCodes.crashed;
}
