/** What is remembered of earlier sessions, as the message that a new session begins with. */
import { shortenText } from '../planner/shorten.ts';
import { readMemories } from '../session/memoryFile.ts';
import { memoryText } from '../session/memoryText.ts';
import type { Background, Session } from '../session/session.ts';
import type { Agent } from './run.ts';

/** It stays in every request, so it gets no more than this share of what a request may hold. */
const share = 1 / 8;

/** None where nothing is remembered; `problem` where there is a memory file that can not be used. */
export function backgroundOf(
  { config, countTokens, memory }: Agent,
  { state }: Session,
): { readonly background?: Background; readonly problem?: string } {
  if (!memory || state.history.length > 0) return {};
  const known = readMemories(memory.file);
  if (!known.ok) return { problem: known.why };
  if (known.memories.length === 0) return {};
  const { max_tokens, reserve } = config.context;
  const content = shortenText(
    memoryText(known.memories),
    Math.floor((max_tokens - reserve) * share),
    countTokens,
  );
  if (content === '') return {};
  return { background: { content, origin: { kind: 'memory', location: { path: memory.name, line: 1 } } } };
}
