import type { Frame } from 'playwright-core';
import type { Workbench } from '../harness.ts';
import { eventually } from './eventually.ts';

/** What a person reads in a panel, each gap as one space. */
export async function textOf(frame: Frame): Promise<string> {
  return (await frame.locator('body').innerText()).replace(/\s+/g, ' ');
}

/** Waits until the panel of this title reads so, also when it is made anew meanwhile; returns its document then. */
export async function shownIn(
  vscode: Workbench,
  title: string,
  what: string,
  wanted: RegExp,
): Promise<{ readonly frame: Frame; readonly text: string }> {
  let frame: Frame | undefined;
  const text = await eventually(
    `${what} in ${title}`,
    async () => {
      frame = await vscode.frame(title);
      return textOf(frame).catch(() => '');
    },
    (seen) => wanted.test(seen),
  );
  if (!frame) throw new Error(`no document of ${title}`);
  return { frame, text };
}

/** As by a double click in the explorer. */
export async function openFromExplorer(vscode: Workbench, name: string): Promise<void> {
  await vscode.runCommand('View: Show Explorer');
  const explorer = vscode.page.getByRole('tree', { name: 'Files Explorer' });
  await explorer.getByRole('treeitem', { name }).dblclick();
}
