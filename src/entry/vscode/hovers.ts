import * as vscode from 'vscode';
import { agentLanguage, fileScheme } from './names.ts';

/** While an agent is paused, names in the loop's source and settings in agent files show their values. */
export function registerHovers(): vscode.Disposable {
  const loop = vscode.languages.registerEvaluatableExpressionProvider(
    { scheme: fileScheme, pattern: '**/loop.ts' },
    {
      async provideEvaluatableExpression(document, { line, character }) {
        const { hoveredInLoop } = await import('../hoverExpression.ts');
        const found = hoveredInLoop(document.lineAt(line).text, character);
        if (!found) return undefined;
        const range = new vscode.Range(line, found.start, line, found.end);
        return new vscode.EvaluatableExpression(range, found.expression);
      },
    },
  );
  const agents = vscode.languages.registerEvaluatableExpressionProvider(
    { language: agentLanguage },
    {
      async provideEvaluatableExpression(document, position) {
        const { hoveredInAgentFile } = await import('../hoverExpression.ts');
        const found = hoveredInAgentFile(document.getText(), document.offsetAt(position));
        if (!found) return undefined;
        const range = new vscode.Range(document.positionAt(found.start), document.positionAt(found.end));
        return new vscode.EvaluatableExpression(range, found.expression);
      },
    },
  );
  return vscode.Disposable.from(loop, agents);
}
