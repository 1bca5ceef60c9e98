/** Requests of ours that edit: each carries an op, the same value that panels and Variables say. */
import * as l10n from '@vscode/l10n';
import type { Controller } from './controller.ts';
import { type Handled, type Handlers, RequestError } from './dispatch.ts';
import { opSchema } from './opSchema.ts';

export function edits(controller: Controller) {
  return {
    /** `op`: see `Op`. A refusal says the rule, and in its body what would be taken instead (`offer`: ops in order). */
    'loopscope/edit'({ op }: { readonly op: unknown }): Handled {
      controller.stopped();
      const parsed = opSchema.safeParse(op);
      if (!parsed.success)
        throw new RequestError(l10n.t('This is no edit: name its kind, target and value.'));
      if (parsed.data.kind === 'askAgain') return askAgain(controller);
      controller.apply(parsed.data);
      return {};
    },
    /** Back to the plan of this round; only at `reply`. */
    'loopscope/askAgain': () => askAgain(controller),
    /** What a row of Variables stands for, for commands of its context menu. */
    'loopscope/row'(row: { readonly variablesReference: number; readonly name: string }): Handled {
      controller.requirePresent();
      const subject = controller.variables.subject(row.variablesReference, row.name);
      if (!subject) throw new RequestError(l10n.t('This row is no message, call or parameter.'));
      return { body: { session: controller.debuggee().launched.session.id, ...subject } };
    },
    /** Which tool a row of Variables is a call of, for a stop rule; in the past too. */
    'loopscope/tool'(row: { readonly variablesReference: number; readonly name: string }): Handled {
      const tool = controller.variables.toolOf(row.variablesReference, row.name);
      if (tool === undefined) throw new RequestError(l10n.t('This row is no call of a tool.'));
      return { body: { tool } };
    },
  } satisfies Handlers;
}

function askAgain(controller: Controller): Handled {
  const stop = controller.stopped();
  controller.requirePresent();
  if (stop.kind !== 'reply') controller.apply({ kind: 'askAgain' });
  return { after: () => void controller.debuggee().run?.apply({ kind: 'askAgain' }) };
}
