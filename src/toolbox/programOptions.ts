/** Options that stand between a program and its subcommand, as data: `git -C . push` is a push. */

interface Options {
  /** These take the next word as their value. */
  readonly valued: ReadonlySet<string>;
  /** Of the others nobody knows: each may take the next word, or not. */
  readonly isOpen?: true;
}

const named = (...names: readonly string[]): Options => ({ valued: new Set(names) });
const open: Options = { valued: new Set(), isOpen: true };

const docker = named(
  ...[
    '-H',
    '--host',
    '-c',
    '--context',
    '--config',
    '-l',
    '--log-level',
    '--tlscacert',
    '--tlscert',
    '--tlskey',
  ],
);
const compose = named(
  ...['-f', '--file', '-p', '--project-name', '--profile', '--env-file', '--project-directory', '--ansi'],
  ...['--parallel', '--progress'],
);

/**
 * By program, and by program and subcommand where that has subcommands of its own. From the programs' manuals:
 * https://git-scm.com/docs/git, https://docs.npmjs.com/cli/using-npm/config, https://docs.docker.com/reference/cli/docker,
 * https://kubernetes.io/docs/reference/kubectl/kubectl
 */
const programs: ReadonlyMap<string, Options> = new Map([
  [
    'git',
    named(
      ...[
        '-C',
        '-c',
        '--git-dir',
        '--work-tree',
        '--namespace',
        '--super-prefix',
        '--config-env',
        '--exec-path',
      ],
      ...['--attr-source', '--list-cmds'],
    ),
  ],
  // Whatever npm can be told in its configuration is an option too, and those of its scripts' runner.
  ...['npm', 'pnpm', 'yarn', 'bun'].flatMap((name): [string, Options][] => [
    [name, open],
    [`${name} run`, open],
  ]),
  ['npm run-script', open],
  ['docker', docker],
  ['podman', open],
  ['docker compose', compose],
  ['docker-compose', compose],
  [
    'kubectl',
    named(
      ...['-n', '--namespace', '--context', '--cluster', '--user', '-s', '--server', '--kubeconfig', '--as'],
      ...[
        '--as-group',
        '--as-uid',
        '--token',
        '--certificate-authority',
        '--client-certificate',
        '--client-key',
      ],
      ...['--tls-server-name', '--request-timeout', '--cache-dir', '--username', '--password', '--profile'],
      ...['--profile-output', '-v', '--v', '--vmodule', '--log-flush-frequency'],
    ),
  ],
  ['helm', open],
  ['cargo', open],
  ['terraform', named('-chdir')],
]);

export function hasOptions(program: string): boolean {
  return programs.has(program.toLowerCase());
}

/** A command line may be written to have any number of readings; who gets so many says that none of them is sure. */
const mostReadings = 8;

export interface BehindOptions {
  /** The same command as it would be without its options: the program, its subcommand, and what follows. */
  readonly commands: readonly (readonly string[])[];
  /** There may be more of them. */
  readonly hasMore: boolean;
}

/** `words`: of one command, its program first; `isUnsure`: whether a word may come to several words. */
export function behindOptions(
  words: readonly string[],
  isUnsure: (word: string) => boolean = () => false,
): BehindOptions {
  const found: (readonly string[])[] = [];
  const read = (key: string, before: readonly string[], rest: readonly string[]): void => {
    const options = programs.get(key.toLowerCase());
    if (!options || found.length > mostReadings) return;
    for (const at of subcommands(rest, options, isUnsure)) {
      if (found.length > mostReadings) return;
      const [name = '', ...more] = rest.slice(at);
      if (at > 0) found.push([...before, name, ...more]);
      read(`${key} ${name}`, [...before, name], more);
    }
  };
  const [program = '', ...rest] = words;
  read(program, [program], rest);
  return { commands: found.slice(0, mostReadings), hasMore: found.length > mostReadings };
}

/** Where the subcommand may stand: the first word that is no option, and no value of one. */
function* subcommands(
  words: readonly string[],
  { valued, isOpen }: Options,
  isUnsure: (word: string) => boolean,
): Generator<number> {
  let reached = new Set([0]);
  for (const [at, word] of words.entries()) {
    if (!reached.has(at)) {
      // A value that may be several words ends before itself.
      if (isUnsure(word) && reached.size > 0) yield at;
      continue;
    }
    reached = new Set([...reached].filter((one) => one > at));
    if (isUnsure(word)) reached.add(at + 1);
    if (!/^[-+]./u.test(word)) {
      yield at;
    } else {
      const takesNext = !word.includes('=') && (isOpen || valued.has(word));
      if (!takesNext || isOpen) reached.add(at + 1);
      if (takesNext) reached.add(at + 2);
    }
    if (reached.size === 0) return;
  }
}
