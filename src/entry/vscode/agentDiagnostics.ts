/** What is wrong with an agent file, as VS Code shows it: at its place, with the tool it is about. */
import * as vscode from 'vscode';
import type { AgentFile, FileProblem } from '../agentFile.ts';
import { toolPlaceHere } from './toolPlace.ts';
import { toolNotes } from '../toolNotes.ts';

const { DiagnosticSeverity } = vscode;

/** All that is known of a file: what is wrong, what it warns of, and what its tools are missing or called here. */
export function diagnosticsOf(file: AgentFile): vscode.Diagnostic[] {
  const said = file.ok ? file.warnings : file.problems;
  const severity = file.ok ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error;
  const { config, toolPlaces } = file.ok ? file : (file.known ?? {});
  const notes = config ? toolNotes(config, toolPlaceHere()) : [];
  return [
    ...said.map((problem) => diagnostic(problem, problem.message.replace(/^[^:]*:\d+: /, ''), severity)),
    ...notes.map(({ tool, message, severity: how }) =>
      diagnostic(
        toolPlaces?.[tool] ?? { line: 1, column: 1 },
        message,
        how === 'warning' ? DiagnosticSeverity.Warning : DiagnosticSeverity.Information,
      ),
    ),
  ];
}

function diagnostic(
  { line, column }: Pick<FileProblem, 'line' | 'column'>,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const range = new vscode.Range(line - 1, column - 1, line - 1, Number.MAX_SAFE_INTEGER);
  const made = new vscode.Diagnostic(range, message, severity);
  made.source = 'Loopscope';
  return made;
}
