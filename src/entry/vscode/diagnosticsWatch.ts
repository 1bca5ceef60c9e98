/** Which came later: the last change of a text, or what the language services say of it. */
import type * as vscode from 'vscode';

/** The part of VS Code that is used here. */
export interface DiagnosticsApi {
  readonly workspace: Pick<typeof vscode.workspace, 'onDidChangeTextDocument'>;
  readonly languages: Pick<typeof vscode.languages, 'onDidChangeDiagnostics'>;
}

export type Freshness =
  | 'fresh'
  /** Its own text was changed since. */
  | 'old'
  /** Another text was changed since, on which it may depend. */
  | 'other';

export interface DiagnosticsWatch {
  freshness(uri: string): Freshness;
  /** Resolves when what is said of the file is newer than its text; at the latest after `ms`, or when it is cancelled. */
  settled(uri: string, ms: number, signal: AbortLike): Promise<void>;
  dispose(): void;
}

type AbortLike = Pick<AbortSignal, 'aborted'> & {
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};

/**
 * Milliseconds for which VS Code holds back what is said, to tell of it all at once: what it tells sooner after a change
 * may have been said before it.
 */
const heldBack = 50;

/** `now`: milliseconds of a clock that never goes back. */
export function createDiagnosticsWatch(
  { workspace, languages }: DiagnosticsApi,
  now: () => number = () => performance.now(),
): DiagnosticsWatch {
  let lastEdit = -Infinity;
  const edited = new Map<string, number>();
  /** Up to when changes of a text are in what is said of it. */
  const reported = new Map<string, number>();
  const waiting = new Set<() => void>();
  const registrations = [
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0) return;
      lastEdit = now();
      edited.set(document.uri.toString(), lastEdit);
    }),
    languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) reported.set(uri.toString(), now() - heldBack);
      for (const look of [...waiting]) look();
    }),
  ];
  const freshness = (uri: string): Freshness => {
    const at = reported.get(uri) ?? -Infinity;
    if ((edited.get(uri) ?? -Infinity) > at) return 'old';
    return lastEdit > at ? 'other' : 'fresh';
  };
  return {
    freshness,
    settled: (uri, ms, signal) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          waiting.delete(look);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const look = () => {
          if (freshness(uri) !== 'old') end();
        };
        const timer = setTimeout(end, ms);
        waiting.add(look);
        signal.addEventListener('abort', end, { once: true });
        if (signal.aborted) end();
        else look();
      }),
    dispose: () => registrations.forEach((one) => void one.dispose()),
  };
}
