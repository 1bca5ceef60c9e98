import * as l10n from '@vscode/l10n';
import type { Scope } from '../core/events.ts';
import { visible, visibleJson } from '../core/visible.ts';

/**
 * A row of the Variables view before it has a reference number: children are made when they are asked for.
 */
export interface Node {
  readonly name: string;
  /** What is shown; editable leaves show the whole text in one line. */
  readonly value: string;
  readonly type?: string;
  /** An expression for Watch. */
  readonly expression?: string;
  readonly children?: () => readonly Node[];
  /** How many children, when they are list items: long lists are paged. */
  readonly indexed?: number;
  readonly edit?: Editable;
  /** What the row as a whole stands for, for the commands of its context menu. */
  readonly subject?: Subject;
  /** What a data breakpoint on this row looks at: `m3`, `state/todos`. */
  readonly watched?: string;
  /** The tool that this row is a call of: runs can be stopped at its calls. */
  readonly tool?: string;
}

/** `menu`: words that the menu's conditions look for (`message`, `pinned`, `waiting`, …). */
export interface Subject {
  /** A message, a call (`call`: its key; `target`: where it stands), a parameter of the request. */
  readonly kind: 'message' | 'call' | 'parameter';
  readonly target: string;
  readonly scope: Scope;
  readonly call?: string;
  readonly menu: readonly string[];
}

export interface Editable {
  /** Target of the op, `m3/tool_calls/0/function/arguments`. */
  readonly target: string;
  readonly scope: Scope;
  /** The text itself, as an editor shows it. */
  readonly text: string;
  /**
   * How what the user types is read: a string (JSON-quoted, or as it is), JSON text kept as text
   * (arguments of a call), or a JSON value.
   */
  readonly form: 'string' | 'json-text' | 'json';
}

/** A leaf that holds a text and can be edited: shown JSON-quoted, since VS Code edits what it shows. */
export function textLeaf(
  name: string,
  text: string,
  target: string,
  scope: Scope,
  expression?: string,
): Node {
  const edit = { target, scope, text, form: 'string' } as const;
  return {
    name,
    value: visibleJson(JSON.stringify(text)),
    type: 'string',
    edit,
    ...(expression ? { expression } : {}),
  };
}

/** Any JSON value as a read-only tree. */
export function valueNode(name: string, value: unknown, expression?: string): Node {
  const own = expression ? { expression } : {};
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    const children = () =>
      items.map((item, index) => valueNode(String(index), item, expression && `${expression}[${index}]`));
    return {
      name,
      value: `(${items.length}) ${preview(items)}`,
      type: 'array',
      indexed: items.length,
      children,
      ...own,
    };
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const children = () =>
      entries.map(([key, field]) =>
        valueNode(key, field, expression && `${expression}[${JSON.stringify(key)}]`),
      );
    return { name, value: preview(value), type: 'object', children, ...own };
  }
  return {
    name,
    value: visibleJson(JSON.stringify(value) ?? 'undefined'),
    type: value === null ? 'null' : typeof value,
    ...own,
  };
}

const previewLength = 120;

/** One line of JSON, cut by code point. */
export function preview(value: unknown): string {
  const text = typeof value === 'string' ? visible(value) : visibleJson(JSON.stringify(value) ?? 'undefined');
  const points = [...text.slice(0, previewLength * 2)];
  return text.length <= previewLength ? text : `${points.slice(0, previewLength).join('')}…`;
}

/** What a user typed into an editable leaf, as the op's value; or why it can't be one. */
export function readTyped(
  edit: Editable,
  typed: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string } {
  if (edit.form === 'json-text') return { ok: true, value: typed };
  if (edit.form === 'string' && !typed.trimStart().startsWith('"')) return { ok: true, value: typed };
  try {
    const value = JSON.parse(typed) as unknown;
    if (edit.form === 'string' && typeof value !== 'string') return { ok: true, value: typed };
    return { ok: true, value };
  } catch (error) {
    return { ok: false, reason: l10n.t('This is not valid JSON: {0}', (error as Error).message) };
  }
}
