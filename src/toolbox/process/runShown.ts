import { StringDecoder } from 'node:string_decoder';
import { type ProcessRequest, type ProcessResult, runProcess } from './runProcess.ts';
import { commandEnd } from '../commandResult.ts';

/** Shows people a command that begins: its line and its folder. What it gives is told the rest. */
export type ShowCommand = (line: string, folder: string) => ShownCommand;

export interface ShownCommand {
  /** What the command writes, as it comes, to either stream. It is hostile text. */
  write(text: string): void;
  /** How it ended, in words. */
  end(words: string): void;
}

/** Runs a command as `runProcess` does, and shows it where somebody looks. */
export async function runShown(
  request: ProcessRequest,
  show: ShowCommand | undefined,
): Promise<ProcessResult> {
  if (!show) return runProcess(request);
  const { command, cwd } = request;
  const shown = show(
    typeof command === 'string' ? command : command.map((one) => JSON.stringify(one)).join(' '),
    cwd,
  );
  const decoder = new StringDecoder('utf8');
  const result = await runProcess({ ...request, onOutput: (bytes) => shown.write(decoder.write(bytes)) });
  shown.write(decoder.end());
  shown.end(result.started ? commandEnd(result) : result.error);
  return result;
}
