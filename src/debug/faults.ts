/** Faults: what went wrong since the checkpoint before, as the exception filters name it. */
import * as l10n from '@vscode/l10n';
import type { CallFinished, CallOutcome, JournalEvent } from '../core/events.ts';
import { callAt, type JournalState } from '../core/journalState.ts';
import { contentText } from '../core/messages.ts';
import { isRecord, parseJson, parseMessage } from '../core/parseMessage.ts';
import { illegalHistory } from '../runner/legalCheck.ts';
import { jsonErrorOffset } from '../toolbox/readArguments.ts';

export type FaultId =
  | 'modelError'
  | 'toolFailure'
  | 'badArguments'
  | 'unknownTool'
  | 'repeatedCall'
  | 'limit'
  | 'illegalHistory'
  | 'truncation'
  | 'unsupportedClaim'
  | 'silentTruncation'
  | 'contextLost';

export interface Fault {
  readonly id: FaultId;
  /** What happened, for people. */
  readonly message: string;
  /** The journal event that shows it. */
  readonly seq: number;
  /** What it is about: `request r2, attempt 1`, `message m4, call 1.1.1, byte 14 of the arguments`. */
  readonly about?: string;
  /** What usually helps. */
  readonly help: string;
}

function helpFor(id: FaultId): string {
  const { t } = l10n;
  switch (id) {
    case 'modelError':
      return t('Check api_base, the key and model_name; the journal holds what the server said.');
    case 'toolFailure':
      return t(
        'The error goes back to the model as the result of its call. Edit the result at observe, or let the model react.',
      );
    case 'badArguments':
      return t(
        'The call was not executed; the model gets the error with position and schema, and can correct itself.',
      );
    case 'unknownTool':
      return t(
        'The model named a tool that this agent does not have. Compare the name with "tools" in the agent file.',
      );
    case 'repeatedCall':
      return t(
        'The model was told that it repeats itself, and did it again. Edit the result at observe, say something new, or continue: the count starts anew.',
      );
    case 'limit':
      return t(
        'Raise the limit in the agent file, or chat on: the history is legal and nothing is lost. Where the number of rounds stopped it, ">> 5" in the Debug Console goes on for five more.',
      );
    case 'illegalHistory':
      return t('The history is in a state that strict servers refuse; the message names the rule.');
    case 'truncation':
      return t('The Context view shows the arithmetic. Raise context.max_tokens, or pin what must stay.');
    case 'unsupportedClaim':
      return t(
        'Compare the answer with the calls of this run. Edit the reply, or continue and ask for what is missing.',
      );
    case 'silentTruncation':
      return t(
        'The reply may answer a request whose beginning the server did not read. Lower context.max_tokens to the window of the server, or give the server a larger one.',
      );
    case 'contextLost':
      return t('The Context view shows what left and why. Restore or pin the message that holds it.');
  }
}

const faultyOutcomes: Partial<Record<CallOutcome, FaultId>> = {
  error: 'toolFailure',
  timeout: 'toolFailure',
  invalid: 'badArguments',
  unknown: 'unknownTool',
};

const faultyAnomalies: Readonly<Record<string, FaultId | undefined>> = {
  'repeated-call': 'repeatedCall',
  'unsupported-claim': 'unsupportedClaim',
  'silent-truncation': 'silentTruncation',
};

/** The faults among events, in order. `state` is the fold that contains them. */
export function faultsIn(state: JournalState, events: readonly JournalEvent[]): Fault[] {
  return events.flatMap((event, index) => {
    if (event.type === 'model.failed' && isAskedAgain(state, event, events.slice(index + 1))) return [];
    const found = faultOf(state, event);
    return found ? [fault(found.id, found.message, event.seq, found.about)] : [];
  });
}

export function fault(id: FaultId, message: string, seq: number, about?: string): Fault {
  return { id, message, seq, help: helpFor(id), ...(about === undefined ? {} : { about }) };
}

/** Where it happened, in words: the journal event, and what that is about. */
export function faultPlace({ seq, about }: Fault): string {
  const event = l10n.t('journal event {0}', seq);
  return about === undefined ? event : `${event}: ${about}`;
}

type Found = Pick<Fault, 'id' | 'message' | 'about'>;

/** Whether a refused request was followed by another one, said in another way or packed smaller. */
function isAskedAgain(
  state: JournalState,
  { request }: JournalEvent & { type: 'model.failed' },
  later: readonly JournalEvent[],
): boolean {
  const purpose = state.requests.get(request)?.attempts[0]?.sent.purpose;
  return later.some((event) => event.type === 'model.requested' && event.purpose === purpose);
}

function faultOf(state: JournalState, event: JournalEvent): Found | undefined {
  const { t } = l10n;
  switch (event.type) {
    case 'model.failed':
      // A failure that is tried again, or that the user asked for, is no fault.
      if (event.retryIn !== undefined || event.class === 'cancelled') return undefined;
      return {
        id: 'modelError',
        message: `${event.class}: ${event.message}`,
        about: t('request {0}, attempt {1}', event.request, event.attempt),
      };
    case 'call.finished': {
      const id = faultyOutcomes[event.outcome];
      const name = callAt(state, event.key)?.name ?? event.key;
      return (
        id && {
          id,
          message: t(
            '{0} (call {1}) ended as {2}: {3}',
            name,
            event.key,
            event.outcome,
            errorOf(state, event.part),
          ),
          about: callPlace(state, event),
        }
      );
    }
    case 'context.packed': {
      const gone = event.changed.filter((change) => change.fate === 'dropped' && change.rule !== 'user');
      if (gone.length === 0) return undefined;
      return {
        id: 'truncation',
        message: t('{0} left the context ({1})', gone.map(({ id }) => id).join(', '), gone[0]?.rule ?? ''),
      };
    }
    case 'anomaly': {
      const id = faultyAnomalies[event.code];
      return id && { id, message: event.detail };
    }
    case 'run.ended':
      return ended(event.outcome, event.limit ?? '');
    default:
      return undefined;
  }
}

function ended(outcome: string, words: string): Found | undefined {
  if (outcome === 'limit') return { id: 'limit', message: words };
  if (outcome === 'blocked') return { id: 'limit', message: words };
  if (outcome === 'failed' && words.startsWith(illegalHistory))
    return { id: 'illegalHistory', message: words };
  return undefined;
}

/** The message of its result, the call, and where arguments stop being JSON, in bytes of UTF-8 from 0. */
function callPlace(state: JournalState, { key, message, outcome }: CallFinished): string {
  const place = l10n.t('message {0}, call {1}', message, key);
  const text = callAt(state, key)?.arguments ?? '';
  const offset = outcome === 'invalid' ? jsonErrorOffset(text) : undefined;
  if (offset === undefined) return place;
  return `${place}, ${l10n.t('byte {0} of the arguments', Buffer.byteLength(text.slice(0, offset)))}`;
}

/** The error that went back to the model, without the wire around it. */
function errorOf(state: JournalState, part: string): string {
  const content = contentText(parseMessage(state.parts.get(part) ?? '') ?? { role: 'tool' });
  const observation = parseJson(content);
  return isRecord(observation) && typeof observation['error'] === 'string' ? observation['error'] : content;
}
