import * as vscode from 'vscode';
import * as z from 'zod';
import type { PermitOptions } from '../../toolbox/approvalRules.ts';
import { approvalsSchema } from '../agentSchema.ts';

/**
 * The user's rules for calls, and that an untrusted workspace is read-only: VS Code leaves its settings out there. Rules
 * that can not be read are a problem and never no rules: one of them may have denied something.
 */
export function callRules(agent: vscode.Uri): Omit<PermitOptions, 'agent'> | { readonly problem: string } {
  const given = vscode.workspace.getConfiguration('loopscope', agent).get<unknown>('approvals') ?? {};
  const user = approvalsSchema.safeParse(given);
  if (!user.success)
    return {
      problem: vscode.l10n.t(
        'The setting {0} is not right: {1}',
        'loopscope.approvals',
        z.prettifyError(user.error),
      ),
    };
  return {
    user: user.data,
    ...(vscode.workspace.isTrusted
      ? {}
      : { readOnly: 'the workspace is not trusted, so it is read-only and nothing runs in it' }),
  };
}
