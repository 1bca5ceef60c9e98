import ignore, { type Ignore } from 'ignore';

/** The ignore files from the top down to some folder, as one: later rules win, as in git. */
export interface IgnoreRules {
  /** Is this path (below that folder) ignored? Folders match patterns that end with `/`. */
  ignores(path: string, isFolder: boolean): boolean;
  /** These rules and, after them, those of an ignore file in `folder`. */
  and(folder: string, text: string): IgnoreRules;
}

/** Case counts, as in git's own default. */
export const noRules: IgnoreRules = rulesOf(ignore({ ignorecase: false }));

/**
 * One rule set per folder that has an ignore file, made of its parent's and its own, and only for folders
 * that are entered: never the rules of a whole tree at once, nor of ignored folders. Each pattern is
 * rewritten to start at the top, so that the order of rules is git's order of precedence.
 */
function rulesOf(rules: Ignore): IgnoreRules {
  return {
    ignores: (path, isFolder) => {
      const shown = isFolder ? `${path}/` : path;
      return ignore.isPathValid(shown) && rules.ignores(shown);
    },
    and: (folder, text) => {
      const patterns = text.split(/\r?\n/).map((line) => rebase(line, folder));
      return rulesOf(ignore({ ignorecase: false }).add(rules).add(patterns));
    },
  };
}

/** The pattern of an ignore file in `folder`, as a pattern of the top. */
function rebase(line: string, folder: string): string {
  if (folder === '' || line.startsWith('#') || line.trim() === '') return line;
  const negative = line.startsWith('!') ? '!' : '';
  const body = line.slice(negative.length);
  const prefix = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  // A slash at the start or in the middle ties a pattern to its folder; without one it holds at any depth.
  if (/\/(?=.*[^\s/])/.test(body)) return `${negative}/${prefix}/${body.replace(/^\//, '')}`;
  return `${negative}/${prefix}/**/${body.replace(/^\\(?=[!#])/, '')}`;
}
