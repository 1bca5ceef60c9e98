import picomatch from 'picomatch';
import { ToolError } from './toolError.ts';

const maxLength = 256;
/** One of them is the `**` that `globMatcher` may put in front. */
const maxStars = 6;

/** A test for paths (normal form). A glob without `/` is about names at any depth, as people mean `*.ts`. */
export function globMatcher(glob: string): (path: string) => boolean {
  const [, not = '', rest = ''] = /^(!?)(?:\.?\/)?(.*)$/s.exec(glob) ?? [];
  return pathMatcher(rest.includes('/') ? `${not}${rest}` : `${not}**/${rest}`);
}

/**
 * A test for whole paths; hidden files are files. Globs come from models: their length, their stars and
 * their grouping are bounded, because each star multiplies the time that the regular expression behind them
 * may take. Throws `ToolError`.
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  const stars = glob.match(/\*+/g)?.length ?? 0;
  if (glob.length > maxLength || stars > maxStars) {
    throw new ToolError(
      `the glob is too long or has more than ${maxStars} stars: ${JSON.stringify(glob.slice(0, 80))}`,
    );
  }
  return picomatch(glob, { dot: true, noextglob: true });
}
