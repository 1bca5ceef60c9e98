import { callsOf, contentText, type WireContent, type WireMessage } from '../core/messages.ts';
import type { CountTokens } from '../core/ports.ts';

/** Tokens that frame each message (role and separators), and each request once (the reply's opening). */
export const messageFraming = 4;
export const requestFraming = 3;

/**
 * Tokens of an image, a sound or a file in a message, whatever its size: providers bill them by what they show and
 * not by the length of their base64 text. (OpenAI's high-detail images cost 765 to 1,105; the learnt factor and the
 * anchor of the meter take up what is left.) One that is asked for in low detail has a price of its own.
 */
export const mediaTokens = 1000;
const lowDetailTokens = 85;

/** Characters from which on a text in base64 in a field of a provider's own is media, or as good as that. */
const longBase64 = 4000;

/** Tokens of one message as sent: its texts, what is no text in it, and framing. */
export function countMessage(message: WireMessage, count: CountTokens): number {
  const media = countMedia(message);
  return countedTexts(message).reduce((sum, text) => sum + count(text), messageFraming + media);
}

/** Tokens of what is no text in a message: parts of its content, and data in fields of a provider's own. */
export function countMedia(message: WireMessage): number {
  const parts = mediaOf(message).reduce((sum, part) => sum + partTokens(part), 0);
  let data = 0;
  const look = (value: unknown): void => {
    if (isData(value)) data += mediaTokens;
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  ownValues(message).forEach(look);
  return parts + data;
}

/** What is counted of a message: its text, the calls' names and arguments, a provider's own fields. */
export function countedTexts(message: WireMessage): readonly string[] {
  const callTexts = callsOf(message).flatMap((call) => [call.function.name, call.function.arguments]);
  const refusals = partsOf(message).flatMap((part) => (isRefusal(part) ? [part.refusal] : []));
  return [
    contentText(message),
    ...callTexts,
    ...refusals,
    ...ownValues(message).flatMap((value) => ownTexts(value)),
  ];
}

/** The content parts that are no text, or not only text: a picture may have a caption. */
export function mediaOf(message: WireMessage): readonly WireContent[] {
  return partsOf(message).filter(
    (part) => !isRefusal(part) && (typeof part?.text !== 'string' || holdsMedia(part)),
  );
}

function partsOf({ content }: WireMessage): readonly WireContent[] {
  return Array.isArray(content) ? (content as readonly WireContent[]) : [];
}

function isRefusal(part: WireContent | null): part is WireContent & { readonly refusal: string } {
  return part?.type === 'refusal' && typeof part['refusal'] === 'string';
}

/** Beside a text, where servers take it: `image_url`, `input_audio`, `file`, … hold an address, data or an id. */
function holdsMedia(part: WireContent): boolean {
  return /image|audio|video|file|document|media/i.test(String(part.type));
}

function partTokens(part: WireContent | null): number {
  const image = part?.['image_url'];
  const detail =
    typeof image === 'object' && image !== null && 'detail' in image ? image.detail : part?.['detail'];
  return detail === 'low' ? lowDetailTokens : mediaTokens;
}

/** The values of the fields that the API does not define, of a message and of the calls in it. */
function ownValues(message: WireMessage): readonly unknown[] {
  const { role: _role, content: _content, tool_calls: _calls, tool_call_id: _answered, ...own } = message;
  const ofCalls = callsOf(message).flatMap(({ id: _id, type: _type, function: _named, ...ofCall }) =>
    Object.values(ofCall),
  );
  return [...Object.values(own), ...ofCalls];
}

/** A field of a provider's own is sent back as it came, so that its structure counts too; data in it is media. */
function ownTexts(value: unknown): readonly string[] {
  if (isData(value)) return [];
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [JSON.stringify(value, (_key, inner: unknown) => (isData(inner) ? '' : inner))];
}

/** A data URL, or base64 without one: an encrypted thought, a sound of a reply. */
export function isData(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return /^data:[^,\s]{0,200},/.test(value) || (value.length >= longBase64 && /^[\w+/-]*={0,2}$/.test(value));
}
