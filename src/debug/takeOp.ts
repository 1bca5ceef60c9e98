import * as l10n from '@vscode/l10n';
import type { Op } from '../core/ops.ts';
import type { AdapterPorts } from './adapterPorts.ts';
import type { Debuggee } from './debuggee.ts';
import { RequestError } from './dispatch.ts';
import { refusalText, refusalWithOffer } from './refusalText.ts';

/** Takes an op, or refuses the request: with the rule, and with what would be taken instead. */
export function takeOp({ run, launched }: Debuggee, op: Op, onOffer: AdapterPorts['onOffer']): void {
  const applied = run?.apply(op);
  if (!applied) throw new RequestError(l10n.t('There is no agent yet.'), true);
  if (applied.ok) return;
  const { offer } = applied;
  if (!offer) throw new RequestError(refusalText(applied), true);
  // Who can offer it by a button shows the reason there.
  onOffer?.(launched.session.id, applied);
  throw new RequestError(refusalWithOffer(applied), onOffer === undefined, { offer });
}
