import type * as vscode from 'vscode';
import type { FileDiagnostic } from '../../core/ports.ts';

const severities = ['error', 'warning', 'information', 'hint'] as const;

/** The worst first. */
export function rank({ severity }: FileDiagnostic): number {
  return severities.indexOf(severity);
}

export function diagnosticOf(
  path: string,
  { range, severity, message, source }: vscode.Diagnostic,
): FileDiagnostic {
  return {
    path,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity] ?? 'error',
    message,
    ...(source === undefined ? {} : { source }),
  };
}
