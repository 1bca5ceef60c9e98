import type { PanelWords } from '../../core/panelWords.ts';
import type { FromPanel, Selection } from '../../core/protocol.ts';
import { helloOf } from './answerPanel.ts';
import type { EventPush } from './eventPush.ts';
import type { PanelSession, PanelSessions, Registration } from './panelChannel.ts';
import type { PanelPage } from './panelPage.ts';
import type { ShownRound } from './shownRound.ts';

/** Which session one panel shows: what it was left with, what it is told to show, or the current one. */
export interface ShownSession extends Registration {
  /** The page asks for what it was left with. */
  onReady(ready: Ready): Promise<void>;
  /** Another session became the current one, or what is known of it changed. */
  onCurrent(): void;
  /** At once, or when the page is back. */
  show(session: string, selection: Selection): void;
}

type Ready = Omit<Extract<FromPanel, { readonly type: 'ready' }>, 'type'>;

interface Wanted {
  readonly session: string;
  /** Undefined: what the panel looks at of it anyway. */
  readonly selection?: Selection;
}

export function createShownSession(
  sessions: PanelSessions,
  page: PanelPage,
  round: ShownRound,
  push: EventPush,
  words: () => PanelWords,
): ShownSession {
  /** What is to be shown instead of what the page was left with. */
  let wanted: Wanted | undefined;
  /** Questions what to show: the last one is answered. */
  let questions = 0;
  let last = sessions.current;
  /** What the page was told to show: one that went meanwhile may not have heard of it. */
  let told: string | null = null;

  const hello = (one?: PanelSession, had = false) => page.post(helloOf(sessions, one, had, words()));

  function begin(session: PanelSession | undefined, next: number, wish?: Selection): void {
    push.start(session, next);
    told = session?.id ?? null;
    if (session) round.recall(session.id, wish);
  }

  async function onReady({ session: saved, next, selection }: Ready): Promise<void> {
    const question = ++questions;
    const asked = wanted?.session ?? (page.isThere ? saved : (told ?? saved));
    const known = asked === null ? undefined : (sessions.get(asked) ?? (await sessions.load(asked)));
    if (question !== questions) return;
    const shown = known ?? sessions.current;
    const isOther = page.isThere && known !== push.session;
    if (known && asked === saved) round.learn(known.id, selection);
    page.arrive();
    hello(shown, asked !== null);
    begin(shown, known && asked === saved && next <= known.events.length ? next : 0, wanted?.selection);
    wanted = undefined;
    // What was chosen in a panel, or is all that a restart brought back, is what the others follow.
    if (known && (!sessions.current || isOther)) sessions.show(known.id);
    if (!shown) await offer(question, asked !== null);
  }

  /** A panel with nothing to show offers what there is; finding that out takes a moment. */
  async function offer(question: number, hadOne: boolean): Promise<void> {
    await sessions.lookUp();
    if (page.isThere && question === questions && !push.session) hello(undefined, hadOne);
  }

  function follow(current: PanelSession | undefined): void {
    const shown = push.session;
    const next = current ?? (shown && sessions.get(shown.id) === shown ? shown : undefined);
    questions++;
    hello(next, shown !== undefined);
    if (next !== shown) begin(next, 0);
    if (!next && shown) void offer(questions, true);
  }

  return {
    onReady,
    onCurrent() {
      const isOther = sessions.current !== last;
      last = sessions.current;
      if (page.isThere) follow(last);
      // Who is hidden is told when it is back.
      else if (last && isOther) wanted = { session: last.id };
    },
    show(session, selection) {
      if (page.isThere && push.session?.id === session) return round.tell(session, selection);
      wanted = { session, selection };
      if (page.isThere) void onReady({ session, next: 0, selection });
    },
    dispose: () => void questions++,
  };
}
