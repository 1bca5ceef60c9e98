import type { Effects } from './messages.ts';
import type { JsonSchema } from './ports.ts';

/** An agent file's settings, complete: every default filled in. Times are seconds, sizes are tokens. */
export interface AgentConfig {
  readonly model_name: string;
  readonly api_base: string;
  readonly api_key_env?: string;
  readonly temperature: number;
  /** What the model costs; without it no cost is known. */
  readonly price?: Price;
  /** US dollars and tokens (as reported, prompts and replies) that a run may take; without them: no limit. */
  readonly max_cost?: number;
  readonly max_total_tokens?: number;
  /** Further request parameters, sent as they stand. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Rounds a run may take. */
  readonly max_iters: number;
  /** N of the policy `window`: messages sent at most. */
  readonly max_history: number;
  readonly tool_timeout: number;
  readonly system_prompt: string;
  /** Names of tools that ship with Loopscope, and tools of the user's own. */
  readonly tools: readonly (string | CommandToolConfig)[];
  /** To-dos a new session starts with. */
  readonly todos: readonly TodoSeed[];
  readonly context: ContextConfig;
  /** Whether sessions are remembered: their summaries are saved, and told to later ones. Without it: off. */
  readonly memory?: MemoryMode;
  /** What needs a yes before it runs, by tool. */
  readonly approvals?: ApprovalRules;
  /** Regular expressions (RE2) of what is kept out of the journal, beside the keys that are known. */
  readonly redact?: readonly string[];
}

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Of prompt tokens that the provider had in its cache; without it they cost what others do. */
  readonly cached_input?: number;
}

/** A tool that is a command of the user's: arguments as JSON on its stdin, its result on its stdout. */
export interface CommandToolConfig {
  readonly name: string;
  readonly description: string;
  /** A JSON schema of an object. */
  readonly parameters: JsonSchema;
  /** A line for the system's shell, or a program and its arguments, which no shell reads. */
  readonly command: string | readonly string[];
  readonly effects: Effects;
  /** Seconds; `tool_timeout` without it. */
  readonly timeout?: number;
}

/** `ask`: where no debugger stops before the call, somebody is asked; `deny` holds everywhere. */
export const approvalVerdicts = ['allow', 'ask', 'deny'] as const;
export type ApprovalVerdict = (typeof approvalVerdicts)[number];

/**
 * By tool name (`*` stands for any text): a verdict, or verdicts by what the call is about (a command line, a path, else
 * its arguments). Of several that fit the last one holds.
 */
export type ApprovalRules = Readonly<
  Record<string, ApprovalVerdict | Readonly<Record<string, ApprovalVerdict>>>
>;

/** `ask`: each session is saved only when the user says so. */
export const memoryModes = ['off', 'ask', 'on'] as const;
export type MemoryMode = (typeof memoryModes)[number];

export interface TodoSeed {
  readonly content: string;
  readonly minutes?: number;
  readonly done?: boolean;
}

export interface ContextConfig {
  readonly max_tokens: number;
  readonly reserve: number;
  /** Where it is a path, the module exports `decide`. */
  readonly policy: PolicyName | ModulePath;
  /** A module that exports `retrieve`: it adds context before a request is packed. */
  readonly retrieve?: ModulePath;
  /** Regular expressions (not case-sensitive) for overflow errors that Loopscope does not know. */
  readonly overflow_patterns?: readonly string[];
  /** Tokens that one message may have; without it, a share of the budget. */
  readonly max_message?: number;
}

export const policyNames = ['none', 'drop-oldest', 'window', 'blank-results', 'summarize'] as const;
export type PolicyName = (typeof policyNames)[number];
/** A module of the user's, relative to the agent file. */
export type ModulePath = `./${string}` | `../${string}`;

export function isPolicyName(policy: string): policy is PolicyName {
  return (policyNames as readonly string[]).includes(policy);
}

/** A to-do as `list_todos` shows it; ids count from 1 and stay. Lives in the working state under `todos`. */
export interface Todo {
  readonly id: number;
  readonly content: string;
  readonly minutes?: number;
  readonly done: boolean;
}
