/** An agent's tools as a document: the JSON that the model is sent, with what people want to know of each above it. */
import * as l10n from '@vscode/l10n';
import { prettyJson } from '../core/prettyJson.ts';
import type { AgentTool, AgentTools } from './agentTools.ts';
import { oneLine, toolWords, totalWords } from './toolWords.ts';

export interface ToolsDocument {
  readonly text: string;
  /** Where each tool stands, from 0, in their order. */
  readonly lines: readonly number[];
}

/** @param title what these tools are of: a file, a session */
export function toolsDocument(title: string, list: AgentTools): ToolsDocument {
  const sent = list.tools.filter(({ state }) => state === 'sent');
  const others = list.tools.filter(({ state }) => state !== 'sent');
  const lines: string[] = [
    `// ${oneLine(title)}`,
    `// ${totalWords(list)}`,
    `// ${l10n.t('Each stands as it is sent in "tools" of the request, here with line breaks.')}`,
    '[',
  ];
  const starts = new Map<AgentTool, number>();
  const add = (tool: AgentTool, isLast: boolean) => {
    starts.set(tool, lines.length);
    lines.push(...comments(tool), ...json(tool, isLast));
  };
  sent.forEach((tool, index) => add(tool, index === sent.length - 1));
  lines.push(']');
  if (others.length > 0) lines.push('', `// ${l10n.t('Not sent:')}`);
  for (const tool of others) {
    starts.set(tool, lines.length);
    lines.push(...comments(tool), ...json(tool, true).map((line) => `  // ${line.trimEnd()}`));
  }
  return { text: `${lines.join('\n')}\n`, lines: list.tools.map((tool) => starts.get(tool) ?? 0) };
}

function comments(tool: AgentTool): string[] {
  return [
    `  // ${oneLine([tool.name, ...toolWords(tool)].join(' · '))}`,
    ...tool.problems.map(({ message }) => `  // ! ${oneLine(message)}`),
  ];
}

function json({ sent }: AgentTool, isLast: boolean): string[] {
  if (sent === '') return [];
  const lines = (prettyJson(sent) ?? sent).split('\n').map((line) => `  ${line}`);
  return isLast ? lines : [...lines.slice(0, -1), `${lines.at(-1) ?? ''},`];
}
