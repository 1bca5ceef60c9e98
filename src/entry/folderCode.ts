import type { CodeServices } from '../core/services.ts';

/**
 * Language services for a plain folder, for `createFolderWorkspace(folder, { code })`: the TypeScript that is installed in
 * it, for JavaScript and TypeScript. It is code of the folder's and is run, on a thread: only for folders that you trust.
 * Where there is none, or it is another than now when it is first asked, the tools say so.
 */
export async function folderCode(folder: string): Promise<CodeServices> {
  const { createTypeScriptCode } = await import('../toolbox/code/typeScriptCode.ts');
  return createTypeScriptCode(folder);
}
