import type { RequestBody } from '../core/body.ts';
import type { Splice } from '../core/events.ts';
import type { RequestId } from '../core/messages.ts';
import type { ReadNote } from '../core/ports.ts';

/** A request that is ready to leave: its body, and how the journal says the same body in parts. */
export interface PreparedRequest {
  readonly request: RequestId;
  readonly purpose: 'round' | 'summary' | 'memory';
  /** The request whose list the splices apply to. */
  readonly on: RequestId | null;
  readonly splices: readonly Splice[];
  /** What is sent, word for word. */
  readonly body: RequestBody;
  /** What was changed on the way out: becomes one anomaly each. */
  readonly notes?: readonly ReadNote[];
}
