import { isRecord } from '../core/parseMessage.ts';
import type { JsonSchema } from '../core/ports.ts';
import { capText } from '../core/capText.ts';

const maxDepth = 5;

/** A JSON schema in one short line, as `{path: string, start?: integer}`: enough to correct a call by. */
export function describeSchema(schema: JsonSchema): string {
  return capText(typeWords(schema, 0), 600);
}

function typeWords(schema: unknown, depth: number): string {
  if (!isRecord(schema) || depth > maxDepth) return 'any';
  if ('const' in schema) return JSON.stringify(schema['const']);
  const choices = schema['enum'] ?? schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) {
    const words =
      'enum' in schema
        ? choices.map((one) => JSON.stringify(one))
        : choices.map((one) => typeWords(one, depth + 1));
    return words.join(' | ');
  }
  const type = schema['type'];
  if (type === 'array') return `(${typeWords(schema['items'], depth + 1)})[]`;
  if (type === 'object') return objectWords(schema, depth);
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function objectWords(schema: Record<string, unknown>, depth: number): string {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const words = Object.entries(properties).map(
    ([key, value]) => `${key}${required.has(key) ? '' : '?'}: ${typeWords(value, depth + 1)}`,
  );
  return `{${words.join(', ')}}`;
}
