/** A file as a session that can be read: a journal, or the requests that another agent logged. */
import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { JournalEvent } from '../core/events.ts';
import { foreignJournalSteps } from '../core/foreignJournal.ts';
import { type ForeignBody, type ForeignLog, readForeignSteps } from '../core/foreignLog.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import { createTokenCounter } from '../planner/tokens.ts';
import { readJournalSteps } from '../session/journalText.ts';
import { inSlices } from './inSlices.ts';
import { unpack } from './unpack.ts';

export type SessionFile =
  | {
      readonly ok: true;
      readonly events: readonly JournalEvent[];
      /** Of a journal: bytes of whole lines, behind which others may be appended. Absent: it is a log of requests. */
      readonly whole?: number;
      /** What of the file is not shown, in words. */
      readonly notices: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** Larger files can not be held as one text. */
const mostBytes = 400 * 1024 * 1024;
const mostNamed = 5;

const digest = {
  sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
  byteLength: (text: string) => Buffer.byteLength(text),
};

/**
 * Reads in slices: the event loop has its turn in between. Never rejects for what is in the file.
 * @param name what messages call the file
 * @param session the id that its events get where it is a log of requests
 */
export async function readSessionFile(
  bytes: Uint8Array,
  { name, session }: { readonly name: string; readonly session: string },
): Promise<SessionFile> {
  const unpacked = await unpack(bytes, mostBytes);
  if (unpacked.kind === 'large')
    return { ok: false, problem: l10n.t('{0} is too large to be shown: more than 400 MB.', name) };
  if (unpacked.kind === 'packed')
    return { ok: false, problem: l10n.t('{0} is compressed, and not by gzip: unpack it first.', name) };
  if (unpacked.kind === 'broken')
    return { ok: false, problem: l10n.t('{0} can not be unpacked: {1}', name, unpacked.why) };
  const text = decoded(unpacked.bytes);
  if (text.trim() === '') return { ok: false, problem: l10n.t('{0} is empty.', name) };
  if (isJournal(text)) return readJournal(text, name, unpacked.bytes === bytes);
  const log = (await inSlices(readForeignSteps(text)))!;
  const { bodies } = log;
  if (bodies.length === 0) return { ok: false, problem: noRequests(name, log) };
  const counter = await createTokenCounter();
  await counter.ahead([...(await inSlices(textsIn(bodies)))!]);
  const options = { session, name, digest, count: counter };
  const events = (await inSlices(foreignJournalSteps(bodies, options)))!;
  return { ok: true, events, notices: leftOut(name, log) };
}

/** What is to be counted: most messages come again in every body. */
function* textsIn(bodies: readonly ForeignBody[]): Generator<void, ReadonlySet<string>> {
  const texts = new Set<string>();
  for (const { messages } of bodies) {
    for (const message of messages) texts.add(JSON.stringify(message));
    yield;
  }
  return texts;
}

/** UTF-8, or what its byte order mark says, which is not part of the text; JSON without one tells by its first zeros. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
      ? 'utf-16le'
      : (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** By its first line; a file with anything else in it is not ours. */
function isJournal(text: string): boolean {
  const newline = text.indexOf('\n');
  const line = text.slice(0, newline < 0 ? text.length : newline);
  if (newline < 0) return line.startsWith('{"seq":0,"at":');
  if (line.length > 10_000) return false;
  const first = parseJson(line);
  return isRecord(first) && first['type'] === 'session.opened';
}

/** @param grows what is appended to the file can be read behind it: not where it is packed */
async function readJournal(text: string, name: string, grows: boolean): Promise<SessionFile> {
  const read = (await inSlices(readJournalSteps(text)))!;
  if (read.events.length === 0) {
    const why = read.ok ? l10n.t('its first line is not complete') : read.message;
    return {
      ok: false,
      problem: l10n.t(
        'The journal {0} can not be read: {1}. It may be of another version of Loopscope.',
        name,
        why,
      ),
    };
  }
  const { events } = read;
  if (!read.ok) {
    const notice = l10n.t(
      '{0}, line {1}: {2}. What stands before that line is shown.',
      name,
      String(read.line),
      read.message,
    );
    return { ok: true, events, notices: [notice] };
  }
  const notice = l10n.t(
    'The last line of {0} is not complete: its writer was ended in the middle of it. The lines before it are shown.',
    name,
  );
  const notices = read.torn === undefined ? [] : [notice];
  return grows
    ? { ok: true, events, whole: Buffer.byteLength(text.slice(0, read.whole)), notices }
    : { ok: true, events, notices };
}

function noRequests(name: string, { others, hasNoRole }: ForeignLog): string {
  const [api] = others.keys();
  if (api !== undefined)
    return l10n.t(
      '{0} holds requests of the {1} API. What can be shown are bodies of the OpenAI chat completions API, with "messages".',
      name,
      api,
    );
  if (/\.[ct]sv(\.gz)?$/i.test(name))
    return l10n.t(
      '{0} is a table. What can be shown are request bodies as JSON or JSON Lines: export it so from where it came.',
      name,
    );
  if (hasNoRole)
    return l10n.t(
      '{0} holds messages without a role. Each message needs one: system, user, assistant or tool.',
      name,
    );
  return l10n.t(
    '{0} can not be shown: it is no journal of Loopscope, and there is no request body ("messages": […]) and no messages array in it.',
    name,
  );
}

function leftOut(name: string, { bodies, skipped, others }: ForeignLog): string[] {
  const named = skipped.slice(0, mostNamed).join(', ') + (skipped.length > mostNamed ? ', …' : '');
  return [
    ...[...others].map(([api, count]) =>
      l10n.t('{0}: requests of the {1} API are left out: {2}.', name, api, String(count)),
    ),
    ...(skipped.length === 0 || others.size > 0
      ? []
      : [
          l10n.t(
            '{0}: {1} requests are shown; lines without one are left out: {2}.',
            name,
            String(bodies.length),
            named,
          ),
        ]),
  ];
}
