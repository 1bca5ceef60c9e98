/** What a workspace can be asked beside its files: version control, tasks, language services. None of them throws. */
import type { AbortSignalLike, FileDiagnostic, WorkspaceResult } from './ports.ts';

// ——— version control ———

export interface GitServices {
  /** What differs from the last commit, under a path or in all of the workspace. */
  status(path: string | undefined, signal: AbortSignalLike): Promise<WorkspaceResult<GitStatus>>;
  diff(query: GitDiffQuery, signal: AbortSignalLike): Promise<WorkspaceResult<GitDiff>>;
}

export interface GitStatus {
  /** One for each repository that the workspace is in or holds, as far as it is known. */
  readonly repositories: readonly GitRepository[];
}

export interface GitRepository {
  /** The folder of the workspace that was looked at; `.` is its top. */
  readonly path: string;
  /** Null: no branch, HEAD is at a commit itself. */
  readonly branch: string | null;
  /** Of HEAD; null where nothing was committed yet. */
  readonly commit: string | null;
  readonly upstream?: string;
  /** Commits that the upstream does not have, and that HEAD does not. */
  readonly ahead?: number;
  readonly behind?: number;
  readonly changes: readonly GitChange[];
  /** There are more changes than these. */
  readonly more: boolean;
  readonly note?: string;
}

export type GitKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type changed' | 'untracked';

export interface GitChange {
  readonly path: string;
  /** What the next commit would do with it. */
  readonly staged?: GitKind;
  /** What is in the folder beyond that. */
  readonly unstaged?: GitKind;
  /** The path that it was renamed or copied from, where that is inside the workspace. */
  readonly from?: string;
  /** It is in the middle of a merge, in git's words: `both modified`. */
  readonly conflict?: string;
  readonly submodule?: true;
}

export interface GitDiffQuery {
  readonly path?: string | undefined;
  /** `all`: staged or not, against the last commit. */
  readonly changes: 'all' | 'staged' | 'unstaged';
}

export interface GitDiff {
  readonly files: readonly GitDiffFile[];
  /** As git writes it, the paths within the workspace. Complete files, and of a longer one its beginning. */
  readonly diff: string;
  /** There is more of it than this. */
  readonly more: boolean;
  readonly note?: string;
}

export interface GitDiffFile {
  readonly path: string;
  readonly from?: string;
  /** Lines; both absent for a file that is no text. */
  readonly added?: number;
  readonly removed?: number;
  readonly binary?: true;
}

// ——— tasks ———

export interface TaskServices {
  list(signal: AbortSignalLike): Promise<WorkspaceResult<{ readonly tasks: readonly TaskInfo[] }>>;
  /** Runs a task to its end; the signal ends it. A failure says how it ended and what there is of it. */
  run(wanted: WantedTask, signal: AbortSignalLike): Promise<WorkspaceResult<TaskRun>>;
}

export interface WantedTask {
  readonly task: string;
  /** Where several folders have one of that name. */
  readonly folder?: string | undefined;
}

export interface TaskInfo {
  readonly task: string;
  /** The folder of the workspace that it belongs to, where there are several. */
  readonly folder?: string;
  /** What it runs, as far as that is known before. */
  readonly command?: string;
  /** What its definition says of it; for a script, its text. */
  readonly detail?: string;
  readonly group?: string;
  /** Why it can not be run, in words for the model. */
  readonly problem?: string;
}

export interface TaskRun {
  /** Undefined where nothing tells how it ended. */
  readonly exit?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** What was found in its output, or by anybody else while it ran. */
  readonly problems?: readonly FileDiagnostic[];
  readonly note?: string;
}

// ——— language services ———

export interface CodeServices {
  /** Symbols of a file, or by name of all that the language services know. Positions count from 1. */
  symbols(query: SymbolQuery, signal: AbortSignalLike): Promise<WorkspaceResult<FoundSymbols>>;
  references(target: ReferenceTarget, signal: AbortSignalLike): Promise<WorkspaceResult<FoundReferences>>;
  /** Errors and warnings of a file, or of all; in an editor they are waited for, but not for ever. */
  diagnostics(path: string | undefined, signal: AbortSignalLike): Promise<WorkspaceResult<FoundDiagnostics>>;
}

export interface FoundDiagnostics {
  readonly diagnostics: readonly FileDiagnostic[];
  /** Where they may be older than the last change, or not all. */
  readonly note?: string;
}

export interface SymbolQuery {
  /** A name or a part of it; '' for all symbols of a file. */
  readonly name: string;
  readonly path?: string | undefined;
}

export interface FoundSymbols {
  readonly symbols: readonly CodeSymbol[];
  /** Found outside of the workspace, and left out. */
  readonly outside: number;
  readonly note?: string;
}

export interface CodeSymbol {
  readonly name: string;
  /** `function`, `class`, `method`, … */
  readonly kind: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** Its last line, where that is known. */
  readonly end?: number;
  /** What it is a part of. */
  readonly container?: string;
}

export interface ReferenceTarget {
  readonly path: string;
  readonly line: number;
  /** As it stands in that line. */
  readonly symbol: string;
  /** Where in the line, when it stands there more than once. */
  readonly column?: number | undefined;
}

export interface FoundReferences {
  readonly references: readonly CodePlace[];
  readonly outside: number;
  readonly note?: string;
}

export interface CodePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}
