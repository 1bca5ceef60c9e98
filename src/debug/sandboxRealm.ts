/**
 * One QuickJS engine, compiled to WebAssembly, with one context in it: no host access whatever is written, and bounded
 * in time and memory. Loaded on first use.
 */
import * as l10n from '@vscode/l10n';
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { parseJson } from '../core/parseMessage.ts';
import { type Described, describedText } from './described.ts';
import { sandboxPrelude } from './sandboxPrelude.ts';

/** Where the values of the names come from. */
export interface RealmValues {
  readonly names: readonly string[];
  /** What it takes to have a name's value in the sandbox (see `Brought`), as JSON; asked when an expression names it. */
  readonly bring: (name: string) => string;
}

export interface Failed {
  readonly message: string;
}

export interface Realm {
  /** `run`, `assign` and `members` of the prelude with code; what they answer is JSON. `log`: what the code says. */
  call(
    what: 'run' | 'assign' | 'members',
    code: string,
    log: (text: string) => void,
  ): { readonly text: string } | Failed;
  /** Why a program does not compile; nothing of it is run. */
  problem(code: string): Failed | undefined;
  /**
   * Something in it may be other than it was: a limit struck at an unknown point, or work was left for later. Nothing
   * more is to be asked of it.
   */
  readonly isSpent: boolean;
}

const timeLimitMs = 250;
/** For all the values that one name stands for; what that takes is not the expression's doing. */
const bringLimitMs = 2000;
const memoryPage = 64 * 1024;
const memoryLimitMb = 64;
/** What the engine's build starts with. */
const firstPages = 256;
/** Well under what the host's own stack takes: a deep recursion must end inside, as an error of the expression. */
const stackLimit = 128 * 1024;
const longestLog = 10_000;

/** Node has it; its types name the types only. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  };
};
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

async function loadEngine() {
  const { newQuickJSWASMModuleFromVariant, newVariant } = await import('quickjs-emscripten-core');
  const { default: variant } = await import('@jitl/quickjs-singlefile-cjs-release-sync');
  // Bundlers differ in how deep they wrap a CommonJS default export.
  const unwrapped = (variant as unknown as { default?: typeof variant }).default ?? variant;
  // The engine's own limit counts single allocations only in this build; a memory that can't grow holds for all.
  const maximum = (memoryLimitMb * 1024 * 1024) / memoryPage;
  const wasmMemory = new wasm.Memory({ initial: firstPages, maximum });
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(unwrapped, { wasmMemory: wasmMemory as never }),
  );
  return { module, memory: wasmMemory };
}

/**
 * A fresh one, with a memory of its own. It is given back by letting go of it: the engine goes with its memory, and an
 * engine that a limit has struck can't be trusted to clean up. Rejects when the engine can't be made.
 */
export async function createRealm(values: RealmValues): Promise<Realm> {
  const { module, memory } = await loadEngine();
  const runtime = module.newRuntime();
  runtime.setMaxStackSize(stackLimit);
  const context = runtime.newContext();
  const counter = interruptCounter(context, memory);
  let deadline: Moment = { wall: Infinity, cpu: Infinity };
  let isSpent = false;
  let print: (text: string) => void = () => undefined;
  let isBringing = false;
  const countEveryStep = () => {
    if (counter !== undefined) new Int32Array(memory.buffer)[counter] = 1;
  };
  runtime.setInterruptHandler(() => {
    if (!isBringing) countEveryStep();
    const isLate = isPast(deadline);
    isSpent ||= isLate;
    return isLate;
  });

  const need = context.newFunction('need', (name) => {
    const [started, before, wasSpent] = [now(), deadline, isSpent];
    deadline = later(started, bringLimitMs);
    // Until all of it is in: what is in by half is not to be asked.
    isSpent = isBringing = true;
    const text = context.getString(name);
    const brought = callWith(context, functions.take, [text, values.bring(text)]);
    isBringing = false;
    countEveryStep();
    const ended = now();
    deadline = {
      wall: before.wall + (ended.wall - started.wall),
      cpu: before.cpu + (ended.cpu - started.cpu),
    };
    if (!brought.error) isSpent = wasSpent;
    return brought;
  });
  const emit = context.newFunction('emit', (handle) => {
    const said = parseJson(context.getString(handle)) as (string | Described)[];
    print(said.map((one) => (typeof one === 'string' ? one : describedText(one, longestLog))).join(' '));
  });
  const functions = prepare(context, values.names, need, emit);

  return {
    call(what, code, log) {
      print = log;
      deadline = later(now(), timeLimitMs);
      const begun = callWith(context, functions.begin, []);
      if (!begun.error) begun.value.dispose();
      const outcome = callWith(context, functions[what], [code]);
      // Also an answer that came all the same: a limit that struck may have been caught.
      isSpent ||= runtime.hasPendingJob();
      if (outcome.error) return failed(context, outcome.error);
      const text = context.getString(outcome.value);
      outcome.value.dispose();
      return { text };
    },
    problem(code) {
      deadline = later(now(), timeLimitMs);
      const compiled = context.evalCode(code, 'expression', { compileOnly: true });
      if (compiled.error) return failed(context, compiled.error);
      compiled.value.dispose();
      return undefined;
    },
    get isSpent() {
      return isSpent;
    },
  };
}

/** In milliseconds. */
interface Moment {
  readonly wall: number;
  /** What the process has computed since it began. */
  readonly cpu: number;
}

function now(): Moment {
  const { user, system } = process.cpuUsage();
  return { wall: Date.now(), cpu: (user + system) / 1000 };
}

function later({ wall, cpu }: Moment, ms: number): Moment {
  return { wall: wall + ms, cpu: cpu + ms };
}

/**
 * By both clocks: on a busy machine time goes by while nothing is computed, and that is not the expression's doing.
 * The clock on the wall is the cheap one, so it is asked first.
 */
function isPast({ wall, cpu }: Moment): boolean {
  return Date.now() > wall && now().cpu > cpu;
}

/** What the engine counts down from between two calls of its interrupt handler. */
const interruptSteps = 10_000;
const contextInts = 256;

/**
 * Where in the engine's memory it counts its steps down (an index of 32-bit integers), so that every one can be made
 * to count. A step may be a copy of megabytes, and ten thousand of those are no limit of time. Undefined when it is not
 * found; then the engine's own count holds.
 */
export function interruptCounter(context: QuickJSContext, memory: WasmMemory): number | undefined {
  const { value: start } = (context as unknown as { readonly ctx: { readonly value: number } }).ctx;
  let found: readonly number[] = [];
  // The count has just been set to its beginning when the handler is called.
  context.runtime.setInterruptHandler(() => {
    const ints = new Int32Array(memory.buffer, start, contextInts);
    found = [...ints.keys()].filter((index) => ints[index] === interruptSteps);
    return false;
  });
  context.unwrapResult(context.evalCode(`for (let step = 0; step <= ${interruptSteps}; step++);`)).dispose();
  return found.length === 1 ? start / Int32Array.BYTES_PER_ELEMENT + found[0]! : undefined;
}

type Functions = Readonly<Record<'take' | 'begin' | 'run' | 'assign' | 'members', QuickJSHandle>>;

/** Runs the prelude: the names are there, and nothing can be changed any more. */
function prepare(
  context: QuickJSContext,
  names: readonly string[],
  need: QuickJSHandle,
  emit: QuickJSHandle,
): Functions {
  const prelude = context.unwrapResult(context.evalCode(sandboxPrelude, 'prelude'));
  const list = context.unwrapResult(context.evalCode(JSON.stringify(names)));
  const made = context.unwrapResult(context.callFunction(prelude, context.undefined, list, need, emit));
  const one = (name: keyof Functions) => context.getProp(made, name);
  return {
    take: one('take'),
    begin: one('begin'),
    run: one('run'),
    assign: one('assign'),
    members: one('members'),
  };
}

function callWith(context: QuickJSContext, called: QuickJSHandle, texts: readonly string[]) {
  const handles = texts.map((text) => context.newString(text));
  const result = context.callFunction(called, context.undefined, ...handles);
  for (const handle of handles) handle.dispose();
  return result;
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
    case 'out of memory in regexp execution':
      return outOfMemory();
    case 'stack overflow':
      return l10n.t('The expression called itself too deeply and was stopped.');
    default:
      return undefined;
  }
}

export function outOfMemory(): string {
  return l10n.t('The expression needed more than {0} MB of memory and was stopped.', memoryLimitMb);
}
