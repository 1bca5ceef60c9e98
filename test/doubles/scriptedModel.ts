/**
 * A model client that plays scripted outcomes. Strict: an unexpected request throws, which fails the test
 * (a real client never throws), and `assertDone` complains about steps that were not used.
 */
import assert from 'node:assert/strict';
import type { FailureClass, Usage } from '../../src/core/events.ts';
import type {
  ModelClient,
  ModelFailure,
  ModelOutcome,
  ModelReply,
  SendOptions,
} from '../../src/core/ports.ts';

/** An outcome, or what makes one: for steps that wait, look at the body, or stream. */
export type ModelStep =
  ModelOutcome | ((body: string, options: SendOptions) => ModelOutcome | Promise<ModelOutcome>);

export interface ScriptedModel extends ModelClient {
  /** Bodies as received, in order. */
  readonly bodies: readonly string[];
  /** Throws unless every step was used. */
  assertDone(): void;
}

export function createScriptedModel(steps: readonly ModelStep[], url = 'scripted:'): ScriptedModel {
  const bodies: string[] = [];
  return {
    url,
    label: 'scripted model',
    bodies,
    async send({ text: body }, options) {
      bodies.push(body);
      const step = steps[bodies.length - 1];
      assert.ok(step, `scripted model: unexpected request ${bodies.length}: ${body.slice(0, 400)}`);
      const outcome = typeof step === 'function' ? await step(body, options) : step;
      const text = outcome.ok ? outcome.message.content : undefined;
      if (typeof step !== 'function' && typeof text === 'string' && text !== '') options.onText(text);
      return outcome;
    },
    assertDone() {
      assert.equal(
        bodies.length,
        steps.length,
        `scripted model: ${steps.length - bodies.length} steps were not used`,
      );
    },
  };
}

/** A reply of text only. */
export function says(text: string, usage: Usage | null = null): ModelReply {
  return {
    ok: true,
    message: { role: 'assistant', content: text },
    finish: 'stop',
    usage,
    ms: 1,
    ttft: 1,
    notes: [],
  };
}

export interface ScriptedCall {
  readonly name: string;
  /** A value is written as JSON; a string is taken as the argument text itself. */
  readonly arguments?: unknown;
  /** `call_1`, `call_2`, … when left out. */
  readonly id?: string;
}

/** A reply with calls, and text beside them if given. */
export function calls(list: readonly ScriptedCall[], text: string | null = null): ModelReply {
  const tool_calls = list.map(({ name, arguments: input = {}, id }, index) => ({
    id: id ?? `call_${index + 1}`,
    type: 'function' as const,
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
  const message = { role: 'assistant' as const, content: text, tool_calls };
  return { ok: true, message, finish: 'tool_calls', usage: null, ms: 1, ttft: 1, notes: [] };
}

export function fails(
  failure: FailureClass,
  options: Partial<Omit<ModelFailure, 'ok' | 'class'>> = {},
): ModelFailure {
  return {
    ok: false,
    class: failure,
    message: `scripted ${failure}`,
    retryable: false,
    notes: [],
    ms: 1,
    ...options,
  };
}
