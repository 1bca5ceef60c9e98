/** The claim check: an answer that the calls before it do not support leaves one anomaly. */
import { type CallState, currentRound, currentRun, type JournalState } from '../core/journalState.ts';
import { callsOf, contentText } from '../core/messages.ts';
import type { Toolbox, Workspace } from '../core/ports.ts';
import type { Session } from '../session/session.ts';
import { noSuchFile } from '../toolbox/fileProblem.ts';
import { callResults } from './callResults.ts';
import { admitsFailure, type Claim, claimsIn } from './claims.ts';
import { replyOf } from './replyOf.ts';
import type { StepPorts } from './stepPorts.ts';

/** Looks at the reply that just arrived, when it is an answer. It is a marker: it changes nothing. */
export async function checkClaims({ journal, state }: Session, ports: StepPorts): Promise<void> {
  const reply = currentRound(state)?.replies.at(-1);
  const message = replyOf(state);
  if (!reply || !message || callsOf(message).length > 0) return;
  const answer = contentText(message);
  const failed = admitsFailure(answer) ? [] : failedLast(state);
  const claims = claimsIn(answer);
  const missing = await missingFiles(claims, ports.workspace);
  const reasons = [
    ...failed.map(
      ({ name, key, outcome }) => `${name} (call ${key}) ended as ${outcome}, and the answer does not say so`,
    ),
    ...claims
      .filter((claim) => !isSupported(claim, state, ports.toolbox))
      .map(({ text }) => `no call of this session did this: ${JSON.stringify(text.slice(0, 200))}`),
    ...missing.map((path) => `there is no file ${path}`),
  ];
  if (reasons.length === 0) return;
  const about = [...failed.flatMap(({ finished }) => finished ?? []), reply.seq];
  journal.append({ type: 'anomaly', code: 'unsupported-claim', detail: reasons.join('; '), about });
}

/** The calls of the last acting round that did not succeed, when no other call of that tool did. */
function failedLast(state: JournalState): CallState[] {
  const calls = currentRun(state)?.rounds.findLast((round) => round.calls.length > 0)?.calls ?? [];
  const succeeded = new Set(calls.filter((call) => isSuccess(state, call)).map(({ name }) => name));
  return calls.filter(({ name, finished }) => finished !== undefined && !succeeded.has(name));
}

function isSuccess(state: JournalState, { key, outcome }: CallState): boolean {
  // A mocked call is what the user made of it.
  if (outcome === 'mocked') return callResults(state).get(key)?.success === true;
  return outcome === 'ok';
}

/**
 * Whether any call of the session, also of an earlier run, could have done it. Of commands the last one counts: tests
 * that passed before the change say nothing about what came after it.
 */
function isSupported({ effects, ran }: Claim, state: JournalState, toolbox: Toolbox): boolean {
  const calls = state.runs.flatMap(({ rounds }) => rounds.flatMap((round) => round.calls));
  const command = ran
    ? calls.findLast((call) => toolbox.find(call.name)?.command && call.finished !== undefined)
    : undefined;
  if (command) return isSuccess(state, command);
  return calls.some((call) => {
    const own = call.effects ?? toolbox.find(call.name)?.effects;
    return own !== undefined && effects.includes(own) && isSuccess(state, call);
  });
}

/** Files that the answer says were written and that are not there. At most a few are looked for. */
async function missingFiles(claims: readonly Claim[], workspace: Workspace): Promise<string[]> {
  if (workspace.root === undefined) return [];
  const named = [...new Set(claims.flatMap(({ written }) => written))].slice(0, 10);
  const reads = await Promise.all(named.map(async (path) => ({ path, read: await workspace.read(path) })));
  return reads.flatMap(({ path, read }) => (!read.ok && read.error.includes(noSuchFile) ? [path] : []));
}
