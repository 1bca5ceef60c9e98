/** What a line may come to where a part of it is only known when it runs: for rules that deny, which then ask. */
import {
  commandParts,
  isShell,
  isWrapper,
  plainWords,
  programName,
  quotedAsWords,
  readingsOf,
  unknown,
  type Unwrapped,
} from './commandReadings.ts';

/** As `unknown`, but what it stands for stays in its word. */
const unknownWord = '\ue001';

/**
 * The commands of a line with `unknown` for a part that nobody knows yet: variables, what other commands write, names that
 * a shell looks up, what `xargs` and a shell are given to run. Nothing of a line that says all.
 */
export function possibleCommands(line: string): readonly Unwrapped[] {
  const open = withUnknown(line);
  return [open, quotedAsWords(open)].flatMap((one) => {
    const parts = commandParts(one).map((part) => ({ part, words: plainWords(part) }));
    const hasShell = parts.some(({ words }) => words.some(isShell));
    return parts.flatMap(({ part, words }): readonly Unwrapped[] => {
      if (isFed(line, part)) return [{ text: unknown, isWrapper: true }];
      const known = withPatterns(withoutAssignments(withFed(words)));
      const isWrapped = hasShell || known.some(isWrapper);
      return readingsOf(known, isWrapped, (word) => word.includes(unknown)).filter(({ text }) =>
        isOpen(text),
      );
    });
  });
}

/** Whether a text says less than all. */
export function isOpen(text: string): boolean {
  return text.includes(unknown) || text.includes(unknownWord);
}

/** `$x`, `${x}`, `$(command)`, a command in backticks, `%x%`. The blank that `$IFS` is stays what it is. */
const variables =
  /\$\([^()]*\)|`[^`]*`|\$\{(?!IFS\})[^{}$]*\}|\$(?!IFS\b)[\w@*#?!-]+|\$(?=[\s(]|$)|%[\w:~]+%/g;

function withUnknown(line: string): string {
  const inside = line.replace(/"[^"]*"/g, (quoted) => quoted.replace(variables, unknownWord));
  // What other commands write may be nested.
  const all = inside.replace(variables, unknown).replace(variables, unknown);
  return /\b(?:xargs|parallel)\b/.test(all) ? all.replaceAll('{}', unknownWord) : all;
}

/** These run a command with what they read as its further words. */
const feeders: ReadonlySet<string> = new Set(['xargs', 'parallel']);

function withFed(words: readonly string[]): readonly string[] {
  return words.some((word) => feeders.has(programName(word).toLowerCase())) ? [...words, unknown] : words;
}

/** A shell that is given nothing to run reads it from another command. */
function isFed(line: string, part: string): boolean {
  const last = plainWords(part.replace(/\d*[<>]+\s*[^\s<>]*/g, ' ')).findLast(
    (word) => !word.startsWith('-'),
  );
  return last !== undefined && isShell(last) && /[|<]/.test(line);
}

/** These take a text for a command: an assignment in it is no word of theirs. */
const readers: ReadonlySet<string> = new Set([
  ...['eval', 'trap', 'alias', 'ssh', 'su', 'script', 'watch', 'parallel'],
]);

/** A variable that another one is set to runs nothing. */
function withoutAssignments(words: readonly string[]): readonly string[] {
  if (words.some((word) => isShell(word) || readers.has(programName(word).toLowerCase()))) return words;
  return words.filter((word) => !/^\w+=/.test(word) || !isOpen(word));
}

/** Where a program or its subcommand stands, a shell may find any name that fits: `g?t`, `pus[h]`. */
function withPatterns(words: readonly string[]): readonly string[] {
  return words.map((word, at) => (at < 2 && /[*?[]/.test(word) && !/[./]/.test(word) ? unknownWord : word));
}
