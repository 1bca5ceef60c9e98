/** API keys by API base, in SecretStorage only. Where that fails (a locked keyring), a key lasts for this window. */
import * as vscode from 'vscode';
import { commands } from './names.ts';

export interface ApiKeys {
  get(apiBase: string): Promise<string | undefined>;
  /** Asks for an API base and its key, and stores it. */
  ask(): Promise<void>;
}

const defaultBase = 'https://api.openai.com/v1';

export function createApiKeys(secrets: vscode.SecretStorage): ApiKeys {
  const forThisWindow = new Map<string, string>();
  const nameOf = (apiBase: string) => `loopscope.apiKey:${apiBase.replace(/\/+$/, '')}`;

  return {
    async get(apiBase) {
      const name = nameOf(apiBase);
      return forThisWindow.get(name) ?? (await Promise.resolve(secrets.get(name)).catch(() => undefined));
    },
    async ask() {
      const apiBase = await vscode.window.showInputBox({
        title: vscode.l10n.t('Loopscope: Set API Key (1/2)'),
        prompt: vscode.l10n.t('The API base that the key is for, as api_base in the agent file says it.'),
        value: defaultBase,
        ignoreFocusOut: true,
        validateInput: (text) =>
          URL.canParse(text) ? undefined : vscode.l10n.t('Enter a URL such as {0}.', defaultBase),
      });
      if (apiBase === undefined) return;
      const key = await vscode.window.showInputBox({
        title: vscode.l10n.t('Loopscope: Set API Key (2/2)'),
        prompt: vscode.l10n.t('The key for {0}. Leave it empty to remove the stored one.', apiBase),
        password: true,
        ignoreFocusOut: true,
      });
      if (key === undefined) return;
      await store(nameOf(apiBase), key.trim());
    },
  };

  async function store(name: string, key: string): Promise<void> {
    try {
      if (key === '') await secrets.delete(name);
      else await secrets.store(name, key);
      forThisWindow.delete(name);
      const done =
        key === '' ? vscode.l10n.t('The API key was removed.') : vscode.l10n.t('The API key was stored.');
      void vscode.window.showInformationMessage(done);
    } catch (error) {
      if (key === '') forThisWindow.delete(name);
      else forThisWindow.set(name, key);
      const why = error instanceof Error ? error.message : String(error);
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'The key could not be stored ({0}). It is kept until this window closes; run “{1}” again after that.',
          why,
          commands.setApiKey,
        ),
      );
    }
  }
}
