export interface Root {
  /** As the user or the editor named it; need not be unique. */
  readonly name: string;
  /** With `/`, as in a URI. */
  readonly path: string;
}

/**
 * A name for each folder of a workspace by which tools show and accept its files: its own name, or, when
 * several share it, `name@parent` with as many parents as it takes. Made of the folders' places and not of
 * their order, so that adding or moving one never makes a name mean another folder.
 */
export function rootNames(roots: readonly Root[]): string[] {
  const names = roots.map((root) => safeName(root.name));
  for (let depth = 1; depth <= 8 && new Set(names).size < names.length; depth++) {
    const taken = countBy(names);
    for (const [index, root] of roots.entries()) {
      if (taken.get(names[index]!)! > 1) names[index] = `${safeName(root.name)}@${parents(root.path, depth)}`;
    }
  }
  // The same place twice (two schemes, say): only the order is left to tell them apart.
  const seen = new Set<string>();
  return names.map((name, index) => {
    const unique = seen.has(name) ? `${name}-${index + 1}` : name;
    seen.add(unique);
    return unique;
  });
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function parents(path: string, depth: number): string {
  const above = path.split('/').filter(Boolean).slice(0, -1);
  return above.slice(-depth).join('-') || 'root';
}

/** One segment of a path. */
function safeName(name: string): string {
  const safe = name.replace(/[/\\\0]/g, '-');
  return safe === '' || safe === '.' || safe === '..' ? 'folder' : safe;
}
