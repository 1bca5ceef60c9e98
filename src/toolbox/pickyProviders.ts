import { isRecord } from '../core/parseMessage.ts';
import type { JsonSchema } from '../core/ports.ts';

/** Characters of a description, and tools of a request, that the strictest providers take. */
const longestDescription = 1024;
export const mostTools = 128;

/**
 * What some providers refuse of a tool that others take, in words; empty where all take it. `schemaProblem` says what
 * none of them takes.
 */
export function pickyProblems({
  description,
  parameters,
}: {
  readonly description: string;
  readonly parameters: JsonSchema;
}): readonly string[] {
  const tooLong =
    description.length > longestDescription
      ? [`its description is longer than ${longestDescription} characters`]
      : [];
  return [...tooLong, ...inSchema(parameters, '', 0)];
}

/** Keys whose values are data, not schemas; and those that hold schemas by names of the author's own. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required']);
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const deepest = 50;

function inSchema(value: unknown, path: string, depth: number): string[] {
  if (depth > deepest || typeof value !== 'object' || value === null) return [];
  const within = (entries: readonly (readonly [string, unknown])[]) =>
    entries.flatMap(([key, one]) => inSchema(one, `${path}/${key}`, depth + 1));
  if (Array.isArray(value)) return within([...value.entries()].map(([index, one]) => [String(index), one]));
  const schema = value as Record<string, unknown>;
  const nested = Object.entries(schema).filter(([key]) => !data.has(key));
  return [
    ...atSchema(schema, path === '' ? 'its input' : `its input at ${path}`),
    ...within(
      nested.flatMap(([key, one]) =>
        maps.has(key) && isRecord(one)
          ? Object.entries(one).map(([name, inner]) => [`${key}/${name}`, inner] as const)
          : [[key, one] as const],
      ),
    ),
  ];
}

function atSchema({ properties, required, enum: choices }: Record<string, unknown>, at: string): string[] {
  const names = isRecord(properties) ? Object.keys(properties) : undefined;
  const odd = names?.find((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
  const isListed = (name: unknown) => typeof name === 'string' && names?.includes(name);
  const absent: unknown = Array.isArray(required) ? required.find((name) => !isListed(name)) : undefined;
  return [
    ...(odd === undefined
      ? []
      : [`${at} has the property ${JSON.stringify(odd)}: letters, digits, _, . and -, 64 at most`]),
    ...(absent === undefined
      ? []
      : [`${at} requires ${JSON.stringify(absent)}, which is not in its "properties"`]),
    ...(Array.isArray(choices) && choices.length === 0 ? [`${at} has an "enum" without a value`] : []),
  ];
}
