/**
 * What packing needs to know of a text: its tokens, and its shorter forms. Each text is parsed and counted once, so
 * that a round costs what is new in it; the forms are made when they are first needed.
 */
import { type CallKey, callsOf, contentText, type Role, type WireMessage } from '../core/messages.ts';
import { countCodePoints } from '../core/capText.ts';
import { parseMessage } from '../core/parseMessage.ts';
import type { CountTokens } from '../core/ports.ts';
import { serialise } from '../core/serialise.ts';
import { countMessage, mediaOf, mediaTokens } from './countMessage.ts';
import { shortenMessage } from './shorten.ts';

export interface Measured {
  readonly role: Role;
  readonly hasCalls: boolean;
  /** Tokens by our own count, and what of them stands for media. */
  readonly tokens: number;
  readonly media: number;
}

/** A text that is sent in place of a message's own, and its tokens by our own count. */
export interface Form {
  readonly text: string;
  readonly tokens: number;
}

export interface Measures {
  /** Undefined for a text that is no message. */
  of(text: string): Measured | undefined;
  /**
   * The message cut to `max` tokens by our own count, or to the least that is legal. `call`: whose result it is, so that
   * it says where its whole can be read.
   */
  cut(text: string, max: number, call?: CallKey): Form;
  /** One line in place of a result. */
  stub(text: string): Form;
}

export function createMeasures(count: CountTokens): Measures {
  const known = new Map<string, Measured | undefined>();
  const forms = new Map<string, Map<string, Form>>();
  const of = (text: string) => {
    if (!known.has(text)) known.set(text, measure(text, count));
    return known.get(text);
  };
  const form = (text: string, key: string, make: (message: WireMessage) => WireMessage): Form => {
    const made = forms.get(text) ?? new Map<string, Form>();
    forms.set(text, made);
    const now = made.get(key) ?? makeForm(text, make, count);
    made.set(key, now);
    return now;
  };
  return {
    of,
    cut: (text, max, call = '') =>
      form(text, `${max} ${call}`, (message) => shortenMessage(message, max, count, call || undefined)),
    stub: (text) => form(text, 'stub', (message) => ({ ...message, content: stubText(message) })),
  };
}

function measure(text: string, count: CountTokens): Measured | undefined {
  const message = parseMessage(text);
  return (
    message && {
      role: message.role,
      hasCalls: callsOf(message).length > 0,
      tokens: countMessage(message, count),
      media: mediaOf(message).length * mediaTokens,
    }
  );
}

function makeForm(text: string, make: (message: WireMessage) => WireMessage, count: CountTokens): Form {
  const message = parseMessage(text);
  if (!message) return { text, tokens: 0 };
  const shorter = make(message);
  return { text: shorter === message ? text : serialise(shorter), tokens: countMessage(shorter, count) };
}

function stubText(message: WireMessage): string {
  const characters = countCodePoints(contentText(message).toWellFormed());
  return `[The content of this result (${characters.toLocaleString('en-US')} characters) was left out to save room.]`;
}
