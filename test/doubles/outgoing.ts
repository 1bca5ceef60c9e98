import { messageFacts } from '../../src/core/messageFacts.ts';
import { parseMessage } from '../../src/core/parseMessage.ts';
import { type Outgoing } from '../../src/planner/egress.ts';

/** Texts with their facts, as the request hands them to egress. */
export function outgoing(texts: readonly string[]): Outgoing[] {
  return texts.map((text) => {
    const message = parseMessage(text);
    return { text, facts: message && messageFacts(message) };
  });
}
