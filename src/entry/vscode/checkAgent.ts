import * as path from 'node:path';
import type * as vscode from 'vscode';
import { toolNames } from '../../toolbox/builtinTools.ts';
import { parseAgentFile } from '../agentFile.ts';
import { diagnosticsOf } from './agentDiagnostics.ts';

export function checkAgent(document: vscode.TextDocument): vscode.Diagnostic[] {
  const name = path.posix.basename(document.uri.path);
  return diagnosticsOf(parseAgentFile(document.getText(), name, toolNames));
}
