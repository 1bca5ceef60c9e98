/**
 * The offline demo model: a deterministic planner behind the port of a real one. It gets the same body that a
 * server would get and answers from nothing else, so an edit, a mock or a message that left the context
 * changes what it does next. Usage is unknown (null): it counts no tokens.
 */
import type { AbortSignalLike, ModelClient, ModelFailure, ModelOutcome } from '../core/ports.ts';
import { about } from './demo/about.ts';
import { arithmetic } from './demo/arithmetic.ts';
import { fixTest } from './demo/fixTest.ts';
import { listFiles } from './demo/listFiles.ts';
import { badArgument, failingTool, repeatYourself, unknownTool } from './demo/mistakes.ts';
import { planDay } from './demo/planDay.ts';
import { readFile } from './demo/readFile.ts';
import { searchFiles } from './demo/searchFiles.ts';
import type { Decision, Skill } from './demo/skill.ts';
import { summarize } from './demo/summarize.ts';
import { addTodo, completeTodo, whatIsLeft } from './demo/todos.ts';
import { readTurn, type Turn } from './demo/turn.ts';
import { weather } from './demo/weather.ts';

/** The first skill that takes a goal decides; `about` takes them all. */
const skills: readonly Skill[] = [
  summarize,
  weather,
  badArgument,
  failingTool,
  repeatYourself,
  unknownTool,
  fixTest,
  planDay,
  addTodo,
  completeTodo,
  whatIsLeft,
  searchFiles,
  readFile,
  listFiles,
  arithmetic,
  about,
];

export function createDemoModel(): ModelClient {
  return {
    url: 'demo:',
    label: 'demo model (offline)',
    async send({ text: body }, { signal, onText }) {
      const started = performance.now();
      const elapsed = () => Math.round(performance.now() - started);
      const turn = readTurn(body);
      if (!turn) return failure('bad-request', 'The body is not a chat-completions request.', elapsed());
      const decision = decide(turn);
      const spoken = await speak(decision.text, signal, onText);
      if (spoken !== decision.text) {
        const partial = spoken === '' ? {} : { partial: spoken };
        return { ...failure('cancelled', 'Cancelled while the reply was arriving.', elapsed()), ...partial };
      }
      return replyOf(decision, turn, elapsed());
    },
  };
}

function decide(turn: Turn): Decision {
  for (const skill of skills) {
    const decision = skill(turn);
    if (decision) return decision;
  }
  return { text: '', calls: [] };
}

/** Streams the text in a few pieces and returns what was said before the signal aborted. */
async function speak(
  text: string,
  signal: AbortSignalLike,
  onText: (delta: string) => void,
): Promise<string> {
  const characters = Array.from(text);
  const size = Math.max(8, Math.ceil(characters.length / 6));
  let spoken = '';
  for (let at = 0; at < characters.length && !signal.aborted; at += size) {
    const piece = characters.slice(at, at + size).join('');
    spoken += piece;
    onText(piece);
    // A turn of the event loop, so that what was said can be shown and a cancel can arrive.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return spoken;
}

function replyOf({ text, calls }: Decision, { nextCall }: Turn, ms: number): ModelOutcome {
  const tool_calls = calls.map(({ name, arguments: input }, index) => ({
    id: `call_${nextCall + index}`,
    type: 'function' as const,
    function: { name, arguments: input },
  }));
  return {
    ok: true,
    message: { role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls } : {}) },
    finish: calls.length > 0 ? 'tool_calls' : 'stop',
    usage: null,
    ms,
    notes: [],
  };
}

function failure(kind: 'bad-request' | 'cancelled', message: string, ms: number): ModelFailure {
  return { ok: false, class: kind, message, retryable: false, notes: [], ms };
}
