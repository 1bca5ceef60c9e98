import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension', () => {
  const extension = vscode.extensions.getExtension('loopscope.loopscope');

  it('is found and activates', async () => {
    assert.ok(extension);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command that its manifest declares', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const manifest = extension?.packageJSON as { contributes: { commands: { command: string }[] } };
    const declared = manifest.contributes.commands.map(({ command }) => command);
    assert.ok(declared.length > 0);
    assert.deepEqual(
      declared.filter((command) => !registered.has(command)),
      [],
    );
  });
});
