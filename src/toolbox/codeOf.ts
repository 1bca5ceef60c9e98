import type { Workspace } from '../core/ports.ts';
import type { CodeServices } from '../core/services.ts';
import { ToolError } from './toolError.ts';

export function codeOf({ code }: Workspace): CodeServices {
  if (!code) throw new ToolError('there is no language service here: search_text finds text');
  return code;
}
