/** The Debug Console, Watch and hovers: expressions, assignments that are edits, completions, and going on with `>`. */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { stoppedAtLimit } from '../core/journalState.ts';
import { completions } from './completions.ts';
import { type Controller, threadId } from './controller.ts';
import { type Described, describedNode } from './described.ts';
import { type Handled, type Handlers, RequestError } from './dispatch.ts';
import { settable } from './settable.ts';

export function debugConsole(controller: Controller) {
  return {
    /**
     * Console input: `> text` goes on with the conversation, `>> 5` with five more rounds where a limit stopped
     * the run (`>>`: as many as the agent file allows a run), anything else is an expression.
     */
    evaluate({ expression, context }: DebugProtocol.EvaluateArguments): Handled | Promise<Handled> {
      const text = expression.trimStart();
      if (context !== 'repl') return evaluate(controller, expression, context === 'hover');
      if (text.startsWith('>>')) return goOn(controller, text.slice(2).trim());
      if (text.startsWith('>')) return chat(controller, text.slice(1).trim());
      return typed(controller, expression);
    },
    async setExpression({ expression, value }: DebugProtocol.SetExpressionArguments) {
      const { sandbox } = controller;
      const why =
        (await sandbox.compileProblem(`(${expression})`)) ?? (await sandbox.compileProblem(`(${value})`));
      if (why !== undefined) throw new RequestError(why, true);
      const assignment = `${expression} = (\n${value}\n)`;
      if (!(await sandbox.isAssignment(assignment)))
        throw new RequestError(l10n.t('{0} is nothing that can be set.', expression), true);
      await assign(controller, assignment);
      const now = await sandbox.evaluate(expression, controller.place());
      return now.ok ? { body: shown(controller, now.value, expression).body } : { body: { value } };
    },
    async completions({ text, column, line = 1 }: DebugProtocol.CompletionsArguments) {
      const cursor = offsetAt(text, line, column);
      const isChat = text.trimStart().startsWith('>');
      const place = isChat ? undefined : placeNow(controller);
      if (!place) return { body: { targets: [] } };
      const targets = await completions(text.slice(0, cursor), {
        members: (expression) => controller.sandbox.members(expression, place),
        tools: controller.debuggee().launched.agent.toolbox.tools.map(({ name }) => name),
      });
      return { body: { targets } };
    },
    /** Ours: more rounds for a run that a limit stopped. */
    'loopscope/continueWithMore': ({ rounds }: { readonly rounds: number }) =>
      goOn(controller, String(rounds)),
  } satisfies Handlers;
}

/** Lines and columns from 1. */
function offsetAt(text: string, line: number, column: number): number {
  const lines = text.split('\n').slice(0, Math.max(0, line - 1));
  return lines.reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, column - 1);
}

/** While it runs there is nothing to complete with. */
function placeNow(controller: Controller) {
  try {
    return controller.place();
  } catch {
    return undefined;
  }
}

/** `isSilent`: a hover comes and goes with the mouse, so what it logs is nobody's word. */
async function evaluate(controller: Controller, expression: string, isSilent: boolean): Promise<Handled> {
  const result = await controller.sandbox.evaluate(expression, controller.place());
  if (!isSilent) for (const text of result.logs) controller.output.print(text);
  if (result.ok) return resultOf(controller, result.value, expression);
  if (!(await controller.sandbox.isAssignment(expression))) throw new RequestError(result.message);
  throw new RequestError(l10n.t('Here values are only read. Set them in the Debug Console or in Variables.'));
}

/** In the Debug Console an assignment is an edit. */
async function typed(controller: Controller, expression: string): Promise<Handled> {
  const text = expression.trim().replace(/;$/, '');
  if (!(await controller.sandbox.isAssignment(text))) return evaluate(controller, expression, false);
  return resultOf(controller, await assign(controller, text), undefined);
}

/** Makes the edit that an assignment means; refuses the request where it means none, or it is not taken. */
async function assign(controller: Controller, assignment: string): Promise<Described> {
  const place = controller.place();
  const result = await controller.sandbox.assign(assignment, place);
  for (const text of result.logs) controller.output.print(text);
  if (!result.ok) throw new RequestError(result.message, true);
  const [write, ...more] = result.writes;
  if (!write) return result.value;
  if (more.length > 0) throw new RequestError(l10n.t('Set one value at a time.'), true);
  const found = settable(write, place);
  if (!found.ok) throw new RequestError(found.reason, true);
  controller.apply(found.op);
  return result.value;
}

function resultOf(controller: Controller, value: Described, expression: string | undefined): Handled {
  const { value: result, ...rest } = shown(controller, value, expression).body;
  return { body: { ...rest, result } };
}

function shown(controller: Controller, value: Described, expression: string | undefined) {
  const {
    name: _name,
    presentationHint: _hint,
    ...body
  } = controller.variables.show(
    describedNode('result', value, expression === undefined ? undefined : chainable(expression)),
  );
  return { body };
}

/** As what a dot can be put behind. */
function chainable(expression: string): string {
  return /^[\w$.[\]]+$/.test(expression) ? expression : `(${expression})`;
}

function chat(controller: Controller, goal: string): Handled {
  if (goal === '') throw new RequestError(l10n.t('Type what to say after the >.'));
  controller.requirePresent();
  if (controller.debuggee().run?.gate.stopped?.kind !== 'end') {
    throw new RequestError(l10n.t('The conversation goes on at the end of a run; this run is not over yet.'));
  }
  const after = () => {
    controller.send('continued', { threadId, allThreadsContinued: false });
    controller.debuggee().chat(goal);
  };
  return { body: { result: '', variablesReference: 0 }, after };
}

function goOn(controller: Controller, text: string): Handled {
  const { launched, run } = controller.debuggee();
  controller.requirePresent();
  if (run?.gate.stopped?.kind !== 'end' || !stoppedAtLimit(controller.state())) {
    throw new RequestError(l10n.t('Only a run that a limit stopped can go on with more rounds.'));
  }
  const more = text === '' ? Math.max(1, launched.agent.config.max_iters) : Number(text);
  if (!Number.isInteger(more) || more < 1 || more > 1000)
    throw new RequestError(l10n.t('Type how many rounds, from 1 to 1000.'));
  const after = () => {
    controller.send('continued', { threadId, allThreadsContinued: false });
    controller.debuggee().goOn(more);
  };
  return { body: { result: '', variablesReference: 0 }, after };
}
