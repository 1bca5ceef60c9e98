/** Reference numbers for the rows of Variables. They live for one pause: a resume or an edit makes new ones. */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { JournalState } from '../core/journalState.ts';
import type { Op } from '../core/ops.ts';
import type { Checkpoint } from '../runner/gate.ts';
import { type Editable, type Node, readTyped, type Subject } from './node.ts';
import { scopesAt } from './scopes.ts';

export interface Variables {
  reset(): void;
  /** `isPast`: nothing in them can be edited. */
  scopes(state: JournalState, at: Checkpoint, isPast?: boolean): DebugProtocol.Scope[];
  children(args: DebugProtocol.VariablesArguments): DebugProtocol.Variable[];
  /** One node outside the tree (an evaluation's result), expandable. */
  show(node: Node): DebugProtocol.Variable;
  editable(container: number, name: string): Editable | undefined;
  /** What a row stands for, where it is a message, a call or a parameter that can be edited. */
  subject(container: number, name: string): Subject | undefined;
  /** What a data breakpoint on a row looks at: `m3`, `state/todos`; undefined where it can't have one. */
  watchable(container: number, name: string): string | undefined;
  /** The tool that a row is a call of. */
  toolOf(container: number, name: string): string | undefined;
  /** What an edit of a row would be. */
  opFor(
    container: number,
    name: string,
    typed: string,
  ):
    | { readonly ok: true; readonly op: Op; readonly shown: string }
    | { readonly ok: false; readonly reason: string };
}

export function createVariables(): Variables {
  // Numbers go on across resets, so that one from before an edit is unknown instead of another row.
  let next = 1;
  let lists = new Map<number, () => readonly Node[]>();

  const refer = (children: (() => readonly Node[]) | undefined): number => {
    if (!children) return 0;
    let made: readonly Node[] | undefined;
    lists.set(next, () => (made ??= withUniqueNames(children())));
    return next++;
  };

  const show = (node: Node): DebugProtocol.Variable => ({
    name: node.name,
    value: node.value,
    variablesReference: refer(node.children),
    ...(node.type ? { type: node.type } : {}),
    ...(node.expression ? { evaluateName: node.expression } : {}),
    ...(node.indexed === undefined ? {} : { indexedVariables: node.indexed }),
    ...menuContext(node),
    ...(node.edit ? {} : { presentationHint: { attributes: ['readOnly'] } }),
  });

  const find = (container: number, name: string) =>
    lists
      .get(container)?.()
      .find((node) => node.name === name);

  return {
    reset() {
      lists = new Map();
    },
    scopes: (state, at, isPast = false) =>
      scopesAt(state, at).map(({ name, children, expensive, hint }) => ({
        name,
        variablesReference: refer(isPast && children ? () => children().map(readOnly) : children),
        expensive,
        ...(hint ? { presentationHint: hint } : {}),
      })),
    children({ variablesReference, start = 0, count, filter }) {
      if (
        filter === 'named' &&
        lists
          .get(variablesReference)?.()
          .every((node) => /^\d+$/.test(node.name))
      )
        return [];
      const nodes = lists.get(variablesReference)?.() ?? [];
      return nodes.slice(start, count ? start + count : undefined).map(show);
    },
    show,
    editable: (container, name) => find(container, name)?.edit,
    subject: (container, name) => find(container, name)?.subject,
    watchable: (container, name) => find(container, name)?.watched,
    toolOf: (container, name) => find(container, name)?.tool,
    opFor(container, name, typed) {
      const edit = find(container, name)?.edit;
      if (!edit) return { ok: false, reason: l10n.t('{0} can not be edited here.', name) };
      const read = readTyped(edit, typed);
      if (!read.ok) return read;
      const op: Op = { kind: 'set', target: edit.target, scope: edit.scope, value: read.value };
      return { ok: true, op, shown: edit.form === 'json-text' ? typed : JSON.stringify(read.value) };
    },
  };
}

/** One text that VS Code hands to the conditions of the context menu. */
function menuContext({ edit, subject, watched, tool }: Node): { __vscodeVariableMenuContext?: string } {
  const words = [
    ...(edit ? ['editable'] : []),
    ...(subject ? [subject.kind, ...subject.menu] : []),
    ...(watched === undefined ? [] : ['watched']),
    ...(tool === undefined ? [] : ['tool']),
  ];
  return words.length === 0 ? {} : { __vscodeVariableMenuContext: words.join(' ') };
}

function readOnly({ edit: _edit, subject: _subject, children, ...node }: Node): Node {
  return children ? { ...node, children: () => children().map(readOnly) } : node;
}

/**
 * A row is found by its name among its siblings, and a message's own fields, keys and tool names are a model's or
 * a user's: of two that are called alike the second says so.
 */
function withUniqueNames(nodes: readonly Node[]): Node[] {
  const used = new Set<string>();
  return nodes.map((node) => {
    let { name } = node;
    for (let n = 2; used.has(name); n++) name = `${node.name} (${n})`;
    used.add(name);
    return name === node.name ? node : { ...node, name };
  });
}
