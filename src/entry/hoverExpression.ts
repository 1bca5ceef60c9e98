/** What a name under the mouse stands for while the agent is paused: an expression of the debugger. */
import { getLocation } from 'jsonc-parser';

export interface Hovered {
  /** UTF-16 offsets of the text that is meant. */
  readonly start: number;
  readonly end: number;
  readonly expression: string;
}

/** What the steps of the loop make; names that expressions know stand for themselves. */
const made: Readonly<Record<string, string>> = {
  'steps.pack': 'packed',
  'steps.ask': 'reply',
  'steps.calls': 'fresh.calls',
  'steps.perform': 'result',
  'steps.observe': 'fresh.results',
  call: 'call',
  'call.key': 'call.key',
};

/** A name in a line of the loop's source; undefined for one without a value. Columns from 0. */
export function hoveredInLoop(line: string, column: number): Hovered | undefined {
  for (const { 0: name, index } of line.matchAll(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g)) {
    const end = index + name.length;
    if (column < index || column > end) continue;
    const expression = Object.hasOwn(made, name) ? made[name] : undefined;
    return expression === undefined ? undefined : { start: index, end, expression };
  }
  return undefined;
}

const settings: Readonly<Record<string, string>> = {
  model_name: 'request.model',
  temperature: 'request.temperature',
  system_prompt: 'messages.find((m) => m.role === "system")?.content',
  todos: 'session.todos',
};

/** A setting of an agent file, hovered at its key or its value; undefined for one that the paused agent has no value of. */
export function hoveredInAgentFile(text: string, offset: number): Hovered | undefined {
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset);
  const [key, inner] = path;
  const expression = settingOf(key, inner);
  if (expression === undefined || !previousNode) return undefined;
  const { offset: start, length } = previousNode;
  if (!isAtPropertyKey && (offset < start || offset > start + length)) return undefined;
  return { start, end: start + length, expression };
}

function settingOf(key: string | number | undefined, inner: string | number | undefined): string | undefined {
  if (typeof key !== 'string') return undefined;
  if (key === 'parameters')
    return typeof inner === 'string' ? `request[${JSON.stringify(inner)}]` : undefined;
  return Object.hasOwn(settings, key) ? settings[key] : undefined;
}
