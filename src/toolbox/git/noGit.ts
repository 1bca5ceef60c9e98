import type { GitServices } from '../../core/services.ts';

/** Where git may not be asked. @param error in words for the model */
export function noGit(error: string): GitServices {
  return { status: async () => ({ ok: false, error }), diff: async () => ({ ok: false, error }) };
}
