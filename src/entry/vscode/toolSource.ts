/** Whose tools are looked at: those of a session as it sends them, or those that an agent file says now. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { requestFrame } from '../../core/requestParameters.ts';
import { encodingFor } from '../../planner/tokenizer/encoding.ts';
import { createTokenCounter } from '../../planner/tokens.ts';
import { offeredTools } from '../../runner/callResults.ts';
import { toolNames } from '../../toolbox/builtinTools.ts';
import { type AgentFile, type FilePlace, type FileProblem, parseAgentFile } from '../agentFile.ts';
import { agentTools, type AgentTools } from '../agentTools.ts';
import { toolsDocument, type ToolsDocument } from '../toolsDocument.ts';
import { readAgentText } from './agentText.ts';
import { callRules } from './callRules.ts';
import { fileScheme } from './names.ts';
import type { LiveSession } from './liveSession.ts';
import { toolPlaceHere } from './toolPlace.ts';

export type ToolSource =
  | { readonly kind: 'session'; readonly session: LiveSession }
  | { readonly kind: 'agent'; readonly uri: vscode.Uri };

export interface FoundTools {
  readonly ok: true;
  readonly title: string;
  /** The agent file. */
  readonly agent: vscode.Uri;
  readonly list: AgentTools;
}

export type ToolsFound =
  FoundTools | { readonly ok: false; readonly agent: vscode.Uri; readonly problems: readonly FileProblem[] };

export async function toolsFrom(source: ToolSource): Promise<ToolsFound> {
  return source.kind === 'session' ? sessionTools(source.session) : fileTools(source.uri);
}

/** The document of these tools; its name is for people. */
export function toolsUri(source: ToolSource): vscode.Uri {
  const [where, agent] =
    source.kind === 'session'
      ? [`session/${source.session.id}`, source.session.agentUri]
      : [`agent/${encodeURIComponent(source.uri.toString())}`, source.uri];
  return vscode.Uri.from({ scheme: fileScheme, path: `/tools/${where}/${nameOf(agent)} tools.jsonc` });
}

/** @param live the session of that id */
export function parseToolsUri(
  uri: vscode.Uri,
  live: (id: string) => LiveSession | undefined,
): ToolSource | undefined {
  const [, kind, key = ''] = /^\/tools\/(session|agent)\/([^/]+)\/[^/]+ tools\.jsonc$/.exec(uri.path) ?? [];
  if (kind === 'agent') return { kind, uri: vscode.Uri.parse(decodeURIComponent(key)) };
  const session = kind === 'session' ? live(key) : undefined;
  return session && { kind: 'session', session };
}

export function documentOf({ title, list }: FoundTools): ToolsDocument {
  return toolsDocument(title, list);
}

async function sessionTools({ agentUri, running, rules, state }: LiveSession): Promise<ToolsFound> {
  const { config, toolbox, countTokens, model } = running;
  return {
    ok: true,
    title: vscode.l10n.t('Tools of the session of {0}', nameOf(agentUri)),
    agent: agentUri,
    list: agentTools({
      config,
      offered: offeredTools(state, toolbox),
      rules,
      place: toolPlaceHere(),
      countTokens,
      factor: state.packings.at(-1)?.event.meter.factor,
      strict: requestFrame(state, model.url).dialect.strict,
      toolPlaces: placesByName(config.tools.map(toolName), await read(agentUri)),
    }),
  };
}

async function fileTools(uri: vscode.Uri): Promise<ToolsFound> {
  const file = await read(uri);
  const known = file && (file.ok ? file : file.known);
  const rules = callRules(uri);
  const wrong = [
    ...(file?.ok === false ? file.problems : []),
    ...('problem' in rules ? [inSettings(rules.problem)] : []),
  ];
  if (!known) {
    const message = vscode.l10n.t('Can not read {0}.', uri.toString(true));
    return { ok: false, agent: uri, problems: file ? wrong : [{ message, line: 1, column: 1 }] };
  }
  if ('problem' in rules) return { ok: false, agent: uri, problems: wrong };
  return {
    ok: true,
    title: vscode.l10n.t('Tools of {0}', nameOf(uri)),
    agent: uri,
    list: agentTools({
      ...known,
      rules: { ...rules, agent: known.config.approvals },
      place: toolPlaceHere(),
      countTokens: await createTokenCounter(encodingFor(known.config.model_name)),
      problems: wrong,
    }),
  };
}

function inSettings(message: string): FileProblem {
  return { message, line: 1, column: 1 };
}

async function read(uri: vscode.Uri): Promise<AgentFile | undefined> {
  const text = await readAgentText(uri);
  return text === undefined ? undefined : parseAgentFile(text, nameOf(uri), toolNames);
}

/** Where the tools of a session stand in its agent file now: it may have been edited since. */
function placesByName(names: readonly string[], file: AgentFile | undefined): FilePlace[] {
  const { config, toolPlaces } = (file?.ok ? file : file?.known) ?? {};
  const now = config?.tools.map(toolName) ?? [];
  return names.map((name) => toolPlaces?.[now.indexOf(name)] ?? { line: 1, column: 1 });
}

function toolName(tool: string | { readonly name: string }): string {
  return typeof tool === 'string' ? tool : tool.name;
}

function nameOf(uri: vscode.Uri): string {
  return path.posix.basename(uri.path);
}
