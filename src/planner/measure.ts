/**
 * What packing needs to know of a text: its tokens, and its shorter forms. Each text is parsed and counted once, so
 * that a round costs what is new in it; the forms are made when they are first needed.
 */
import { type CallKey, callsOf, contentText, type Role, type WireMessage } from '../core/messages.ts';
import { countCodePoints } from '../core/capText.ts';
import { parseMessage } from '../core/parseMessage.ts';
import type { CountTokens, TokenCounter } from '../core/ports.ts';
import { serialise } from '../core/serialise.ts';
import { countMessage, mediaOf, mediaTokens } from './countMessage.ts';
import { atOnce, type Counting, shorteningMessage } from './shorten.ts';

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
  /**
   * Does work that cuts messages, and says which cut forms of long texts it would have made; they count as `max`
   * tokens in it, so that its result is good for nothing else when there are any.
   */
  missing(work: () => void): readonly CutForm[];
  /** Makes a form for `cut` to have at hand. `ahead` counts texts elsewhere, as a `TokenCounter` does. Never rejects. */
  prepare(form: CutForm, ahead: TokenCounter['ahead']): Promise<void>;
}

/** What `cut` is asked for. */
export interface CutForm {
  readonly text: string;
  readonly max: number;
  readonly call: CallKey;
}

/** UTF-16 units of a message from which on a cut form takes so long that it is not made in passing. */
export const longMessage = 1 << 15;

export function createMeasures(count: CountTokens): Measures {
  const known = new Map<string, Measured | undefined>();
  const forms = new Map<string, Map<string, Form>>();
  const of = (text: string) => {
    if (!known.has(text)) known.set(text, measure(text, count));
    return known.get(text);
  };
  const formsOf = (text: string) => {
    const made = forms.get(text) ?? new Map<string, Form>();
    forms.set(text, made);
    return made;
  };
  const form = (text: string, key: string, make: () => Form): Form => {
    const made = formsOf(text);
    const now = made.get(key) ?? make();
    made.set(key, now);
    return now;
  };
  const cutting = ({ text, max, call }: CutForm) =>
    makingForm(text, count, (message) => shorteningMessage(message, max, count, call || undefined));
  /** Set while missing forms are looked for. */
  let missing: CutForm[] | undefined;
  return {
    of,
    cut(text, max, call = '') {
      const wanted = { text, max, call };
      if (missing && text.length >= longMessage && !forms.get(text)?.has(keyOf(wanted))) {
        missing.push(wanted);
        return { text, tokens: max };
      }
      return form(text, keyOf(wanted), () => atOnce(cutting(wanted)));
    },
    stub: (text) =>
      form(text, 'stub', () => {
        const message = parseMessage(text);
        return formOf(text, message, message && { ...message, content: stubText(message) }, count);
      }),
    missing(work) {
      const found: CutForm[] = (missing = []);
      try {
        work();
      } finally {
        missing = undefined;
      }
      return found;
    },
    async prepare(wanted, ahead) {
      const steps = cutting(wanted);
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return void formsOf(wanted.text).set(keyOf(wanted), step.value);
        await ahead(step.value);
      }
    },
  };
}

const keyOf = ({ max, call }: CutForm) => `${max} ${call}`;

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

function* makingForm(
  text: string,
  count: CountTokens,
  make: (message: WireMessage) => Counting<WireMessage>,
): Counting<Form> {
  const message = parseMessage(text);
  return formOf(text, message, message && (yield* make(message)), count);
}

function formOf(
  text: string,
  message: WireMessage | undefined,
  shorter: WireMessage | undefined,
  count: CountTokens,
): Form {
  if (!shorter) return { text, tokens: 0 };
  return { text: shorter === message ? text : serialise(shorter), tokens: countMessage(shorter, count) };
}

function stubText(message: WireMessage): string {
  const characters = countCodePoints(contentText(message).toWellFormed());
  return `[The content of this result (${characters.toLocaleString('en-US')} characters) was left out to save room.]`;
}
