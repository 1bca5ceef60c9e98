/** What a shell would run by a line, read no further than a rule needs it: it is no parser, and no sandbox. */

/** What a shell reads as more than a part of a word, in order, and steps out of a folder. */
export function operators(line: string): string {
  return (line.match(/[;&|<>`$(){}\\^%!\r\n]|(?<![^\s/='":])\.\.(?![^\s/'":])/g) ?? []).join('');
}

/** The commands that a line may hold, as they stand. */
export function commandParts(line: string): readonly string[] {
  return line
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
 * The same commands as they would be without what they are written in: quotes, blanks, assignments before the program,
 * and the program's folder and ending.
 */
export function unwrapped(line: string): readonly Unwrapped[] {
  return commandParts(line).flatMap((part): Unwrapped[] => {
    const all = part
      .replace(/["'\\^]/g, '')
      .split(/[\s<>]+|\$(?:IFS\b|\{IFS\})/)
      .filter((word) => word !== '');
    const words = all.slice(all.findIndex((word) => !/^\w+\+?=/.test(word)));
    const isWrapper = words.some((word) => wrappers.has(programName(word).toLowerCase()));
    const [program = '', ...rest] = words;
    const plain = { text: [programName(program), ...rest].join(' '), isWrapper };
    // What a wrapper runs may stand anywhere in its line, with or without a folder.
    return isWrapper ? [plain, { text: words.map(programName).join(' '), isWrapper }] : [plain];
  });
}

function programName(program: string): string {
  return program.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|bat|com|ps1)$/i, '');
}

const wrappers: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'busybox', 'cmd', 'powershell', 'pwsh'],
  ...['env', 'command', 'exec', 'builtin', 'eval', 'time', 'nohup', 'setsid', 'nice', 'ionice', 'stdbuf'],
  ...[
    'timeout',
    'sudo',
    'doas',
    'su',
    'chroot',
    'unshare',
    'xargs',
    'parallel',
    'find',
    'watch',
    'start',
    'call',
  ],
  ...['npx', 'bunx', 'pnpx', 'if', 'then', 'else', 'elif', 'while', 'until', 'do', '!'],
]);
