import type { ToolContext, ToolSpec } from '../core/ports.ts';

/** A tool as the toolbox holds it: what the model is told, and how a call is checked and made. */
export interface Tool {
  readonly spec: ToolSpec;
  /** Milliseconds; the agent's limit when absent. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds after an abort in which it still ends what it began and says, by throwing, what there is. Without
   * it, it is given up at once.
   */
  readonly windUpMs?: number;
  /** Checks arguments (any JSON value) without running anything. Never throws. */
  prepare(value: unknown): Prepared;
}

export type Prepared =
  /** `run` may throw, reject, hang or return anything: the toolbox answers for it. */
  | {
      readonly ok: true;
      /** Milliseconds for this call, where its arguments say so. */
      readonly timeoutMs?: number;
      run(context: ToolContext): unknown;
    }
  /** Why not, in words for the model. */
  | { readonly ok: false; readonly problem: string };
