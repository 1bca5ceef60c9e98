/**
 * Inside VS Code: activates the extensions in the order that the environment names, and writes down what VS Code itself
 * measured of each, as “Developer: Startup Performance” shows it.
 */
import { appendFileSync } from 'node:fs';
import * as vscode from 'vscode';

const order = (process.env['LOOPSCOPE_ACTIVATION_ORDER'] ?? '').split(',');
const file = process.env['LOOPSCOPE_ACTIVATION_FILE'] ?? '';

describe('activation', () => {
  it('is measured by VS Code', async () => {
    for (const id of order) await vscode.extensions.getExtension(id)?.activate();
    await vscode.commands.executeCommand('perfview.show');
    const rows = await rowsOf(order);
    appendFileSync(file, `${JSON.stringify(rows)}\n`);
  });
});

/** Milliseconds by extension, once the report has them all: its document is written when it is opened, and later again. */
async function rowsOf(ids: readonly string[]): Promise<Readonly<Record<string, readonly number[]>>> {
  return await new Promise((resolve) => {
    const look = () => {
      const text = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf')?.getText() ?? '';
      const rows = ids.map((id) => [id, timesIn(text, id)] as const);
      if (!rows.every(([, times]) => times.length === 3)) return;
      listening.forEach((one) => void one.dispose());
      resolve(Object.fromEntries(rows));
    };
    const listening = [
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidChangeTextDocument(look),
    ];
    look();
  });
}

/** Of the row `| id | eager | load code | call activate | finish activate | event | by |`. */
function timesIn(text: string, id: string): number[] {
  const row = text.split('\n').find((line) => line.toLowerCase().startsWith(`| ${id} `));
  const cells = row?.split('|').map((cell) => cell.trim()) ?? [];
  return cells.slice(3, 6).map(Number).filter(Number.isFinite);
}
