/** `Show Tools…`: of the agent file that it is called on, of the session that is looked at, or of the agent meant. */
import * as vscode from 'vscode';
import { activeAgent, findAgent } from './findAgent.ts';
import { meantSession } from './meantSession.ts';
import type { SessionStore } from './sessionStore.ts';
import type { ToolSource } from './toolSource.ts';

/** @param given the agent file, where a menu of it calls this */
export async function showTools(store: SessionStore, given?: unknown): Promise<void> {
  const source = await sourceOf(store, given);
  if (!source) return;
  // Validation and the token counter are loaded when somebody asks for them.
  const { pickTool } = await import('./toolPicker.ts');
  await pickTool(source);
}

/** The document of an agent's tools; undefined where they can not be told. */
export async function toolsText(store: SessionStore, uri: vscode.Uri): Promise<string | undefined> {
  const { documentOf, parseToolsUri, toolsFrom } = await import('./toolSource.ts');
  const source = parseToolsUri(uri, (id) => store.live(id));
  const found = source && (await toolsFrom(source));
  return found?.ok ? documentOf(found).text : undefined;
}

async function sourceOf(store: SessionStore, given: unknown): Promise<ToolSource | undefined> {
  if (given instanceof vscode.Uri) return { kind: 'agent', uri: given };
  const session = meantSession(store);
  const active = activeAgent();
  const isOther = active !== undefined && active.toString() !== session?.agentUri.toString();
  if (session?.live && !isOther) return { kind: 'session', session };
  const uri = active ?? (await findAgent());
  return uri && { kind: 'agent', uri };
}
