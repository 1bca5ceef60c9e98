/** What a command left, as the result of a call: data of a success, and words of a failure. */
import type { ProcessEnd, ProcessEnded } from './process/runProcess.ts';
import type { ProcessOutput } from './process/outputWindow.ts';
import { ToolError } from './toolError.ts';

/**
 * The data of a command that succeeded (exit code 0): the JSON value on its stdout, or the text. One that wrote to
 * stderr alone is told as it ended. Throws `ToolError` for any other end.
 */
export function commandData(result: ProcessEnded): unknown {
  const { end, stdout, stderr } = result;
  if (end.kind !== 'exit' || end.code !== 0) throw new ToolError(commandWords(result));
  const text = stdout.text.trimEnd();
  if (text === '' && stderr.text.trim() !== '') return commandWords(result);
  return stdout.left > 0 ? text : jsonOrText(text);
}

/** How a command ended, and both of its streams: the end of stderr stands last. */
export function commandWords(result: ProcessEnded): string {
  const { stdout, stderr } = result;
  return [commandEnd(result), `stdout: ${streamWords(stdout)}`, `stderr: ${streamWords(stderr)}`].join('\n');
}

/** How a command ended, in words. */
export function commandEnd({ end, rest }: ProcessEnded): string {
  const alive = rest === 'alive' ? '; something that it started could not be ended and still runs' : '';
  return `${endWords(end)}${alive}`;
}

function endWords(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exit':
      return `exit code ${end.code}`;
    case 'signal':
      return `ended by the signal ${end.signal}`;
    case 'timeout':
    case 'cancelled':
      return 'the command was ended, with all that it had started';
  }
}

function streamWords({ text }: ProcessOutput): string {
  return text.trim() === '' ? 'no output' : text.trimEnd();
}

/** A text that is JSON is its value, unless reading it would change a number. */
function jsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return changesNumbers(text) ? text : value;
  } catch {
    return text;
  }
}

/** Ids of twenty digits would come out as others, and 1e999 as nothing. */
function changesNumbers(json: string): boolean {
  const numbers = json.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];
  return numbers.some((text) => {
    const number = Number(text);
    return /^-?\d+$/.test(text) ? !Number.isSafeInteger(number) : !Number.isFinite(number);
  });
}
