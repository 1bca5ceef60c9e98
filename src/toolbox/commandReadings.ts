/** What a shell would run by a line, read no further than a rule needs it: it is no parser, and no sandbox. */

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
    .replace(/\{[^{}\s]*\}/g, (braces) =>
      braces.includes(',') ? braces.slice(1, -1).replaceAll(',', ' ') : braces,
    )
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
 * the program, and the program's folder and ending.
 */
export function unwrapped(line: string): readonly Unwrapped[] {
  const parts = commandParts(line).map(plainWords);
  // A shell may be given what another command writes.
  const hasShell = parts.some((words) => words.some((word) => shells.has(programName(word).toLowerCase())));
  return parts.flatMap((words): Unwrapped[] => {
    const isWrapper = hasShell || words.some((word) => wrappers.has(programName(word).toLowerCase()));
    const [program = '', ...rest] = words;
    const plain = { text: [programName(program), ...rest].join(' '), isWrapper };
    // What a wrapper runs may stand anywhere in its line, with or without a folder.
    return isWrapper ? [plain, { text: words.map(programName).join(' '), isWrapper }] : [plain];
  });
}

function plainWords(part: string): readonly string[] {
  const words = part
    .replace(/^(?:\d*[<>]+\s*[^\s<>]+\s+)+/, '')
    .replace(/\$(?=["'])|["'\\^]/g, '')
    .split(/[\s<>]+|\$(?:IFS\b|\{IFS\})/)
    .filter((word) => word !== '');
  return words.slice(words.findIndex((word) => !/^\w+\+?=/.test(word)));
}

function programName(program: string): string {
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
