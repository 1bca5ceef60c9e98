/** All tools that an agent can see, and those that it could: from where, with what effects, asked for or not, at what cost. */
import type { AgentConfig, CommandToolConfig } from '../core/config.ts';
import type { CountTokens, ToolSpec } from '../core/ports.ts';
import { toolTokens } from '../planner/toolTokens.ts';
import { toolsText } from '../planner/request.ts';
import { approvalPolicy, type ToolPolicy } from '../toolbox/approvalPolicy.ts';
import type { PermitOptions } from '../toolbox/approvalRules.ts';
import { readResult } from '../toolbox/readResult.ts';
import { absence, type ToolPlace } from './absentTools.ts';
import type { FilePlace, FileProblem } from './agentFile.ts';
import { toolNotes } from './toolNotes.ts';
import { shippedSpecs, specsOf } from './toolSpecs.ts';

export interface AgentTool {
  /** As its author calls it. */
  readonly name: string;
  /** Undefined for a name that there is no tool of. */
  readonly spec?: ToolSpec;
  readonly from: 'shipped' | 'agent file';
  /**
   * `sent` with each request; `later`, once a result was cut; `unusable` here or at all, see `problems`; `not given`:
   * it ships, and the agent file does not name it.
   */
  readonly state: 'sent' | 'later' | 'unusable' | 'not given';
  readonly policy?: ToolPolicy;
  /** Of the meter: what it adds to a request, or would add. */
  readonly tokens: number;
  /** The element of the request's `tools`, as JSON text, exactly as it is sent. */
  readonly sent: string;
  readonly problems: readonly ToolProblemNote[];
  /** Where it stands in the agent file. */
  readonly place?: FilePlace;
}

export interface ToolProblemNote {
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
}

export interface AgentTools {
  readonly tools: readonly AgentTool[];
  /** Tokens of those that are sent, in each request. */
  readonly total: number;
}

export interface AgentToolsInput {
  readonly config: Pick<AgentConfig, 'tools'>;
  /** What is sent, where a session says it; else what the file says. */
  readonly offered?: readonly ToolSpec[];
  readonly rules: PermitOptions;
  readonly place: ToolPlace;
  readonly countTokens: CountTokens;
  /** Of the meter, where it has learnt one; and whether the server takes `strict`. */
  readonly factor?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly toolPlaces?: readonly FilePlace[] | undefined;
  readonly problems?: readonly FileProblem[] | undefined;
}

export function agentTools(input: AgentToolsInput): AgentTools {
  const { config, countTokens, factor = 1, strict = true } = input;
  const named = namedTools(input);
  const usable = named.flatMap(({ spec, isUsable }) => (spec && isUsable ? [spec] : []));
  const offered = input.offered ?? inOrder(usable, config);
  const { each, total } = toolTokens(offered, countTokens, { factor, strict });
  const costs = new Map(offered.map(({ name }, index) => [name, each[index] ?? 0]));
  const describe = (
    spec: ToolSpec,
    state: AgentTool['state'],
    more: Partial<Pick<AgentTool, 'problems' | 'place' | 'from'>> = {},
  ): AgentTool => ({
    name: spec.ownName ?? spec.name,
    spec,
    from: 'shipped',
    state,
    policy: approvalPolicy(spec, input.rules),
    tokens: costs.get(spec.name) ?? toolTokens([spec], countTokens, { factor, strict }).total,
    sent: toolsText([spec], strict).slice(1, -1),
    problems: [],
    ...more,
  });
  const isOffered = ({ name }: ToolSpec) => offered.some((one) => one.name === name);
  const own = named.map(({ name, from, spec, isUsable, problems, place }) => {
    const more = { from, problems, ...(place ? { place } : {}) };
    return spec
      ? describe(spec, isUsable && isOffered(spec) ? 'sent' : 'unusable', more)
      : ({ name, state: 'unusable', tokens: 0, sent: '', ...more } satisfies AgentTool);
  });
  const sentOrder = (tool: AgentTool) =>
    tool.spec ? offered.findIndex(({ name }) => name === tool.spec?.name) : -1;
  const pager = readResult.spec;
  return {
    tools: [
      ...own.filter(({ state }) => state === 'sent').sort((one, other) => sentOrder(one) - sentOrder(other)),
      ...own.filter(({ state }) => state !== 'sent'),
      describe(pager, isOffered(pager) ? 'sent' : 'later'),
      ...shippedSpecs
        .filter(({ name }) => !config.tools.includes(name))
        .map((spec) => describe(spec, 'not given')),
    ],
    total,
  };
}

interface NamedTool extends Pick<AgentTool, 'name' | 'from' | 'problems'> {
  readonly spec: ToolSpec | undefined;
  readonly isUsable: boolean;
  readonly place: FilePlace | undefined;
}

/** What the agent file lists, in its order. */
function namedTools({ config, place, problems = [], toolPlaces = [] }: AgentToolsInput): NamedTool[] {
  const notes = toolNotes(config, place);
  return config.tools.map((tool, index) => {
    const wrong = problems.filter((one) => one.tool === index);
    return {
      name: typeof tool === 'string' ? tool : tool.name,
      from: typeof tool === 'string' ? 'shipped' : 'agent file',
      spec: specOf(tool),
      isUsable: wrong.length === 0 && absence(tool, place) === undefined,
      place: toolPlaces[index],
      problems: [
        ...wrong.map(({ message }) => ({
          severity: 'error' as const,
          message: message.replace(/^[^:]*:\d+: /, ''),
        })),
        ...notes.filter((note) => note.tool === index),
      ],
    };
  });
}

function specOf(tool: string | CommandToolConfig): ToolSpec | undefined {
  return specsOf({ tools: [tool] })[0];
}

function inOrder(specs: readonly ToolSpec[], config: Pick<AgentConfig, 'tools'>): readonly ToolSpec[] {
  const order = specsOf(config).map(({ name }) => name);
  return specs.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
}
