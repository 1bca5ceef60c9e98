import { assertNever } from '../core/assertNever.ts';
import type { CallOutcome } from '../core/events.ts';
import type { Performed, Toolbox, ToolCallRequest, ToolContext } from '../core/ports.ts';
import { serialise } from '../core/serialise.ts';
import { capText } from '../core/capText.ts';
import { describeSchema } from './describeSchema.ts';
import { errorText } from './errorText.ts';
import { nearestNames } from './nearestNames.ts';
import { registerTools } from './registerTools.ts';
import { readArguments } from './readArguments.ts';
import { readResult } from './readResult.ts';
import { type Ended, type Limits, runWithLimit } from './runWithLimit.ts';
import type { Tool } from './tool.ts';

/** Characters of the arguments that an error quotes. */
const quoted = 400;
/** Names that an error lists. */
const listed = 30;

/**
 * The toolbox of an agent. Throws for tools that no provider would take (see `registerTools`); what it returns
 * never throws or rejects.
 */
export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = registerTools([...tools, readResult]);
  const own = [...byName.values()].flatMap(({ spec }) => (spec.name === readResult.spec.name ? [] : [spec]));
  const names = own.map(({ name }) => name);

  const check = (call: ToolCallRequest): Checked => {
    const tool = byName.get(call.name);
    return tool ? checkArguments(tool, call) : { ok: false, performed: unknownTool(call.name, names) };
  };
  return {
    tools: own,
    pager: readResult.spec,
    find: (name) => byName.get(name)?.spec,
    problem: (call) => {
      const checked = check(call);
      return checked.ok ? undefined : checked.performed;
    },
    perform: async (call, context, onLate) => {
      const checked = check(call);
      if (!checked.ok) return checked.performed;
      const { timeoutMs = context.timeoutMs, windUpMs = 0 } = checked.tool;
      return perform(checked.run, context, { limitMs: checked.limitMs ?? timeoutMs, windUpMs }, onLate);
    },
  };
}

type Checked =
  | {
      readonly ok: true;
      readonly tool: Tool;
      readonly limitMs: number | undefined;
      readonly run: (context: ToolContext) => unknown;
    }
  | { readonly ok: false; readonly performed: Performed };

function checkArguments(tool: Tool, call: ToolCallRequest): Checked {
  const reading = readArguments(call.arguments);
  const prepared = reading.ok ? tool.prepare(reading.value) : reading;
  if (prepared.ok)
    return { ok: true, tool, limitMs: prepared.timeoutMs, run: (context) => prepared.run(context) };
  const { name, parameters } = tool.spec;
  const error = [
    `The arguments of ${name} are wrong: ${prepared.problem}. Nothing was executed.`,
    `Received: ${capText(call.arguments, quoted)}`,
    `Expected: ${describeSchema(parameters)}`,
  ].join('\n');
  return { ok: false, performed: failed('invalid', error, 0) };
}

function unknownTool(name: string, names: readonly string[]): Performed {
  const near = nearestNames(name, names);
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  const rest = names.length > listed ? `, and ${names.length - listed} more` : '';
  const there =
    names.length > 0 ? `There are: ${names.slice(0, listed).join(', ')}${rest}.` : 'This agent has no tools.';
  return failed('unknown', `There is no tool ${JSON.stringify(capText(name, 100))}.${meant} ${there}`, 0);
}

async function perform(
  run: (context: ToolContext) => unknown,
  context: ToolContext,
  limits: Limits,
  onLate: (() => void) | undefined,
): Promise<Performed> {
  if (context.signal.aborted) return failed('cancelled', 'cancelled before start', 0);
  const started = performance.now();
  const ended = await runWithLimit(run, context, limits, onLate);
  return answer(ended, performance.now() - started, limits.limitMs);
}

function answer(ended: Ended, ms: number, limitMs: number): Performed {
  switch (ended.kind) {
    case 'returned':
      // Through the total serialiser at once: a JSON value, and a copy that the tool can't change later.
      return {
        outcome: 'ok',
        observation: { success: true, data: JSON.parse(serialise(ended.value)) as unknown },
        ms,
      };
    case 'threw':
      return failed('error', errorText(ended.error), ms);
    case 'timeout':
      return failed(
        'timeout',
        `timed out after ${limitMs / 1000} s while running, ${whatIsKnown(ended)}`,
        ms,
      );
    case 'cancelled':
      return failed('cancelled', `cancelled while running, ${whatIsKnown(ended)}`, ms);
    default:
      return assertNever(ended);
  }
}

function whatIsKnown(ended: { readonly error?: unknown }): string {
  return `effects unknown${'error' in ended ? `: ${errorText(ended.error)}` : ''}`;
}

function failed(outcome: CallOutcome, error: string, ms: number): Performed {
  return { outcome, observation: { success: false, error: error.toWellFormed() }, ms };
}
