/** Writes a commented agent file and opens it. */
import * as vscode from 'vscode';
import { agentLanguage } from './names.ts';

export async function newAgent(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) {
    const document = await vscode.workspace.openTextDocument({
      language: agentLanguage,
      content: template(),
    });
    await vscode.window.showTextDocument(document);
    return;
  }
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Loopscope: New Agent'),
    prompt: vscode.l10n.t('The name of the agent; its file is NAME.agent.json.'),
    value: 'my',
    validateInput: (text) =>
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(text.trim())
        ? undefined
        : vscode.l10n.t('Use letters, digits, spaces, dots, dashes and underscores.'),
  });
  if (name === undefined) return;
  const uri = vscode.Uri.joinPath(folder.uri, `${name.trim().replace(/\.agent(\.json)?$/, '')}.agent.json`);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true, contents: new TextEncoder().encode(template()) });
  // An agent that is there already is opened, never overwritten.
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage(vscode.l10n.t('Could not write {0}.', uri.fsPath));
    return;
  }
  await vscode.window.showTextDocument(uri);
}

function template(): string {
  const { t } = vscode.l10n;
  return `{
  // ${t('The model, as its server calls it. "demo" is the built-in offline model: no key, no network.')}
  "model_name": "demo",
  // ${t('Any OpenAI-compatible server; used when the model is not "demo".')}
  "api_base": "https://api.openai.com/v1",
  // ${t('The environment variable that holds the key, or store one with “Loopscope: Set API Key”. Never the key itself.')}
  "api_key_env": "OPENAI_API_KEY",
  "temperature": 0.3,
  // ${t('How many rounds of plan, act and observe a run may take.')}
  "max_iters": 8,
  // ${t('Seconds that a tool may take.')}
  "tool_timeout": 10,

  "system_prompt": "You help with small tasks in this workspace.\\n\\nUse a tool whenever it can tell or do what you need. Stop when the goal is reached. Never claim what no tool did.\\n\\nAnswer briefly, in the language of the question.",

  "tools": ["calculator", "list_todos", "add_todo", "complete_todo", "list_files", "read_file", "search_text"],

  // ${t('The to-do list that a new session starts with.')}
  "todos": [{ "content": "weekly report", "minutes": 45 }],

  // ${t('The context budget in tokens, and what leaves when it is short: none, drop-oldest or window.')}
  "context": { "max_tokens": 8192, "reserve": 1000, "policy": "drop-oldest" }
}
`;
}
