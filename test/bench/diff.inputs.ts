/** What differences are measured on: lists of messages, texts and JSON, typical and hostile, the same in every run. */

/** Numbers from 0 to below 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

export interface Message {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

const vocabulary =
  'plan act observe budget token round message call result note meeting report mail week'.split(' ');
const otherVocabulary =
  'une autre liste de mots qui ne partage rien avec elle ni phrase ni signe aucun'.split(' ');

function sentence(random: () => number, length: number, vocabulary: readonly string[]): string {
  return Array.from({ length }, () => vocabulary[Math.floor(random() * vocabulary.length)]).join(' ');
}

/** A message as agents send them: a goal, a call, its result, in turns; `id` is ours and not sent by others. */
function message(n: number, name: string): Message {
  const from = name === 'other' ? otherVocabulary : vocabulary;
  const random = randomFrom(n + name.length * 1_000_003);
  const [id, call] = [`${name}${n}`, `call_${name}_${n - (n % 3)}`];
  if (n % 3 === 0) return { id, role: 'user', content: `${name} ${n}: ${sentence(random, 60, from)}` };
  if (n % 3 === 1) {
    const called = { name: 'add_note', arguments: JSON.stringify({ text: sentence(random, 8, from), n }) };
    return {
      id,
      role: 'assistant',
      content: '',
      tool_calls: [{ id: call, type: 'function', function: called }],
    };
  }
  return {
    id,
    role: 'tool',
    tool_call_id: call,
    content: JSON.stringify({ success: true, data: sentence(random, 80, from) }),
  };
}

const messages = (count: number, name: string) => Array.from({ length: count }, (_, n) => message(n, name));

function typicalRounds(): [Message[], Message[]] {
  const before = messages(10_000, 'm');
  const after = [before[0]!, ...before.slice(51), ...messages(3, 'n')];
  after[5000] = { ...after[5000]!, content: 'edited' };
  return [before, after];
}

function words(seed: number, count: number, alphabet: readonly string[], joint = ' '): string {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join(joint);
}

/** Twenty words replaced, evenly. */
function twentyEdits(text: string): string {
  const parts = text.split(/(?<=\s)/);
  const stride = Math.floor(parts.length / 20);
  return parts.map((part, index) => (index % stride === 7 ? 'edited ' : part)).join('');
}

const names = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => `${name}${n.toString(36)}`);
const han = Array.from({ length: 2000 }, (_, n) => String.fromCharCode(0x4e00 + n));

function lines(): string {
  const random = randomFrom(5);
  return Array.from({ length: 2000 }, (_, n) => `${n} ${sentence(random, 7, vocabulary)}`).join('\n');
}

function records(keys: 'forward' | 'backward', edited: boolean): object[] {
  const random = randomFrom(9);
  return Array.from({ length: 700 }, (_, n) => {
    const fields: [string, unknown][] = [
      ['id', n],
      ['title', sentence(random, 8, vocabulary)],
      ['done', n % 3 === 0],
      ['minutes', edited && n % 35 === 3 ? -1 : n * 5],
      ['tags', [sentence(random, 1, vocabulary), sentence(random, 1, vocabulary)]],
    ];
    return Object.fromEntries(keys === 'forward' ? fields : fields.reverse());
  });
}

const otherRecords = () =>
  Array.from({ length: 900 }, (_, n) => ({ key: `k${n}`, value: words(n, 10, names(99, 'z')) }));

export type Input =
  | { readonly kind: 'messages'; readonly before: readonly Message[]; readonly after: readonly Message[] }
  | { readonly kind: 'text' | 'json'; readonly before: string; readonly after: string };

/** By title; made only when it is measured. */
export const inputs: Readonly<Record<string, () => Input>> = {
  '10,000 messages: 50 dropped, 1 edited, 3 appended': () => {
    const [before, after] = typicalRounds();
    return { kind: 'messages', before, after: structuredClone(after) };
  },
  '10,000 messages: nothing in common': () => ({
    kind: 'messages',
    before: messages(10_000, 'm'),
    after: messages(10_000, 'other'),
  }),
  '100 kB of lines: 20 edits': () => ({ kind: 'text', before: lines(), after: twentyEdits(lines()) }),
  '100 kB on one line: 20 edits': () => {
    const before = words(1, 14_000, names(5000, 'w'));
    return { kind: 'text', before, after: twentyEdits(before) };
  },
  '100 kB of Chinese: 20 edits': () => {
    const before = words(2, 33_000, han, '');
    const after = [...before].map((sign, index) => (index % 1650 === 7 ? '改' : sign)).join('');
    return { kind: 'text', before, after };
  },
  '100 kB: all different': () => ({
    kind: 'text',
    before: words(3, 14_000, names(5000, 'a')),
    after: words(4, 14_000, names(5000, 'b')),
  }),
  '100 kB: the same few words, shuffled': () => ({
    kind: 'text',
    before: words(6, 25_000, ['yes', 'no', 'so']),
    after: words(7, 25_000, ['yes', 'no', 'so']),
  }),
  '1 MB on one line: the same few words, shuffled': () => ({
    kind: 'text',
    before: words(6, 250_000, ['yes', 'no', 'so']),
    after: words(7, 250_000, ['yes', 'no', 'so']),
  }),
  '100 kB of JSON: 20 values, keys in another order': () => ({
    kind: 'json',
    before: JSON.stringify(records('forward', false)),
    after: JSON.stringify(records('backward', true)),
  }),
  '100 kB of JSON: nothing in common': () => ({
    kind: 'json',
    before: JSON.stringify(records('forward', false)),
    after: JSON.stringify(otherRecords()),
  }),
};
