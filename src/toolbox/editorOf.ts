import type { EditorServices, Workspace } from '../core/ports.ts';
import { ToolError } from './toolError.ts';

export function editorOf({ editor }: Workspace): EditorServices {
  if (!editor) throw new ToolError('there is no editor here that could tell');
  return editor;
}
