/** Why a definition makes no tool, for who writes it in JavaScript: what it must have instead. */
import { isRecord } from '../core/parseMessage.ts';
import { nameProblem } from './registerTools.ts';

const effects = ['none', 'session', 'workspace', 'outside'];

/** In words, with the tool's name; undefined for a definition of the right shape. */
export function definitionProblem(definition: unknown): string | undefined {
  if (!isRecord(definition))
    return 'defineTool() needs a definition: { name, description, effects, input, run }';
  const { name, description, effects: has, input, run, timeout } = definition;
  const named = nameProblem(name);
  if (named) return `a tool can't be named ${JSON.stringify(name)}: ${named}`;
  const problem =
    (typeof description === 'string' ? undefined : 'its description must be a text, for the model') ??
    (typeof has === 'string' && effects.includes(has)
      ? undefined
      : `its effects must be one of ${effects.join(', ')}: what a call may change`) ??
    inputProblem(input) ??
    (typeof run === 'function' ? undefined : 'its run must be a function (input, context) => result') ??
    timeoutProblem(timeout);
  return problem && `the tool ${String(name)} can not be defined: ${problem}`;
}

function inputProblem(input: unknown): string | undefined {
  if (isRecord(input) && isRecord(input['_zod'])) return undefined;
  if (input === undefined || input === null) return 'it has no input: z.object({}) is one without parameters';
  if (isRecord(input) && '_def' in input)
    return "its input is a schema of zod 3: take z from zod 4, or from 'zod/v4' where zod is 3.25 or later";
  const isJsonSchema = isRecord(input) && ('type' in input || 'properties' in input || '$schema' in input);
  return isJsonSchema
    ? 'its input is a JSON schema, and must be one of zod: z.object({ … }), or z.fromJSONSchema(schema)'
    : 'its input must be a schema of zod: z.object({ … })';
}

function timeoutProblem(timeout: unknown): string | undefined {
  if (timeout === undefined || typeof timeout === 'function') return undefined;
  return typeof timeout === 'number' && timeout > 0 ? undefined : 'its timeout must be seconds, more than 0';
}
