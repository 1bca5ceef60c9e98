/** Runs the debug adapter inside the extension host, one per debug session. The engine is loaded with the first one. */
import * as vscode from 'vscode';
import { readFile } from 'node:fs/promises';
import type { LaunchPorts } from './launchSession.ts';
import type { StopRules } from './stopRules.ts';
import { showRefusal } from './takeOp.ts';
import { loopUri, roundUri } from './virtualFiles.ts';

export function createAdapterFactory(
  context: vscode.ExtensionContext,
  stopRules: StopRules,
  ports: LaunchPorts,
): vscode.DebugAdapterDescriptorFactory {
  return {
    async createDebugAdapterDescriptor(session) {
      const [{ createAdapter }, { launchSession }, text] = await Promise.all([
        import('../../debug/adapter.ts'),
        import('./launchSession.ts'),
        readFile(context.asAbsolutePath('dist/loop.ts'), 'utf8'),
      ]);
      const adapter = createAdapter({
        launch: (args) => launchSession(args, ports, session),
        stopRules: stopRules.list,
        loop: { text, source: { name: 'loop.ts', path: loopUri.toString() } },
        roundSource(session, run, round, before) {
          const uri = roundUri(session, run, round, before);
          return { name: `round ${round}`, path: uri.toString() };
        },
        onOffer(id, refusal) {
          const live = ports.store.live(id);
          // Its buttons stay for as long as they are looked at: nothing waits for them.
          if (live) void showRefusal(live, refusal);
        },
        onFault: (error) => ports.log.error(error instanceof Error ? error : String(error)),
      });
      return new vscode.DebugAdapterInlineImplementation(adapter);
    },
  };
}
