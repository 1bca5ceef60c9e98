import type { CodeServices } from '../../core/services.ts';

/** Language services that are not there: each question is answered with why, and with what to use instead. */
export function noCode(why: string): CodeServices {
  const say = (instead: string) =>
    Promise.resolve({ ok: false as const, error: `there is no language service here: ${why}; ${instead}` });
  return {
    symbols: () => say(searchInstead),
    references: () => say(searchInstead),
    diagnostics: () => say(runInstead),
  };
}

export const searchInstead = 'search_text finds text';
export const runInstead = 'run_command can run the checks of the project';

/** Of a folder whose code is not run unasked. */
export const untrusted =
  'the TypeScript of this folder is code of the folder, and is used only where the user trusts it (--trust-workspace)';
