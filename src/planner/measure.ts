/**
 * What packing needs to know of a text: its tokens, and its shorter forms. Each text is parsed and counted once, so
 * that a round costs what is new in it; the forms are made when they are first needed.
 */
import { type CallKey, callsOf, contentText, type Role, type WireMessage } from '../core/messages.ts';
import { countCodePoints } from '../core/capText.ts';
import { parseMessage } from '../core/parseMessage.ts';
import type { CountTokens, TokenCounter } from '../core/ports.ts';
import { serialise } from '../core/serialise.ts';
import { countMedia, countMessage } from './countMessage.ts';
import { atOnce, countingAhead, type Counting, shorteningMessage } from './shorten.ts';

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

/** Measures whose forms of long texts can be made before they are asked for, and elsewhere. */
export interface PreparedMeasures extends Measures {
  /** For a trial of work that cuts messages; see `Trial`. */
  trial(): Trial;
  /** Makes a form for `cut` to have at hand. `ahead` counts texts elsewhere, as a `TokenCounter` does. Never rejects. */
  prepare(form: CutForm, ahead: TokenCounter['ahead']): Promise<void>;
}

/**
 * The same measures, but for forms of long texts that are not made yet: those count as `max` tokens and are noted. So
 * what was done with `measures` is good when none is missing, and else tells what to prepare.
 */
export interface Trial {
  readonly measures: Measures;
  readonly missing: readonly CutForm[];
}

/** What `cut` is asked for. */
export interface CutForm {
  readonly text: string;
  readonly max: number;
  readonly call: CallKey;
}

/** UTF-16 units of a message from which on a cut form takes so long that it is not made in passing. */
export const longMessage = 1 << 15;

export function createMeasures(count: CountTokens): PreparedMeasures {
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
  const cut = (text: string, max: number, call = '') => {
    const wanted = { text, max, call };
    return form(text, keyOf(wanted), () => atOnce(cutting(wanted)));
  };
  const stub = (text: string) =>
    form(text, 'stub', () => {
      const message = parseMessage(text);
      return formOf(text, message, message && { ...message, content: stubText(message) }, count);
    });
  return {
    of,
    cut,
    stub,
    trial() {
      const missing: CutForm[] = [];
      const cutOrNote = (text: string, max: number, call = '') => {
        const key = keyOf({ max, call });
        if (text.length < longMessage || forms.get(text)?.has(key)) return cut(text, max, call);
        if (!missing.some((known) => known.text === text && keyOf(known) === key))
          missing.push({ text, max, call });
        return { text, tokens: max };
      };
      return { measures: { of, stub, cut: cutOrNote }, missing };
    },
    async prepare(wanted, ahead) {
      const made = await countingAhead(cutting(wanted), ahead);
      formsOf(wanted.text).set(keyOf(wanted), made);
    },
  };
}

const keyOf = ({ max, call }: Omit<CutForm, 'text'>) => `${max} ${call}`;

function measure(text: string, count: CountTokens): Measured | undefined {
  const message = parseMessage(text);
  return (
    message && {
      role: message.role,
      hasCalls: callsOf(message).length > 0,
      tokens: countMessage(message, count),
      media: countMedia(message),
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
