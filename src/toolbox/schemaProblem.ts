import { isRecord } from '../core/parseMessage.ts';
import { atPointer } from '../core/pointer.ts';
import type { JsonSchema } from '../core/ports.ts';

/** What the API does not take at the top of a function's parameters. */
const notAtTop = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'] as const;
/** Keys whose values are data, not schemas. */
const data = new Set(['enum', 'const', 'default', 'examples']);
const known = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const deepest = 50;

/** Why providers would refuse these parameters (and with them the whole request); undefined when they take them. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  if (!isRecord(schema) || schema['type'] !== 'object') return 'its input must be an object';
  const odd = notAtTop.find((key) => key in schema);
  if (odd) return `its input has "${odd}" at the top, which providers refuse`;
  return inside(schema, '', 0) ?? referenceProblem(schema, schema) ?? textProblem(schema);
}

function inside(value: unknown, path: string, depth: number): string | undefined {
  if (depth > deepest) return 'its input is nested too deeply, or within itself';
  if (Array.isArray(value))
    return first(
      value.map((one, index) => [`${path}/${index}`, one] as const),
      depth,
    );
  if (!isRecord(value)) return undefined;
  const at = path === '' ? 'its input' : `its input at ${path}`;
  if (value['type'] === 'array' && !('items' in value) && !('prefixItems' in value))
    return `${at} is an array that does not say of what ("items")`;
  const { required, properties, type, pattern } = value;
  // Where a parameter is called "type", this is a schema.
  const types = [type].flat().filter((one) => typeof one === 'string');
  const unknown = types.find((one) => !known.has(one));
  if (unknown !== undefined) return `${at} has the "type" ${JSON.stringify(unknown)}, which is none`;
  if (typeof pattern === 'string' && !isPattern(pattern))
    return `${at} has a "pattern" that is no regular expression`;
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((name) => typeof name === 'string'))
  )
    return `${at} has a "required" that is no list of names`;
  if (properties !== undefined && !isRecord(properties)) return `${at} has "properties" that are no object`;
  return first(
    Object.entries(value)
      .filter(([key]) => !data.has(key))
      .map(([key, one]) => [`${path}/${key}`, one] as const),
    depth,
  );
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** A reference that leads nowhere, or out of the schema, could be checked by nobody. */
function referenceProblem(schema: JsonSchema, value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map((one) => referenceProblem(schema, one)).find(Boolean);
  if (!isRecord(value)) return undefined;
  const { $ref } = value;
  const leads =
    typeof $ref !== 'string' || (/^#(?:\/|$)/.test($ref) && atPointer(schema, $ref.slice(2)) !== undefined);
  if (!leads) return `its input has a "$ref" to ${JSON.stringify($ref)}, which is not in it`;
  return Object.entries(value)
    .filter(([key]) => !data.has(key))
    .map(([, one]) => referenceProblem(schema, one))
    .find(Boolean);
}

function first(entries: readonly (readonly [string, unknown])[], depth: number): string | undefined {
  for (const [path, value] of entries) {
    const problem = inside(value, path, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

function textProblem(schema: JsonSchema): string | undefined {
  try {
    // `stringify` writes half a pair as an escape, which a strict server refuses when it parses it.
    return /\\ud[89a-f]/i.test(JSON.stringify(schema)) ? 'its input holds half a surrogate pair' : undefined;
  } catch (error) {
    return `its input can not be written as JSON: ${String(error)}`;
  }
}

/** Whether a provider's strict mode takes the schema: each object closed, each of its properties required. */
export function isStrictSchema(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isStrictSchema);
  if (!isRecord(value)) return true;
  if (value['type'] === 'object' || isRecord(value['properties'])) {
    const required = Array.isArray(value['required']) ? (value['required'] as unknown[]) : [];
    const names = Object.keys(isRecord(value['properties']) ? value['properties'] : {});
    if (value['additionalProperties'] !== false || names.some((name) => !required.includes(name)))
      return false;
  }
  return Object.entries(value).every(([key, inner]) => data.has(key) || isStrictSchema(inner));
}
