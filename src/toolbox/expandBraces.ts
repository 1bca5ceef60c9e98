import { ToolError } from './toolError.ts';

const maxAlternatives = 64;

/** `a{b,c{d,e}}` as `ab`, `acd`, `ace`. Braces without a comma are characters. Throws `ToolError` for too many. */
export function expandBraces(glob: string): string[] {
  const group = firstGroup(glob);
  if (!group) return [glob];
  const rests = expandBraces(glob.slice(group.end));
  const alternatives = group.alternatives.flatMap((one) => expandBraces(one));
  if (alternatives.length * rests.length > maxAlternatives) {
    throw new ToolError(`the glob has more than ${maxAlternatives} alternatives in braces`);
  }
  const head = glob.slice(0, group.start);
  return alternatives.flatMap((one) => rests.map((rest) => head + one + rest));
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly alternatives: readonly string[];
}

function firstGroup(glob: string): Group | undefined {
  for (let start = glob.indexOf('{'); start >= 0; start = glob.indexOf('{', start + 1)) {
    const group = groupAt(glob, start);
    if (group) return group;
  }
  return undefined;
}

function groupAt(glob: string, start: number): Group | undefined {
  const cuts = [start];
  let depth = 0;
  for (let i = start; i < glob.length; i++) {
    if (glob[i] === '\\') i++;
    else if (glob[i] === '{') depth++;
    else if (glob[i] === ',' && depth === 1) cuts.push(i);
    else if (glob[i] === '}' && --depth === 0) {
      if (cuts.length === 1) return undefined;
      const ends = [...cuts.slice(1), i];
      return { start, end: i + 1, alternatives: cuts.map((cut, n) => glob.slice(cut + 1, ends[n])) };
    }
  }
  return undefined;
}
