import * as vscode from 'vscode';

/** An agent file as launch configurations name it: a path, a URI, or a path relative to the first folder. */
export function agentUriOf(named: string): vscode.Uri {
  if (/^[a-z][a-z0-9+.-]+:\//i.test(named) && !/^[a-z]:[\\/]/i.test(named)) return vscode.Uri.parse(named);
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const isAbsolute = named.startsWith('/') || /^[a-z]:[\\/]/i.test(named) || named.startsWith('\\\\');
  return isAbsolute || !folder ? vscode.Uri.file(named) : vscode.Uri.joinPath(folder.uri, named);
}
