import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { answerText, logLine } from '../../core/logLine.ts';
import { currentRun, stoppedAtLimit } from '../../core/journalState.ts';
import type { Approve } from '../../core/ports.ts';
import { visible } from '../../core/visible.ts';
import { remember } from '../../runner/remember.ts';
import { type RunStart, startRun } from '../../runner/run.ts';
import { folderCode } from '../folderCode.ts';
import { newSessionId, openSessionFile } from '../openSessionFile.ts';
import { systemClock } from '../systemClock.ts';
import { exitCodeOf } from './exitCodes.ts';
import { loadAgent } from './loadAgent.ts';
import { onEndSignal } from './onEndSignal.ts';
import { badInput, parseOptions, parseSettings } from './options.ts';

const help = `Runs an agent and prints its log lines and its answer.

Usage: loopscope run <agent file> [goal] [options]

The goal may also come on stdin.

Options:
  --journal FILE     write the journal there; an existing one is continued
  --continue N       go on with the journal's last run, which a limit stopped, for N more rounds (no goal)
  --set a.b=value    a setting over what the agent file says; may be given several times
  --yes              answer yes where a tool that acts outside the workspace, a rule ("approvals") or a memory
                     that is set to "ask" asks for approval; without it the answer is no. What a rule denies
                     is denied
  --workspace DIR    the folder that the tools work in (default: the current folder)
  --trust-workspace  code of that folder may be loaded: its TypeScript (node_modules/typescript), which answers
                     find_symbols, find_references and get_diagnostics
  --help             this text

Exit code: 0 done, 1 crashed, 2 bad input, 3 stopped at a limit or blocked, 4 the model failed or refused,
130 cancelled.
`;

const options = {
  journal: { type: 'string' },
  continue: { type: 'string' },
  set: { type: 'string', multiple: true },
  yes: { type: 'boolean' },
  workspace: { type: 'string' },
  'trust-workspace': { type: 'boolean' },
} as const;

const nothingToContinue = '--continue needs a --journal whose last run was stopped by a limit.';

export async function runCommand(args: readonly string[]): Promise<number> {
  const parsed = parseOptions(args, options, help, { min: 1, max: 2 });
  if (!parsed.ok) return parsed.exitCode;
  const [file = '', given] = parsed.positionals;
  const settings = parseSettings(parsed.values.set ?? []);
  if ('problem' in settings) return badInput(settings.problem).exitCode;
  const saysYes = parsed.values.yes ?? false;
  const loaded = await loadAgent(file, parsed.values.workspace ?? '.', settings, {
    approve: approveAll(saysYes),
    codeOf: parsed.values['trust-workspace'] ? folderCode : undefined,
  });
  if (!loaded.ok) return badInput(loaded.message).exitCode;
  for (const warning of loaded.warnings) process.stderr.write(`${warning}\n`);
  const { journal, continue: rounds } = parsed.values;
  const start = await startOf(given, rounds);
  if ('problem' in start) return badInput(start.problem).exitCode;
  // Before it is opened: a file that is not there would be made.
  if ('more' in start && !(journal && existsSync(journal))) return badInput(nothingToContinue).exitCode;
  const opened = openSessionFile({
    ...(journal === undefined ? {} : { file: path.resolve(journal) }),
    id: newSessionId(),
    agent: loaded.name,
    clock: systemClock,
  });
  if (!opened.ok) return badInput(opened.message).exitCode;
  for (const notice of opened.notices) process.stderr.write(`${notice}\n`);
  if ('more' in start && !stoppedAtLimit(opened.session.state)) {
    opened.session.journal.close();
    return badInput(nothingToContinue).exitCode;
  }
  return runToEnd(loaded.agent, opened.session, start, saysYes);
}

/** There is nobody to ask: the answer is given beforehand. */
function approveAll(saysYes: boolean): Approve {
  const reason =
    'this tool acts outside the workspace, or a rule says that it is asked for, and nobody said yes (loopscope run --yes does)';
  return () => Promise.resolve(saysYes ? { ok: true, by: '--yes' } : { ok: false, reason });
}

/** The goal, or how many more rounds. */
async function startOf(
  given: string | undefined,
  rounds: string | undefined,
): Promise<RunStart | { readonly problem: string }> {
  if (rounds !== undefined) {
    if (given !== undefined) return { problem: '--continue takes no goal: it goes on with the one before.' };
    if (!/^[1-9]\d{0,3}$/.test(rounds))
      return { problem: `--continue takes a number of rounds from 1 to 9999, not "${rounds}".` };
    return { more: Number(rounds) };
  }
  const goal = (given ?? (await readStdin())).trim();
  return goal === ''
    ? { problem: 'There is no goal: name one behind the agent file, or pipe it in.' }
    : { goal };
}

async function runToEnd(
  agent: Parameters<typeof startRun>[0],
  session: Parameters<typeof startRun>[1],
  start: RunStart,
  saysYes: boolean,
): Promise<number> {
  const { journal, state } = session;
  const stopPrinting = journal.onEvent((event) => {
    const line = logLine(state, event);
    if (line !== undefined) process.stdout.write(`${visible(line)}\n`);
  });
  const run = startRun(agent, session, start);
  // The first interrupt ends the run with a legal history; a second one ends the process.
  const abort = new AbortController();
  onEndSignal(() => {
    run.cancel();
    abort.abort();
  });
  const outcome = await run.done;
  stopPrinting();
  const answer = answerText(state);
  if (answer !== undefined) process.stdout.write(`${visible(answer)}\n`);
  else
    process.stderr.write(
      `${outcome}: ${currentRun(state)?.ended?.limit ?? 'the run ended without an answer'}\n`,
    );
  if (saysYes || agent.config.memory !== 'ask') await rememberSession(agent, session, abort.signal);
  journal.close();
  return exitCodeOf(outcome);
}

/** The answer stands last on stdout; what becomes of the memory is told beside it. */
async function rememberSession(
  agent: Parameters<typeof startRun>[0],
  session: Parameters<typeof startRun>[1],
  signal: AbortSignal,
): Promise<void> {
  const remembered = await remember(agent, session, signal);
  if (remembered.kind === 'saved') process.stderr.write(`Remembered in ${remembered.file}.\n`);
  if (remembered.kind === 'failed')
    process.stderr.write(`This session is not remembered: ${visible(remembered.why)}.\n`);
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
