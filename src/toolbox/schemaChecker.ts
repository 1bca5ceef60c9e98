import { type OutputUnit, Validator } from '@cfworker/json-schema';
import type { JsonSchema } from '../core/ports.ts';
import { errorText } from './errorText.ts';

/** Keywords whose errors only say that something inside is wrong, which has an error of its own. */
const outer = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'if',
  'false',
]);
const maxIssues = 5;

/**
 * Checks values by a JSON schema that somebody else wrote: what is wrong, in words for the model, or undefined. Never
 * throws; a schema that can not be followed to its end (it refers to itself without end) takes no value.
 */
export function schemaChecker(schema: JsonSchema): (value: unknown) => string | undefined {
  const validator = new Validator(schema, '2020-12', false);
  return (value) => {
    try {
      const { valid, errors } = validator.validate(value);
      return valid ? undefined : issueWords(errors);
    } catch (error) {
      return `they could not be checked: ${errorText(error)}`;
    }
  };
}

function issueWords(errors: readonly OutputUnit[]): string {
  const inner = errors.filter(({ keyword }) => !outer.has(keyword));
  const words = [...new Set((inner.length > 0 ? inner : errors).map(wordsOf))];
  const more = words.length > maxIssues ? [`and ${words.length - maxIssues} more`] : [];
  return [...words.slice(0, maxIssues), ...more].join('; ');
}

/** `#/a/0` is `a.0`. */
function wordsOf({ instanceLocation, error }: OutputUnit): string {
  const path = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.').replaceAll('~1', '/');
  const words = error.replace(/\.$/, '');
  return path === '' ? words : `${path.replaceAll('~0', '~')}: ${words}`;
}
