import type { ModelClient, ModelFailure, ModelOutcome, ModelReply, ReadNote } from '../core/ports.ts';
import { isRecord } from '../core/parseMessage.ts';
import { thrownText } from '../core/thrownText.ts';
import { normaliseReply } from '../planner/normaliseReply.ts';

/**
 * A client that keeps what `ModelClient` promises, whoever wrote it: one that throws, or answers with something else, is
 * a request that failed. What is only left out (notes, usage, times) is filled in.
 */
export function guardedClient(client: ModelClient): ModelClient {
  const { url, label } = client;
  return {
    url,
    label,
    async send(body, options) {
      try {
        return outcomeOf(await client.send(body, options));
      } catch (error) {
        return broken(`it threw: ${thrownText(error)}`);
      }
    },
  };
}

function outcomeOf(given: unknown): ModelOutcome {
  if (!isRecord(given) || typeof given['ok'] !== 'boolean') return broken('it returned no outcome');
  const { notes, ms } = given;
  const common = { notes: Array.isArray(notes) ? notes : [], ms: Number.isFinite(ms) ? ms : 0 };
  return given['ok'] ? replyOf({ ...given, ...common }) : failureOf({ ...given, ...common });
}

function replyOf(given: Record<string, unknown>): ModelOutcome {
  const { message, finish, usage } = given;
  if (!isReply(message)) return broken('its reply holds no message of an assistant');
  const { message: settled, notes } = normaliseReply(message as ModelReply['message']);
  const filled = {
    ...given,
    message: settled,
    notes: [...(given['notes'] as readonly ReadNote[]), ...notes],
    finish: typeof finish === 'string' ? finish : null,
    usage: isUsage(usage) ? usage : null,
  };
  return filled as unknown as ModelReply;
}

function isReply(message: unknown): boolean {
  if (!isRecord(message) || message['role'] !== 'assistant') return false;
  const { content } = message;
  const calls = message['tool_calls'] ?? [];
  const hasContent = typeof content === 'string' || Array.isArray(content) || (content ?? null) === null;
  return hasContent && Array.isArray(calls) && calls.every(isCall);
}

function isUsage(usage: unknown): boolean {
  if (!isRecord(usage)) return false;
  return [usage['prompt'], usage['completion']].every(
    (tokens) => tokens === undefined || Number.isFinite(tokens),
  );
}

function isCall(call: unknown): boolean {
  if (!isRecord(call) || !isRecord(call['function'])) return false;
  const { name, arguments: input } = call['function'];
  return [call['id'], name, input].every((text) => typeof text === 'string');
}

function failureOf(given: Record<string, unknown>): ModelOutcome {
  if (typeof given['class'] !== 'string') return broken('its failure has no class');
  const { message, retryable } = given;
  const said = typeof message === 'string' ? message : 'The model client failed without saying why.';
  return { ...given, message: said, retryable: retryable === true } as unknown as ModelFailure;
}

function broken(what: string): ModelFailure {
  return {
    ok: false,
    class: 'protocol',
    message: `The model client did not do what it must: ${what}.`,
    retryable: false,
    notes: [],
    ms: 0,
  };
}
