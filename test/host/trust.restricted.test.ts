/** A folder that is not trusted: the extension is there. (VS Code itself asks for trust before anything is debugged.) */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('an untrusted workspace', () => {
  it('has the extension and its commands', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await vscode.extensions.getExtension('loopscope.loopscope')?.activate();
    assert.ok((await vscode.commands.getCommands(true)).includes('loopscope.debugAgent'));
  });
});
