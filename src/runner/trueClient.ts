/** The model's client as the journal must not see it: with the secrets that the journal leaves out. */
import { beginsWith, type RequestBody, requestBody } from '../core/body.ts';
import type { ModelClient } from '../core/ports.ts';
import type { Journal } from '../session/journal.ts';
import { createCleanStream } from '../session/cleanStream.ts';
import { mayHoldPlaceholder } from '../session/redactor.ts';
import { guardedClient } from './guardedClient.ts';

export interface TrueClient extends ModelClient {
  /** For requests beside the conversation: a summary needs no secret, so its messages keep the placeholders. */
  readonly aside: ModelClient;
}

/**
 * Sends bodies with their secrets put back, and hands streamed text on without them. Where a body holds something
 * that was taken out by an earlier process and that this one does not know, the placeholder is sent and said so, once.
 */
export function trueClient(client: ModelClient, journal: Journal): TrueClient {
  const { redactor } = journal;
  const guarded = guardedClient(client);
  const told = new Set<string>();
  const lost = ({ head, texts, tail }: RequestBody) =>
    [head, ...texts, ...tail].flatMap((text) => redactor.lost(text));
  const reveal = (text: string) => redactor.reveal(text);
  const revealed = ({ head, texts, tail }: RequestBody) =>
    requestBody(reveal(head), texts.map(reveal), tail.map(reveal));
  /** The messages of the last body, where nothing was taken out of it: nearly all of the next one. */
  let untouched: readonly string[] = [];
  const isUntouched = ({ head, texts, tail }: RequestBody): boolean => {
    const fresh = beginsWith(texts, untouched) ? texts.slice(untouched.length) : texts;
    const is = ![head, ...fresh, ...tail].some(mayHoldPlaceholder);
    untouched = is ? texts : [];
    return is;
  };
  const tellLost = (body: RequestBody) => {
    for (const stand of lost(body)) {
      if (told.has(stand)) continue;
      told.add(stand);
      const detail = `${stand} was taken out of this journal and is not known any more: the model is sent the placeholder.`;
      journal.append({ type: 'anomaly', code: 'redacted-sent', detail, about: [] });
    }
  };
  const truthOf = (body: RequestBody): RequestBody => {
    if (isUntouched(body)) return body;
    tellLost(body);
    return revealed(body);
  };
  /** Its parameters are the user's own (a header, a token of a gateway). */
  const asideOf = ({ head, texts, tail }: RequestBody): RequestBody =>
    requestBody(reveal(head), texts, tail.map(reveal));
  const sending = (sent: (body: RequestBody) => RequestBody): ModelClient => ({
    url: client.url,
    label: client.label,
    async send(body, options) {
      const stream = createCleanStream(redactor, options.onText);
      const outcome = await guarded.send(sent(body), {
        ...options,
        onText: (delta) => stream.push(delta),
      });
      stream.end();
      return outcome;
    },
  });
  return { ...sending(truthOf), aside: sending(asideOf) };
}
