/**
 * JavaScript expressions of conditions, watches, hovers and the Debug Console, in QuickJS compiled to
 * WebAssembly: no host access whatever is written, and bounded in time and memory. Loaded on first use.
 */
import * as l10n from '@vscode/l10n';
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core';
import { parseJson } from '../core/parseMessage.ts';
import { type Described, describedText } from './described.ts';
import { sandboxPrelude } from './sandboxPrelude.ts';

export type Evaluated =
  | {
      readonly ok: true;
      readonly value: Described;
      readonly truthy: boolean;
      readonly logs: readonly string[];
    }
  | { readonly ok: false; readonly message: string; readonly logs: readonly string[] };

/** Names an expression can use, with JSON values; frozen inside. */
export type ExpressionScope = Readonly<Record<string, unknown>>;

const timeLimitMs = 250;
const memoryPage = 64 * 1024;
const memoryLimitMb = 64;
/** What the engine's build starts with. */
const firstPages = 256;
/** Well under what the host's own stack takes: a deep recursion must end inside, as an error of the expression. */
const stackLimit = 128 * 1024;
const mostLogs = 100;
const longestLog = 10_000;

/** Node has it; its types name the types only. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Memory: new (size: { initial: number; maximum: number }) => object;
  };
};

let loading: Promise<QuickJSWASMModule> | undefined;

async function load(): Promise<QuickJSWASMModule> {
  const { newQuickJSWASMModuleFromVariant, newVariant } = await import('quickjs-emscripten-core');
  const { default: variant } = await import('@jitl/quickjs-singlefile-cjs-release-sync');
  // Bundlers differ in how deep they wrap a CommonJS default export.
  const unwrapped = (variant as unknown as { default?: typeof variant }).default ?? variant;
  // The engine's own limit counts single allocations only in this build; a memory that can't grow holds for all.
  const maximum = (memoryLimitMb * 1024 * 1024) / memoryPage;
  const wasmMemory = new wasm.Memory({ initial: firstPages, maximum });
  return newQuickJSWASMModuleFromVariant(newVariant(unwrapped, { wasmMemory }));
}

/** Evaluates one expression (or statements; the last value counts), once. Never throws or rejects. */
export async function evaluate(expression: string, scope: ExpressionScope): Promise<Evaluated> {
  const logs: string[] = [];
  const result = await inSandbox((context) => run(context, expression, scope, logs));
  return 'message' in result ? { ok: false, ...result, logs } : { ok: true, ...result, logs };
}

/** Why an expression can't be run at all: its syntax. Undefined when it compiles. Never throws or rejects. */
export async function compileProblem(expression: string): Promise<string | undefined> {
  const result = await inSandbox((context) => compile(context, expression));
  return 'message' in result ? result.message : undefined;
}

interface Failed {
  readonly message: string;
}

async function inSandbox<T>(act: (context: QuickJSContext) => T | Failed): Promise<T | Failed> {
  try {
    const module = await (loading ??= load());
    const runtime = module.newRuntime();
    runtime.setMaxStackSize(stackLimit);
    const context = runtime.newContext();
    limitTime(context);
    const result = act(context);
    context.dispose();
    runtime.dispose();
    return result;
  } catch (error) {
    // The engine itself gave up: its memory is not to be trusted, the next expression gets a new one.
    loading = undefined;
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

/** From here on. */
function limitTime({ runtime }: QuickJSContext): void {
  const deadline = Date.now() + timeLimitMs;
  runtime.setInterruptHandler(() => Date.now() > deadline);
}

interface Run {
  readonly value: Described;
  readonly truthy: boolean;
}

function run(
  context: QuickJSContext,
  expression: string,
  scope: ExpressionScope,
  logs: string[],
): Run | Failed {
  const compiled = compile(context, expression);
  if ('message' in compiled) return compiled;
  const describe = prepare(context, scope, logs);
  if ('message' in describe) return describe;
  try {
    // What it took to bring the session's values in is not the expression's doing.
    limitTime(context);
    const outcome = context.evalCode(compiled.code, 'expression');
    if (outcome.error) return failed(context, outcome.error);
    const described = context.callFunction(describe, context.undefined, outcome.value);
    outcome.value.dispose();
    if (described.error) return failed(context, described.error);
    const text = context.getString(described.value);
    described.value.dispose();
    return parseJson(text) as Run;
  } finally {
    describe.dispose();
  }
}

/**
 * The text to run: as an expression if it compiles as one, so that `{a: 1}` is an object and not a block; else
 * as statements. Nothing is run to find out: a SyntaxError may as well come from what the expression does.
 */
function compile(context: QuickJSContext, expression: string): { readonly code: string } | Failed {
  const asExpression = `"use strict"; (\n${expression}\n)`;
  const first = syntaxError(context, asExpression);
  if (!first) return { code: asExpression };
  const asStatements = `"use strict";\n${expression}`;
  return syntaxError(context, asStatements) ?? { code: asStatements };
}

function syntaxError(context: QuickJSContext, code: string): Failed | undefined {
  const compiled = context.evalCode(code, 'expression', { compileOnly: true });
  if (compiled.error) return failed(context, compiled.error);
  compiled.value.dispose();
  return undefined;
}

/** Defines what expressions can name; the function that describes a value. */
function prepare(context: QuickJSContext, scope: ExpressionScope, logs: string[]): QuickJSHandle | Failed {
  const emit = context.newFunction('emit', (handle) => {
    const values = parseJson(context.getString(handle)) as (string | Described)[];
    const texts = values.map((one) => (typeof one === 'string' ? one : describedText(one, longestLog)));
    if (logs.length < mostLogs) logs.push(texts.join(' '));
  });
  const text = context.newString(JSON.stringify(scope));
  try {
    const prelude = context.evalCode(sandboxPrelude, 'prelude');
    if (prelude.error) return failed(context, prelude.error);
    const made = context.callFunction(prelude.value, context.undefined, text, emit);
    prelude.value.dispose();
    return made.error ? failed(context, made.error) : made.value;
  } finally {
    // Whatever happened: the engine aborts when a runtime goes with values still held.
    text.dispose();
    emit.dispose();
  }
}

function failed(context: QuickJSContext, error: QuickJSHandle): Failed {
  const dumped: unknown = context.dump(error);
  error.dispose();
  if (typeof dumped !== 'object' || dumped === null) return { message: String(dumped) };
  const { name = 'Error', message = '' } = dumped as { name?: string; message?: string };
  return { message: limitText(message) ?? `${name}: ${message}` };
}

/** The engine's words for its limits, as ours. */
function limitText(message: string): string | undefined {
  switch (message) {
    case 'interrupted':
      return l10n.t('The expression took longer than {0} ms and was stopped.', timeLimitMs);
    case 'out of memory':
      return l10n.t('The expression needed more than {0} MB of memory and was stopped.', memoryLimitMb);
    case 'stack overflow':
      return l10n.t('The expression called itself too deeply and was stopped.');
    default:
      return undefined;
  }
}
