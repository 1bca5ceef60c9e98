/** What a shell would run by a line, read no further than a rule needs it: it is no parser, and no sandbox. */
import { behindOptions, hasOptions } from './programOptions.ts';

/** What a shell reads as more than a part of a word, in order, and steps out of a folder. */
export function operators(line: string): string {
  const plain = line.match(/[;&|<>`$(){}\\^%!\r\n]/g) ?? [];
  return [...plain, ...(line.replace(/["']/g, '').match(stepsOut) ?? [])].join(' ');
}

/** `..` at the end of a name, also behind an option (`-C../x`); and what a shell may find to be one: `.?`, `.[.]`, `.*`. */
const stepsOut = /(?<!\.)\.\.(?![^\s/\\:,;])|(?<![^\s/\\=:,])\.\.?[?*[][^\s/]*/g;

/** The commands that a line may hold, as they stand. */
export function commandParts(line: string): readonly string[] {
  return line
    .replace(/\\\r?\n/g, '')
    .replace(/\{[^{}\s]*\}/g, (braces) => {
      // What `find` and `xargs` put a name for.
      if (braces === '{}') return inWord;
      return braces.includes(',') ? braces.slice(1, -1).replaceAll(',', ' ') : braces;
    })
    .split(/[;&|\n\r`(){}]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export interface Unwrapped {
  /** The command without what stands before it and around its words. */
  readonly text: string;
  /** It runs another one, which begins at one of its words. */
  readonly isWrapper: boolean;
}

/**
 * The same commands as they would be without what they are written in: quotes, blanks, redirections and assignments before
 * the program, the program's folder and ending, and the options before its subcommand.
 */
export function unwrapped(line: string): readonly Unwrapped[] {
  const lines = /["'\\]/.test(line) ? [line, quotedAsWords(line)] : [line];
  return lines.flatMap((one) => {
    const parts = commandParts(one).map(plainWords);
    // A shell may be given what another command writes.
    const hasShell = parts.some((words) => words.some(isShell));
    return parts.flatMap((words) => readingsOf(words, hasShell || words.some(isWrapper)));
  });
}

/** The readings of one command. `isUnsure`: whether a word may come to several. */
export function readingsOf(
  words: readonly string[],
  isWrapper: boolean,
  isUnsure?: (word: string) => boolean,
): readonly Unwrapped[] {
  const [program = '', ...rest] = words;
  const plain = [programName(program), ...rest];
  const named = words.map(programName);
  // What a wrapper runs may stand anywhere in its line, with or without a folder.
  const inner = isWrapper ? named.flatMap((word, at) => (hasOptions(word) ? [named.slice(at)] : [])) : [];
  const found: string[] = [plain.join(' '), ...(isWrapper ? [named.join(' ')] : [])];
  for (const command of [plain, ...inner.slice(0, mostInner)]) {
    const { commands, hasMore } = behindOptions(command, isUnsure);
    found.push(...commands.map((one) => one.join(' ')));
    if (hasMore || inner.length > mostInner) found.push(`${command[0]} ${unknown}`);
  }
  return found.map((text) => ({ text, isWrapper }));
}

/** More programs in one command than anybody writes in good faith; of the others nothing is sure. */
const mostInner = 8;

/** Stands for any text that is only known when a line runs, as long as it is. */
export const unknown = '\ue000';
/** A blank inside of a word, and what a shell would read as more there. */
const inWord = '\ue002';

/** With what stands in quotes as a part of one word. */
export function quotedAsWords(line: string): string {
  return line
    .replace(/"[^"]*"|'[^']*'/g, (quoted) => quoted.replace(/[\s;&|`(){}<>]/g, inWord))
    .replace(/\\\s/g, inWord);
}

export function plainWords(part: string): readonly string[] {
  const words = part
    .replace(/^(?:\d*[<>]+\s*[^\s<>]+\s+)+/, '')
    .replace(/\$(?=["'])|["'\\^]/g, '')
    .split(/[\s<>]+|\$(?:IFS\b|\{IFS\})/)
    .filter((word) => word !== '');
  return words.slice(words.findIndex((word) => !/^\w+\+?=/.test(word)));
}

export function isShell(word: string): boolean {
  return shells.has(programName(word).toLowerCase());
}

/** It runs another command, which begins at one of its words. */
export function isWrapper(word: string): boolean {
  return wrappers.has(programName(word).toLowerCase());
}

export function programName(program: string): string {
  return program.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|bat|com|ps1)$/i, '');
}

const shells: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'busybox', 'cmd', 'powershell', 'pwsh'],
]);

const wrappers: ReadonlySet<string> = new Set([
  ...shells,
  ...['env', 'command', 'exec', 'builtin', 'eval', 'trap', 'alias', 'coproc', 'time', 'nohup', 'setsid'],
  ...['nice', 'ionice', 'stdbuf', 'timeout', 'script', 'strace', 'flock', 'sudo', 'doas', 'su', 'ssh'],
  ...['chroot', 'unshare', 'xargs', 'parallel', 'find', 'watch', 'start', 'call'],
  ...['npx', 'bunx', 'pnpx', 'if', 'then', 'else', 'elif', 'while', 'until', 'do', '!'],
]);
