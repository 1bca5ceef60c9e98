/**
 * Packs a session when its texts are counted. Packing is synchronous, with counts at hand, and a text may be a
 * megabyte: so what is new is handed to the counter first, which counts long texts on another thread. Where
 * there is nothing to wait for, the session is packed within the call.
 */
import { currentRound, partAt } from '../core/journalState.ts';
import type { PartId } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { requestHistory } from '../core/requestHistory.ts';
import { countedTexts } from '../planner/countMessage.ts';
import { createMeasures, longMessage, type PreparedMeasures } from '../planner/measure.ts';
import { toolsText } from '../planner/request.ts';
import type { Session } from '../session/session.ts';
import { offeredTools } from './callResults.ts';
import { choosePacking, type PackedSession, packSession } from './packSession.ts';
import type { StepPorts } from './stepPorts.ts';

export interface Packer {
  /**
   * Packs the session as it stands when its texts are counted. A later call replaces one that still waits. Never
   * rejects: a fault of ours is met where the packing is used.
   */
  pack(): Promise<void>;
  /** The newest packing, also where it is still waited for; undefined before the first. */
  packed(): Promise<PackedSession | undefined>;
}

export function createPacker(session: Session, ports: StepPorts): Packer {
  const newTexts = createNewTexts(session, ports);
  const measures = createMeasures(ports.countTokens);
  let newest: Promise<PackedSession | undefined> = Promise.resolve(undefined);
  let turns = 0;
  const packCounted = async (): Promise<PackedSession | undefined> => {
    const turn = ++turns;
    const counting = ports.countTokens.ahead(newTexts.take());
    if (counting) await counting;
    if (newTexts.hasLong()) {
      const preparing = prepareForms(session, ports, measures, () => turn === turns);
      if (preparing) await preparing;
    }
    return turn === turns ? packSession(session, ports, measures) : newest;
  };
  return {
    async pack() {
      newest = packCounted();
      await newest.catch(() => undefined);
    },
    packed: () => newest,
  };
}

/** Packings that are tried for forms: the size of one may decide which others are wanted. */
const tries = 8;

/**
 * A long message that is to be cut is cut here, where its lengths can be counted on another thread, a turn each: the
 * packing itself then has the form at hand. Undefined where none is missing.
 */
function prepareForms(
  session: Session,
  ports: StepPorts,
  measures: PreparedMeasures,
  isWanted: () => boolean,
): Promise<void> | undefined {
  const missing = () => {
    const trial = measures.trial();
    choosePacking(session, ports, trial.measures);
    return trial.missing;
  };
  const first = missing();
  const prepare = async () => {
    let forms = first;
    for (let n = 0; n < tries && forms.length > 0; n++) {
      for (const form of forms) {
        if (!isWanted()) return;
        await measures.prepare(form, (texts) => ports.countTokens.ahead(texts));
      }
      if (!isWanted()) return;
      forms = missing();
    }
  };
  return first.length === 0 ? undefined : prepare();
}

interface NewTexts {
  /** The texts that the next packing counts and that were not handed out before. */
  take(): readonly string[];
  /** Whether there was ever a message that takes long to cut. */
  hasLong(): boolean;
}

function createNewTexts({ state }: Session, { toolbox }: StepPorts): NewTexts {
  const seen = new Set<PartId>();
  let hasLong = false;
  let rewritten = -1;
  let length = 0;
  const take = () => {
    const own = currentRound(state)?.requestEdits.texts;
    const offered = offeredTools(state, toolbox);
    const texts: string[] = offered.length === 0 ? [] : [toolsText(offered)];
    // While the history only grows, what is behind has been looked at.
    const from = rewritten === state.rewritten ? length : 0;
    ({ rewritten } = state);
    const history = requestHistory(state);
    ({ length } = history);
    for (const id of history.slice(from)) {
      const known = state.messages.get(id);
      const part = own?.get(id) ?? (known && partAt(known));
      if (part === undefined || seen.has(part)) continue;
      seen.add(part);
      const text = state.parts.get(part) ?? '';
      hasLong ||= text.length >= longMessage;
      const message = parseMessage(text);
      if (message) texts.push(...countedTexts(message));
    }
    return texts;
  };
  return { take, hasLong: () => hasLong };
}
