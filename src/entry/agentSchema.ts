/** The agent file's shape: zod at the edge, and the JSON schema that editors check and complete with. */
import * as z from 'zod';
import { approvalVerdicts, memoryModes, policyNames } from '../core/config.ts';

const todo = z.strictObject({
  content: z.string().min(1).describe('What is to be done.'),
  minutes: z.number().positive().optional().describe('How long it takes, in minutes.'),
  done: z.boolean().optional().describe('Whether it is done already.'),
});

/** A module of the user's, from the agent file on. */
const modulePath = z.string().regex(/^\.{1,2}\/.+\.m?js$/);

const context = z.strictObject({
  max_tokens: z.int().min(1).default(8192).describe('The budget of one request with its reply, in tokens.'),
  policy: z
    .union([z.enum(policyNames), modulePath])
    .default('drop-oldest')
    .describe(
      'What leaves when the budget is short. none: nothing. drop-oldest: the oldest messages. window: all but the last max_history messages. blank-results: the content of old results, then the oldest messages. summarize: the model writes a summary of the oldest messages. Or the path of a module of your own, from this file on: ./my-policy.mjs, which exports decide.',
    ),
  retrieve: modulePath
    .optional()
    .describe(
      'The path of a module of your own, from this file on: ./my-retrieval.mjs, which exports retrieve. It is called before each request with { goal, round, messages, signal } and returns a list of { text, location? }, which the history gets as messages of their own.',
    ),
  max_message: z
    .int()
    .min(16)
    .optional()
    .describe(
      'Tokens that one message may have; what is longer is sent with its middle left out. A user message is never cut. Without it: half of max_tokens less reserve.',
    ),
  overflow_patterns: z
    .array(z.string().min(1).refine(isPattern, 'must be a regular expression'))
    .optional()
    .describe(
      'Regular expressions for errors by which your server says that a request is too long, where Loopscope does not know its words. Groups named asked and limit tell the numbers: "prompt of (?<asked>\\\\d+) over (?<limit>\\\\d+)".',
    ),
  reserve: z.int().min(0).default(1000).describe('Tokens kept free for the reply.'),
});

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** What the model costs. */
const price = z.strictObject({
  input: z.number().min(0).describe('US dollars for a million tokens of what is sent.'),
  output: z.number().min(0).describe('US dollars for a million tokens of what the model writes.'),
  cached_input: z
    .number()
    .min(0)
    .optional()
    .describe('US dollars for a million sent tokens that the server had in its cache. Without it: as input.'),
});

/** A tool of the user's: a command. */
const commandTool = z.strictObject({
  name: z.string().min(1).describe('What the model calls it by. It must not be the name of another tool.'),
  description: z.string().min(1).describe('What it is for, when to use it, and when not to.'),
  parameters: z
    .record(z.string(), z.unknown())
    .default({ type: 'object', properties: {}, additionalProperties: false })
    .describe(
      'Its arguments: a JSON schema with "type": "object". Without it: none. A call is checked by it.',
    ),
  command: z
    .union([z.string().min(1), z.array(z.string()).refine(([program]) => Boolean(program), 'no program')])
    .describe(
      'What is run in the workspace folder. A text is a line for the shell; a list is a program and its arguments, which no shell reads. It gets the arguments as JSON on stdin; its result is a JSON value or text on stdout; any other exit code than 0 is a failure.',
    ),
  effects: z
    .enum(['none', 'session', 'workspace', 'outside'])
    .default('outside')
    .describe(
      'What it changes. none: nothing. workspace: files of the workspace. outside (without this): anything else; where no debugger stops before the call, it is asked for.',
    ),
  timeout: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe('Seconds that it may take; tool_timeout without it.'),
});

/** What has a key of its own, or is assembled: it can't be set twice. */
const ownParameters = ['model', 'messages', 'tools', 'temperature', 'stream', 'stream_options', 'n'];

const parameters = z
  .record(z.string(), z.unknown())
  .refine((given) => ownParameters.every((name) => !(name in given)), 'assembled')
  .optional()
  .describe(
    'Further parameters of each request, sent as they stand, for example { "max_tokens": 1000, "parallel_tool_calls": false }.',
  );
export const commandToolKeys = Object.keys(commandTool.shape);
export const contextKeys = Object.keys(context.shape);
export const priceKeys = Object.keys(price.shape);

const verdict = z.enum(approvalVerdicts);

/** Also the setting `loopscope.approvals`. */
export const approvalsSchema = z.record(
  z.string().min(1),
  z.union([verdict, z.record(z.string().min(1), verdict)]),
);

export const agentSchema = z.strictObject({
  model_name: z
    .string()
    .min(1)
    .describe('The model, as its server calls it. "demo" is the built-in offline model: no key, no network.'),
  api_base: z
    .url({ protocol: /^https?$/ })
    .default('https://api.openai.com/v1')
    .describe('Where the OpenAI-compatible API is, up to and without /chat/completions.'),
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, not the key itself')
    .optional()
    .describe('The environment variable that holds the API key. Never write the key itself into this file.'),
  temperature: z.number().min(0).max(2).default(0.3).describe('Sampling temperature, 0 to 2.'),
  price: price
    .optional()
    .describe(
      'What the model costs, in US dollars for a million tokens. With it Loopscope tells what runs cost, as far as the server reports usage.',
    ),
  parameters,
  max_cost: z
    .number()
    .positive()
    .optional()
    .describe(
      'US dollars that a run may cost, by price and the usage that the server reports. It ends after the round in which it has cost more, or after which that is not known. Without it: no limit.',
    ),
  max_total_tokens: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Tokens that a run may take in all, prompts and replies, as the server reports them. It ends after the round in which it has taken more, or after which that is not known. Without it: no limit.',
    ),
  max_iters: z.int().min(0).max(1000).default(8).describe('How many rounds a run may take.'),
  max_history: z
    .int()
    .min(1)
    .default(20)
    .describe('How many messages are sent at most. Used by the context policy "window".'),
  tool_timeout: z.number().positive().max(86_400).default(10).describe('Seconds that a tool may take.'),
  system_prompt: z
    .string()
    .default('')
    .describe('What the model is told first: its role, its rules, its style.'),
  tools: z
    .array(z.union([z.string(), commandTool]))
    .default([])
    .describe('The tools the agent may use: names of those that there are, and commands of your own.'),
  todos: z.array(todo).default([]).describe('The to-do list that a new session starts with.'),
  memory: z
    .enum(memoryModes)
    .optional()
    .describe(
      'Whether sessions are remembered. When one ends, the model is asked for a summary of a few sentences (one more request), which later sessions of this agent get as background. off (without this): no. ask: you are asked each time. on: always.',
    ),
  approvals: approvalsSchema
    .optional()
    .describe(
      'What needs a yes, by tool (* stands for any text): allow, ask or deny, or these by what the call is about: { "run_command": { "*": "ask", "npm test*": "allow", "git push*": "deny" } }. Of several that fit the last one holds. Without a rule what acts outside the workspace is asked for. deny holds under the debugger too.',
    ),
  redact: z
    .array(z.string().min(1).max(1000))
    .max(50)
    .optional()
    .describe(
      'Regular expressions (RE2 syntax) of texts that must not be written to the journal. They match within a line and within quotes. Keys that Loopscope knows, and texts that look like keys, are kept out without this.',
    ),
  context: context.prefault({}).describe('The context budget, and what leaves when it is short.'),
});

/** The schema as published for editors (`media/agent.schema.json`), with the tools that there are. */
export function agentJsonSchema(toolNames: readonly string[]): Record<string, unknown> {
  const schema = z.toJSONSchema(agentSchema, { io: 'input' }) as Record<string, unknown> & {
    properties: Record<string, Record<string, unknown>>;
  };
  const { $schema: _, ...command } = z.toJSONSchema(commandTool, { io: 'input' });
  const tools = {
    ...schema.properties['tools'],
    items: { anyOf: [{ type: 'string', enum: toolNames }, command] },
    uniqueItems: true,
  };
  // Words of VS Code's JSON service, which else marks every comment as an error in a language of its own name.
  const lenient = { allowComments: true, allowTrailingCommas: true };
  return { title: 'Loopscope agent', ...lenient, ...schema, properties: { ...schema.properties, tools } };
}
