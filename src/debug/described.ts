import { visibleJson } from '../core/visible.ts';
import type { Node } from './node.ts';

/** A JavaScript value as a debugger shows it, made inside the sandbox: what JSON can't say keeps its type. */
export interface Described {
  /** `undefined`, `number`, `string`, `bigint`, `function`, `object`, `array`, `date`, `error`, `map`, … */
  readonly type: string;
  /** A leaf's text as JavaScript writes it (strings quoted); for a container what stands before its items. */
  readonly text: string;
  readonly items?: readonly (readonly [name: string, value: Described])[];
  /** Length, when the items are numbered. */
  readonly length?: number;
}

/** A row of an evaluated value, expandable where it holds others. `expression` leads to it. */
export function describedNode(name: string, described: Described, expression?: string): Node {
  const { type, items, length } = described;
  const own = expression === undefined ? {} : { expression };
  if (!items) return { name, value: visibleJson(described.text), type, ...own };
  // Items of a map or set are numbered, and no index leads to them.
  const hasPaths = type === 'array' || length === undefined;
  return {
    name,
    value: preview(described),
    type,
    ...own,
    ...(length === undefined ? {} : { indexed: items.length }),
    children: () =>
      items.map(([key, value]) =>
        describedNode(
          key,
          value,
          hasPaths && expression !== undefined ? expression + step(key, length) : undefined,
        ),
      ),
  };
}

function step(key: string, length: number | undefined): string {
  if (length !== undefined) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

const previewLength = 120;

function preview(described: Described): string {
  const count = described.length === undefined ? '' : `(${described.length}) `;
  const points = [...visibleJson(describedText(described, 2 * previewLength))];
  const isWhole = points.length <= previewLength;
  return count + (isWhole ? points.join('') : `${points.slice(0, previewLength).join('')}…`);
}

/** One line, like JSON where the value is JSON; about `limit` UTF-16 units at most. */
export function describedText({ type, text, items, length }: Described, limit: number): string {
  if (!items) return text.length > limit ? `${text.slice(0, limit)}…` : text;
  const parts: string[] = [];
  let left = limit;
  for (const [name, value] of items) {
    if (left <= 0) {
      parts.push('…');
      break;
    }
    const label = length === undefined ? `${JSON.stringify(name)}:` : '';
    const part = label + describedText(value, left);
    left -= part.length;
    parts.push(part);
  }
  const inner = parts.join(',');
  const prefix = text === '' ? '' : `${text} `;
  return type === 'array' ? `${prefix}[${inner}]` : `${prefix}{${inner}}`;
}
