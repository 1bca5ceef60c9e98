/**
 * JavaScript expressions of conditions, watches, hovers and the Debug Console, in QuickJS compiled to
 * WebAssembly: no host access whatever is written, and bounded in time and memory. Loaded on first use.
 */
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core';
import { parseJson } from '../core/parseMessage.ts';

export type Evaluated =
  | { readonly ok: true; readonly value: unknown; readonly truthy: boolean; readonly logs: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly logs: readonly string[] };

/** Names an expression can use, with JSON values; frozen inside. */
export type ExpressionScope = Readonly<Record<string, unknown>>;

const timeLimitMs = 250;
const memoryLimit = 64 * 1024 * 1024;
const stackLimit = 512 * 1024;

let loading: Promise<QuickJSWASMModule> | undefined;

async function load(): Promise<QuickJSWASMModule> {
  const { newQuickJSWASMModuleFromVariant } = await import('quickjs-emscripten-core');
  const { default: variant } = await import('@jitl/quickjs-singlefile-cjs-release-sync');
  // Bundlers differ in how deep they wrap a CommonJS default export.
  const unwrapped = (variant as unknown as { default?: typeof variant }).default ?? variant;
  return newQuickJSWASMModuleFromVariant(unwrapped);
}

/** Evaluates one expression (or statements; the last value counts). Never throws or rejects. */
export async function evaluate(expression: string, scope: ExpressionScope): Promise<Evaluated> {
  const logs: string[] = [];
  try {
    const module = await (loading ??= load());
    const runtime = module.newRuntime();
    const deadline = Date.now() + timeLimitMs;
    runtime.setMemoryLimit(memoryLimit);
    runtime.setMaxStackSize(stackLimit);
    runtime.setInterruptHandler(() => Date.now() > deadline);
    const context = runtime.newContext();
    try {
      return run(context, expression, scope, logs);
    } finally {
      context.dispose();
      runtime.dispose();
    }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error), logs };
  }
}

function run(context: QuickJSContext, expression: string, scope: ExpressionScope, logs: string[]): Evaluated {
  defineLog(context, logs);
  define(context, scope);
  // As an expression first, so that `{a: 1}` is an object and not a block.
  const asExpression = context.evalCode(`"use strict"; (\n${expression}\n)`, 'expression');
  const outcome = asExpression.error
    ? retryAsStatements(context, expression, asExpression.error)
    : { value: asExpression.value };
  if ('message' in outcome) return { ok: false, message: outcome.message, logs };
  context.setProp(context.global, '__result', outcome.value);
  outcome.value.dispose();
  const packed = context.evalCode(describeResult);
  if (packed.error) return { ok: false, message: errorText(context, packed.error), logs };
  const text = context.getString(packed.value);
  packed.value.dispose();
  const { value, truthy } = parseJson(text) as { value: unknown; truthy: boolean };
  return { ok: true, value, truthy, logs };
}

/** What crosses back is JSON; what JSON can't say (undefined, functions, NaN, cycles) crosses as words. */
const describeResult = `(() => {
  const seen = [];
  const plain = (value, depth) => {
    if (typeof value === 'bigint') return value.toString() + 'n';
    if (typeof value === 'function') return '[function ' + value.name + ']';
    if (typeof value === 'symbol' || value === undefined) return String(value);
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (seen.includes(value) || depth > 20) return '[circular]';
    if (value instanceof Error) return value.name + ': ' + value.message;
    if (value instanceof Date || value instanceof RegExp) return String(value);
    seen.push(value);
    const result = Array.isArray(value)
      ? value.slice(0, 10000).map((item) => plain(item, depth + 1))
      : Object.fromEntries(Object.keys(value).slice(0, 10000).map((key) => [key, plain(value[key], depth + 1)]));
    seen.pop();
    return result;
  };
  return JSON.stringify({ value: plain(__result, 0), truthy: Boolean(__result) });
})()`;

function retryAsStatements(
  context: QuickJSContext,
  expression: string,
  error: QuickJSHandle,
): { value: QuickJSHandle } | { message: string } {
  const first = errorText(context, error);
  if (!first.startsWith('SyntaxError')) return { message: first };
  const asStatements = context.evalCode(`"use strict";\n${expression}`, 'expression');
  return asStatements.error
    ? { message: errorText(context, asStatements.error) }
    : { value: asStatements.value };
}

function define(context: QuickJSContext, scope: ExpressionScope): void {
  const json = context.newString(JSON.stringify(scope));
  context.setProp(context.global, '__scope', json);
  json.dispose();
  const done = context.evalCode(`(() => {
    const freeze = (value) => {
      if (typeof value !== 'object' || value === null) return value;
      Object.values(value).forEach(freeze);
      return Object.freeze(value);
    };
    for (const [name, value] of Object.entries(JSON.parse(__scope))) {
      Object.defineProperty(globalThis, name, { value: freeze(value), enumerable: true });
    }
    delete globalThis.__scope;
  })()`);
  (done.error ?? done.value).dispose();
}

function defineLog(context: QuickJSContext, logs: string[]): void {
  const log = context.newFunction('log', (...values) => {
    const text = values.map((value) => {
      const dumped: unknown = context.dump(value);
      return typeof dumped === 'string' ? dumped : (JSON.stringify(dumped) ?? 'undefined');
    });
    if (logs.length < 100) logs.push(text.join(' '));
    return context.true;
  });
  context.setProp(context.global, 'log', log);
  log.dispose();
}

function errorText(context: QuickJSContext, error: QuickJSHandle): string {
  const dumped: unknown = context.dump(error);
  error.dispose();
  if (typeof dumped !== 'object' || dumped === null) return String(dumped);
  const { name, message } = dumped as { name?: string; message?: string };
  if (message === 'interrupted') return `The expression took longer than ${timeLimitMs} ms and was stopped.`;
  return [name ?? 'Error', message ?? ''].join(': ');
}
