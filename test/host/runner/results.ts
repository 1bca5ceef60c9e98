/** What the loader inside VS Code tells the runner outside: one JSON object a line, written as it happens. */

export interface TestResult {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  readonly error?: string;
}

export type ResultLine =
  | { readonly type: 'started'; readonly vscode: string; readonly node: string }
  | ({ readonly type: 'test' } & TestResult)
  | { readonly type: 'ended' };

/** Handed to the loader in the environment, the one way that works for desktop VS Code and for the server. */
export const LOADER_VARIABLE = 'LOOPSCOPE_HOST_TESTS';

export interface LoaderTask {
  /** The bundled test files. */
  readonly files: readonly string[];
  /** Where to append `ResultLine`s. */
  readonly results: string;
  readonly grep?: string;
}
