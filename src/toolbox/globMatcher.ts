import { expandBraces } from './expandBraces.ts';
import { many, matchWildcards } from './matchWildcards.ts';
import { ToolError } from './toolError.ts';

const maxLength = 256;

/** A test for paths (normal form). A glob without `/` is about names at any depth, as people mean `*.ts`. */
export function globMatcher(glob: string): (path: string) => boolean {
  const [, not = '', rest = ''] = /^(!?)(?:\.?\/)?(.*)$/s.exec(glob) ?? [];
  return pathMatcher(rest.includes('/') ? `${not}${rest}` : `${not}**/${rest}`);
}

/**
 * A test for whole paths: `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `**` between slashes, `\` before a character
 * that is meant as such, `!` in front for all others; hidden files are files.
 * Globs come from models, and the libraries turn them into regular expressions that backtrack: `*a*a*a*a*b` on
 * one unlucky name holds the process for minutes. This one takes time in proportion. Throws `ToolError`.
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  if (glob.length > maxLength) throw new ToolError(`the glob is longer than ${maxLength} characters`);
  const negative = glob.startsWith('!');
  const patterns = expandBraces(negative ? glob.slice(1) : glob).map(compile);
  return (path) => {
    const segments = path.split('/').map((segment) => [...segment]);
    return patterns.some((pattern) => matchWildcards(pattern, segments, matchesSegment)) !== negative;
  };
}

type CharacterTest = (character: string) => boolean;
type Segment = readonly (CharacterTest | typeof many)[];

function matchesSegment(segment: Segment, characters: readonly string[]): boolean {
  return matchWildcards(segment, characters, (matches, character) => matches(character));
}

function compile(pattern: string): readonly (Segment | typeof many)[] {
  // `src/` and `src/**` mean what is in it, and not src.
  const whole = pattern.replace(/\/(\*\*)?$/, '/**/*');
  return whole.split('/').map((segment) => (segment === '**' ? many : compileSegment(segment)));
}

/** An escaped character, a set in brackets, or any one character. */
const part = /\\(.)|\[([!^]?)(\]?[^\]]*)\]|(.)/gsu;

function compileSegment(segment: string): Segment {
  return [...segment.matchAll(part)].map(([, escaped, not, set, plain]) => {
    if (set !== undefined) return characterSet(set, not !== '');
    if (plain === '*') return many;
    if (plain === '?') return () => true;
    const wanted = escaped ?? plain;
    return (character: string) => character === wanted;
  });
}

function characterSet(set: string, negative: boolean): CharacterTest {
  const ranges = [...set.matchAll(/(.)-(.)|(.)/gsu)].map(
    ([, from, to, single]) => [from ?? single!, to ?? single!] as const,
  );
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== negative;
}
