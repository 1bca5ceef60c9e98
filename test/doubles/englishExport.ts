import type { ExportWords } from '../../src/core/exportWords.ts';

export const englishExport: ExportWords = {
  session: 'A session',
  run: 'Run {0}: {1}',
  round: 'Round {0}',
  sent: 'Sent: {0} tokens',
  kept: 'kept: {0} messages, from {1}',
  reply: 'Reply {0}',
  ended: 'Ended: {0}',
  need: 'need {0}, room {1}',
  rounds: 'rounds: {0}',
  tokens: '{0} tokens',
  changes: {
    kept: 'kept',
    new: 'new',
    edited: 'edited',
    trimmed: 'trimmed',
    dropped: 'dropped',
    folded: 'folded',
    restored: 'restored',
    removed: 'removed',
  },
  outcomes: {
    done: 'done',
    limit: 'stopped at a limit',
    blocked: 'blocked',
    refused: 'the model refused',
    failed: 'failed',
    cancelled: 'cancelled',
    crashed: 'crashed',
  },
};
