/** Runs git so that it only looks: no program that a repository names, no shell, no question, no way out. */
import type { AbortSignalLike } from '../../core/ports.ts';
import { type ProcessEnded, runProcess } from '../process/runProcess.ts';
import { ToolError } from '../toolError.ts';
import { gitEnvironment } from './gitProgram.ts';

/** Where git is asked. */
export interface GitPlace {
  /** The full path of git. */
  readonly program: string;
  /** A real folder on a disk of this machine. */
  readonly cwd: string;
  /** That folder as tools name it: '' is the top of the workspace. */
  readonly folder: string;
  /** What of it is meant, relative to it; '' is all. */
  readonly spec: string;
}

export interface GitOutput {
  /** What it wrote; where that is more than is kept, the beginning. */
  readonly text: string;
  readonly cut: boolean;
}

/**
 * Settings by which a repository would have programs run or its answer look otherwise. In the command line they go before
 * those of any file. (`core.fsmonitor` names a program in older versions, so it is empty and not false.)
 */
const settings = [
  'core.fsmonitor=',
  'core.hooksPath=/dev/null',
  'core.quotePath=off',
  'diff.noprefix=false',
  'diff.mnemonicPrefix=false',
  'diff.orderFile=/dev/null',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
  'status.showStash=false',
  'submodule.recurse=false',
];

/** Bytes of its output that are kept: a status of tens of thousands of files. */
const outputLimit = 4 * 1024 * 1024;

export interface GitRequest {
  readonly args: readonly string[];
  /** Further settings, `name=value`. */
  readonly settings?: readonly string[];
  /** Exit codes beside 0 that are an answer. */
  readonly also?: readonly number[];
}

/** Throws `ToolError` with what git says when it fails, and when it is cancelled. */
export async function runGit(
  { program, cwd }: Pick<GitPlace, 'program' | 'cwd'>,
  request: GitRequest,
  signal: AbortSignalLike,
): Promise<GitOutput> {
  const set = [...settings, ...(request.settings ?? [])].flatMap((one) => ['-c', one]);
  const result = await runProcess({
    command: [program, '--no-pager', '--no-optional-locks', '--literal-pathspecs', ...set, ...request.args],
    cwd,
    env: gitEnvironment(process.env),
    stdin: '',
    signal,
    outputLimit,
  });
  if (!result.started) throw new ToolError(`git ${result.error}`);
  refuseFailure(result, request);
  const { text, gap } = result.stdout;
  return gap === undefined ? { text, cut: false } : { text: text.slice(0, gap), cut: true };
}

function refuseFailure({ end, stderr }: ProcessEnded, { args, also = [] }: GitRequest): void {
  if (end.kind !== 'exit' && end.kind !== 'signal')
    throw new ToolError('git was ended; name a path to ask for less');
  if (end.kind === 'exit' && (end.code === 0 || also.includes(end.code))) return;
  const how = end.kind === 'exit' ? `exit code ${end.code}` : `signal ${end.signal}`;
  const said = stderr.text.trim();
  throw new GitError(`git ${args[0]} failed (${how})${said === '' ? '' : `: ${firstLines(said)}`}`, said);
}

/** Git ran and said no. */
export class GitError extends ToolError {
  /** @param said its stderr */
  constructor(
    message: string,
    readonly said: string,
  ) {
    super(message);
  }
}

function firstLines(text: string): string {
  return text.split('\n').slice(0, 3).join(' ').slice(0, 500).toWellFormed();
}
