/** Command lines, with errors for people. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { exitCodes } from './exitCodes.ts';

export type Parsed<T extends NonNullable<ParseArgsConfig['options']>> =
  | { readonly ok: true; readonly values: Values<T>; readonly positionals: readonly string[] }
  | { readonly ok: false; readonly exitCode: number };

type Values<T extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true }>
>['values'];

/** Parses options; prints the help when asked, or what is wrong. `--help` is added to every command. */
export function parseOptions<T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
  help: string,
  positionals: { readonly min: number; readonly max: number },
): Parsed<T> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
    return { ok: false, exitCode: exitCodes.done };
  }
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    const count = parsed.positionals.length;
    if (count < positionals.min) return badInput(`Something is missing.\n\n${help}`);
    if (count > positionals.max)
      return badInput(
        `Too many arguments: ${parsed.positionals.slice(positionals.max).join(' ')}\n\n${help}`,
      );
    return { ok: true, values: parsed.values, positionals: parsed.positionals };
  } catch (error) {
    return badInput(`${(error as Error).message}\n\n${help}`);
  }
}

export function badInput(message: string): { readonly ok: false; readonly exitCode: number } {
  process.stderr.write(message.endsWith('\n') ? message : `${message}\n`);
  return { ok: false, exitCode: exitCodes.badInput };
}

/** `a.b=value` pairs: the value is JSON where it parses, else text. */
export function parseSettings(pairs: readonly string[]): Map<string, unknown> | { readonly problem: string } {
  const settings = new Map<string, unknown>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals <= 0)
      return { problem: `--set takes key=value, such as context.max_tokens=4096; this is "${pair}".` };
    settings.set(pair.slice(0, equals), settingValue(pair.slice(equals + 1)));
  }
  return settings;
}

function settingValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
