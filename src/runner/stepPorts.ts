import type { AgentConfig } from '../core/config.ts';
import type { Approve, Clock, ModelClient, Permit, TokenCounter, Toolbox, Workspace } from '../core/ports.ts';
import type { NamedPolicy } from '../planner/pack.ts';
import type { Retrieve } from './retrieve.ts';

/** All that a run needs besides its session. */
export interface StepPorts {
  readonly config: AgentConfig;
  /** `aside`: asks beside the conversation, where that is done in another way. */
  readonly model: ModelClient & { readonly aside?: ModelClient };
  readonly toolbox: Toolbox;
  readonly workspace: Workspace;
  /** The rules for calls; without it what acts outside is asked for, and nothing is denied. */
  readonly permit?: Permit;
  /** Asked before such a call, in a run that no debugger holds; without it nobody is asked. */
  readonly approve?: Approve;
  readonly countTokens: TokenCounter;
  readonly clock: Clock;
  /** A context policy of the user's, in place of the one that the settings name. */
  readonly policy?: NamedPolicy;
  /** A function of the user's that adds context before packing. */
  readonly retrieve?: Retrieve;
}
