import type { WhatIfAnswer, WhatIfAsk } from '../../core/whatIf.ts';
import { findInSession } from './findInSession.ts';
import type { PanelSessions } from './panelChannel.ts';
import type { PanelPage } from './panelPage.ts';

/** What takes longer than a message to answer. Of each kind the last question is answered, those before are given up. */
export interface PanelQuestions {
  /** How often each message has a text. */
  find(session: string, text: string): Promise<void>;
  /** The run under another budget, with how far the answer is on its way. Null: no longer asked. */
  tryOut(session: string, ask: WhatIfAsk | null): Promise<void>;
}

export function createPanelQuestions(sessions: PanelSessions, page: PanelPage): PanelQuestions {
  let searches = 0;
  let trials = 0;
  return {
    async find(id, text) {
      const search = ++searches;
      const session = sessions.get(id);
      const hits = session && (await findInSession(session, text, () => page.isThere && search === searches));
      if (hits && search === searches) page.post({ type: 'found', session: id, text, hits });
    },
    async tryOut(id, ask) {
      const trial = ++trials;
      const session = sessions.get(id);
      if (!session || !ask) return;
      const isWanted = () => page.isThere && trial === trials;
      const tell = (answer: WhatIfAnswer | number) => page.post({ type: 'whatIf', session: id, answer });
      // Loaded when it is first asked: it counts tokens.
      const { answerWhatIf } = await import('./answerWhatIf.ts');
      const answer = await answerWhatIf(session, ask, isWanted, tell);
      if (answer && isWanted()) tell(answer);
    },
  };
}
