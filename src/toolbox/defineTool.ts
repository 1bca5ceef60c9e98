import * as z from 'zod';
import type { Effects } from '../core/messages.ts';
import type { JsonSchema, ToolContext, ToolSpec } from '../core/ports.ts';
import { definitionProblem } from './definitionProblem.ts';
import { errorText } from './errorText.ts';
import { schemaProblem } from './schemaProblem.ts';
import type { Prepared, Tool } from './tool.ts';

export interface ToolDefinition<Input extends z.ZodType> {
  /** One that providers do not take (other than letters, digits, `_`, `-`, or longer than 64) is sent as another: see `wireName`. */
  readonly name: string;
  /** What it is for, when to use it, and when not to. */
  readonly description: string;
  readonly effects: Effects;
  /** It runs a program, whatever that changes. */
  readonly command?: true;
  /** Arguments that make no difference (a label, a reason): calls that differ only in them repeat one another. */
  readonly cosmetic?: readonly (keyof z.input<Input> & string)[];
  /** An object schema, synchronous. The model sees the JSON schema of its input side. */
  readonly input: Input;
  /** Asks providers to hold the model to the schema. Takes effect only where the schema has no optional or open parts. */
  readonly strict?: true;
  /** Seconds, or what the arguments say of them; the agent's `tool_timeout` when absent. */
  readonly timeout?: number | ((input: z.output<Input>) => number);
  /** Milliseconds that it is waited for when it was told to stop. */
  readonly windUpMs?: number;
  /**
   * Returns the data of the observation; any value will do. Throws `ToolError` for a failure that the model
   * should read. Should stop when `context.signal` aborts: it is abandoned then.
   */
  run(input: z.output<Input>, context: ToolContext): unknown;
}

/** Makes a tool of a zod schema and a function. Throws on a definition that no provider would accept. */
export function defineTool<Input extends z.ZodType>(definition: ToolDefinition<Input>): Tool {
  const problem = definitionProblem(definition);
  if (problem) throw new TypeError(problem);
  const { name, description, effects, command, cosmetic, input, timeout, windUpMs, strict } = definition;
  const parameters = jsonSchemaOf(name, input);
  const spec: ToolSpec = {
    name,
    description,
    parameters,
    effects,
    ...(command ? { command } : {}),
    ...(cosmetic ? { cosmetic } : {}),
    ...(strict ? { strict } : {}),
  };
  return {
    spec,
    ...(typeof timeout === 'number' ? { timeoutMs: timeout * 1000 } : {}),
    ...(windUpMs === undefined ? {} : { windUpMs }),
    prepare: (value) => prepare(definition, value),
  };
}

function jsonSchemaOf(name: string, input: z.ZodType): JsonSchema {
  const { schema, problem } = readSchema(input);
  if (!schema || problem) throw new Error(`the tool ${name} can not be defined: ${problem}`);
  return schema;
}

function readSchema(input: z.ZodType): {
  readonly schema?: JsonSchema;
  readonly problem?: string | undefined;
} {
  try {
    const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', override: dropSafeBounds });
    return { schema, problem: schemaProblem(schema) };
  } catch (error) {
    // What no JSON schema says, such as a date.
    return { problem: errorText(error) };
  }
}

/** zod writes the safe-integer range into every integer: tokens in each request that tell a model nothing. */
function dropSafeBounds({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function prepare<Input extends z.ZodType>(definition: ToolDefinition<Input>, value: unknown): Prepared {
  try {
    const parsed = definition.input.safeParse(value);
    if (!parsed.success) return { ok: false, problem: issueWords(parsed.error.issues) };
    const input = parsed.data;
    const { timeout } = definition;
    return {
      ok: true,
      ...(typeof timeout === 'function' ? limitOf(timeout(input)) : {}),
      run: (context) => definition.run(input, context),
    };
  } catch (error) {
    // A refinement or transform of the author's that throws must not take the loop down.
    return { ok: false, problem: `they could not be checked: ${errorText(error)}` };
  }
}

/** What is no time leaves the agent's limit as it is: a tool without one would never be given up. */
function limitOf(seconds: unknown): { readonly timeoutMs?: number } {
  return typeof seconds === 'number' && seconds > 0 ? { timeoutMs: seconds * 1000 } : {};
}

const maxIssues = 5;

function issueWords(issues: readonly z.core.$ZodIssue[]): string {
  const words = issues.slice(0, maxIssues).map((issue) => {
    const path = issue.path.map(String).join('.');
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  if (issues.length > maxIssues) words.push(`and ${issues.length - maxIssues} more`);
  return words.join('; ');
}
