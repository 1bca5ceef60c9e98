/** What is asked of the thread with the folder's TypeScript, and what it answers. Files are absolute, with `/`. */
import type { CodePlace, CodeSymbol, ReferenceTarget, SymbolQuery } from '../../core/services.ts';
import type { FileDiagnostic } from '../../core/ports.ts';

export type Question =
  | ({ readonly kind: 'symbols'; readonly file?: string | undefined } & Pick<SymbolQuery, 'name'>)
  | ({ readonly kind: 'references'; readonly file: string } & ReferenceTarget)
  | { readonly kind: 'diagnostics'; readonly file?: string | undefined };

type InFile<T> = Omit<T, 'path'> & { readonly file: string };

export type FoundSymbol = InFile<CodeSymbol>;
export type FoundPlace = InFile<CodePlace>;
export type FoundDiagnostic = InFile<FileDiagnostic>;

export interface Found {
  readonly symbols?: readonly FoundSymbol[];
  readonly places?: readonly FoundPlace[];
  readonly diagnostics?: readonly FoundDiagnostic[];
  readonly note?: string;
}

export type Answer = ({ readonly ok: true } & Found) | { readonly ok: false; readonly error: string };

/** What the thread is started with. */
export interface CodeThreadData {
  /** The folder, real. */
  readonly root: string;
  /** The file of TypeScript's that is loaded. */
  readonly typescript: string;
}
