/** What the host answers a panel, and what it does for it. */
import { assertNever } from '../../core/assertNever.ts';
import { isPolicyName } from '../../core/config.ts';
import type { Op } from '../../core/ops.ts';
import type { PanelWords } from '../../core/panelWords.ts';
import type { FromPanel, SessionInfo, ToPanel } from '../../core/protocol.ts';
import { opsWords } from '../../debug/opWords.ts';
import { refusalText } from '../../debug/refusalText.ts';
import type { PanelSession, PanelSessions } from './panelChannel.ts';
import { wireOf } from './wireOf.ts';

/** All that a panel asks for but `ready`, `find` and `whatIf`. A session that is gone has no answer. */
export function answer(
  message: Exclude<FromPanel, { type: 'ready' | 'find' | 'whatIf' }>,
  sessions: PanelSessions,
  post: (message: ToPanel) => void,
  self: object,
): void {
  if (message.type === 'command') return sessions.run(message.command);
  if (message.type === 'stopRule') {
    const { target, on } = message;
    return on ? sessions.stopRules.set({ target }) : sessions.stopRules.remove(target);
  }
  const session = sessions.get(message.session);
  if (!session) return;
  switch (message.type) {
    case 'fetchPart': {
      const { part } = message;
      return post({ type: 'part', session: session.id, part, text: session.state.parts.get(part) ?? null });
    }
    case 'wire':
      return post({
        type: 'wire',
        session: session.id,
        view: wireOf(session, message.request, message.attempt),
      });
    case 'useBudget':
      if (!isPolicyName(message.policy) && message.policy !== session.policy) return;
      return sessions.useBudget(session, message.limit, message.policy);
    case 'copy':
      return sessions.copy(session, message.what);
    case 'op':
      return void applyOp(session, message.op, post);
    case 'go':
      return sessions.go(session, message.round);
    case 'open':
      return sessions.open(session, message.what);
    case 'select':
      return sessions.selection.select(session.id, message.selection, self);
    default:
      assertNever(message);
  }
}

async function applyOp(session: PanelSession, op: Op, post: (message: ToPanel) => void): Promise<void> {
  const applied = await session.apply(op);
  if (applied.ok) return;
  const { offer } = applied;
  post({
    type: 'refused',
    session: session.id,
    reason: refusalText(applied),
    ...(offer ? { offer: { words: opsWords(offer), ops: offer } } : {}),
  });
}

/**
 * Who there is, and which of them is shown.
 * @param had a session was asked for, or shown: without one now, it is gone
 */
export function helloOf(
  sessions: PanelSessions,
  session: PanelSession | undefined,
  had: boolean,
  words: PanelWords,
): ToPanel {
  const all = sessions.list().map(infoOf);
  return {
    type: 'hello',
    words,
    session: session ? infoOf(session) : null,
    sessions: all,
    gone: had && !session,
  };
}

function infoOf({ id, title, agent, model, effects, policy, live, note, isFile }: SessionInfo): SessionInfo {
  const optional = {
    ...(policy === undefined ? {} : { policy }),
    ...(note === undefined ? {} : { note }),
    ...(isFile ? { isFile } : {}),
  };
  return { id, title, agent, model, effects, live, ...optional };
}
