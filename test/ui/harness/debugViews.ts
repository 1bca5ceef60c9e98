import type { Page } from 'playwright-core';
import { eventually } from './eventually.ts';
import type { PageElement } from './pageElement.ts';

export interface StackRow {
  readonly kind: 'session' | 'thread' | 'frame' | 'other';
  readonly label: string;
  /** Of a frame: its file and line. Of a session or thread: its state ("Paused on step"). */
  readonly source: string;
  readonly line: number | undefined;
  readonly selected: boolean;
}

export interface VariableRow {
  readonly name: string;
  readonly value: string;
  /** Scopes are level 1. */
  readonly level: number;
  readonly expanded: boolean | undefined;
}

export interface BreakpointRow {
  readonly name: string;
  readonly checked: boolean;
  readonly condition: string;
}

const BUTTONS = {
  continue: 'debug-continue',
  pause: 'debug-pause',
  stepOver: 'debug-step-over',
  stepInto: 'debug-step-into',
  stepOut: 'debug-step-out',
  stepBack: 'debug-step-back',
  reverseContinue: 'debug-reverse-continue',
  restart: 'debug-restart',
  stop: 'debug-stop',
} as const;

export type DebugAction = keyof typeof BUTTONS;

/** How long one attempt on a row waits for it: it may be gone for ever. */
const SHORT = { timeout: 2000 } as const;

export interface DebugViews {
  /** Presses a button of the debug toolbar, once it can be pressed. */
  debugToolbar(action: DebugAction): Promise<void>;
  /** The actions that the toolbar offers now; none without a session. */
  debugActions(): Promise<DebugAction[]>;
  /** Shows Run and Debug. The readers below need it. */
  showDebugView(): Promise<void>;
  callStack(): Promise<StackRow[]>;
  /** Waits until the top frame's label is as wanted ("plan · …") and the session is stopped there. */
  whenStopped(frame: string | RegExp): Promise<StackRow>;
  /** Waits until there is no debug session. */
  whenNotDebugging(): Promise<void>;
  variables(): Promise<VariableRow[]>;
  /** Opens a node of Variables, given its names from the scope down, unless it is open. */
  expandVariable(...path: string[]): Promise<void>;
  /** Edits a value in place, as by a double click, until it shows. The text is what is typed, and what is shown then. */
  setVariable(name: string, text: string): Promise<void>;
  breakpoints(): Promise<BreakpointRow[]>;
  toggleBreakpoint(name: string): Promise<void>;
  /** The rows of the Debug Console that are in view, one a line. */
  debugConsoleText(): Promise<string>;
  /** Types into the Debug Console and presses Enter. */
  debugConsoleInput(text: string): Promise<void>;
  pressF5(): Promise<void>;
  pressF10(): Promise<void>;
  pressF11(): Promise<void>;
}

export function createDebugViews(page: Page): DebugViews {
  const toolbar = page.locator('.debug-toolbar');
  const stack = page.locator('.debug-call-stack .monaco-list-row');
  const variableRows = page.locator('.debug-variables .monaco-list-row');
  const breakpointRows = page.locator('.debug-breakpoints .monaco-list-row');

  const callStack = () => stack.evaluateAll(readStackRows);
  const variables = () => variableRows.evaluateAll(readVariableRows);
  const breakpoints = () => breakpointRows.evaluateAll(readBreakpointRows);

  async function showDebugView(): Promise<void> {
    if (await page.locator('.debug-call-stack').isVisible()) return;
    await page.keyboard.press('ControlOrMeta+Shift+D');
    await page.locator('.debug-call-stack').waitFor();
  }

  return {
    showDebugView,
    callStack,
    variables,
    breakpoints,
    async debugToolbar(action) {
      await toolbar.locator(`.codicon-${BUTTONS[action]}:not(.disabled)`).click();
    },
    async debugActions() {
      const seen = await toolbar
        .locator('.action-label')
        .evaluateAll((all: PageElement[]) => all.map((button) => button.className));
      const actions = Object.keys(BUTTONS) as DebugAction[];
      return actions.filter((action) =>
        seen.some((name) => name.split(' ').includes(`codicon-${BUTTONS[action]}`)),
      );
    },
    async whenStopped(wanted) {
      await showDebugView();
      const matches = (label: string) => (typeof wanted === 'string' ? label === wanted : wanted.test(label));
      const top = (rows: StackRow[]) => rows.find((row) => row.kind === 'frame');
      await toolbar.locator(`.codicon-${BUTTONS.continue}:not(.disabled)`).waitFor();
      const rows = await eventually(`a stop at ${wanted}`, callStack, (all) =>
        matches(top(all)?.label ?? ''),
      );
      return top(rows) as StackRow;
    },
    async whenNotDebugging() {
      await toolbar.waitFor({ state: 'hidden' });
    },
    async expandVariable(...path) {
      await showDebugView();
      // A stop or an edit makes the tree anew, also while it is being opened: what counts is how it ends.
      await eventually(`${path.join(' › ')} open in Variables`, async () => {
        for (const depth of path.keys()) await attempt(() => expand(path.slice(0, depth + 1)));
        const rows = await variables();
        const at = indexOf(rows, path);
        return (rows[at + 1]?.level ?? 0) > (rows[at]?.level ?? Infinity) ? true : undefined;
      });
    },
    async setVariable(name, text) {
      const box = page.locator('.debug-variables .monaco-inputbox input:visible');
      const row = variableRows.filter({ has: page.locator('.name', { hasText: name }) }).first();
      const isSet = async () => (await variables()).some((one) => one.name === name && one.value === text);
      // A tree that is made anew closes the box, also while it is being filled: then it is opened again.
      await eventually(`${name} edited in Variables`, async () => {
        await attempt(async () => {
          if (!(await box.isVisible())) await row.locator('.value').dblclick(SHORT);
          await box.fill(text, SHORT);
          await box.press('Enter', SHORT);
          await box.waitFor({ state: 'hidden', ...SHORT });
        });
        return eventually(name, isSet, Boolean, SHORT.timeout).catch(() => false);
      });
    },
    async toggleBreakpoint(name) {
      const row = async () => (await breakpoints()).find((each) => each.name === name);
      const wanted = !(await eventually(`the breakpoint ${name}`, row))?.checked;
      const box = breakpointRows
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('.monaco-checkbox, input');
      await eventually(`the breakpoint ${name} ${wanted ? 'on' : 'off'}`, async () => {
        if ((await row())?.checked === wanted) return true;
        await attempt(() => box.click(SHORT));
        return (await row())?.checked === wanted;
      });
    },
    async debugConsoleText() {
      const rows = page.locator('.repl .monaco-list-row');
      return (await rows.evaluateAll(readConsoleRows)).join('\n');
    },
    async debugConsoleInput(text) {
      const box = page.locator('.repl-input-wrapper .monaco-editor');
      if (!(await box.isVisible())) await page.keyboard.press('ControlOrMeta+Shift+Y');
      await box.click();
      await page.keyboard.insertText(text);
      await page.keyboard.press('Enter');
    },
    pressF5: () => page.keyboard.press('F5'),
    pressF10: () => page.keyboard.press('F10'),
    pressF11: () => page.keyboard.press('F11'),
  };

  /** Opens the last node of a path, found from its scope down, since names repeat. */
  async function expand(path: readonly string[]): Promise<void> {
    const rows = await variables();
    const at = indexOf(rows, path);
    if (rows[at]?.expanded !== false) return;
    const row = variableRows.nth(at).filter({ hasText: path.at(-1) ?? '' });
    await row.locator('.monaco-tl-twistie').click(SHORT);
    await page.locator('.debug-variables .monaco-tl-twistie.codicon-loading').waitFor({ state: 'detached' });
  }
}

/**
 * Does something to rows that VS Code may make anew at any time, and says whether it went through.
 * The caller looks again and repeats.
 */
async function attempt(act: () => Promise<void>): Promise<boolean> {
  return act().then(
    () => true,
    () => false,
  );
}

function indexOf(rows: readonly VariableRow[], path: readonly string[]): number {
  let depth = 0;
  for (const [index, row] of rows.entries()) {
    if (row.level <= depth) depth = row.level - 1;
    if (row.level === depth + 1 && row.name === path[depth]) {
      depth += 1;
      if (depth === path.length) return index;
    }
  }
  return -1;
}

// Those below run in the page: they see nothing of this file.

function readStackRows(rows: PageElement[]): StackRow[] {
  return rows.map((row) => {
    const text = (selector: string) => row.querySelector(selector)?.textContent?.trim() ?? '';
    const kinds = { session: '.session', thread: '.thread', frame: '.stack-frame' } as const;
    const kind =
      (Object.keys(kinds) as (keyof typeof kinds)[]).find((name) => row.querySelector(kinds[name])) ??
      'other';
    const line = /^\d+/.exec(text('.line-number'))?.[0];
    return {
      kind,
      label:
        kind === 'frame'
          ? text('.label')
          : text('.name') || text('.label') || (row.textContent?.trim() ?? ''),
      source: kind === 'frame' ? text('.file-name') : text('.state'),
      line: line === undefined ? undefined : Number(line),
      selected: /\b(selected|focused)\b/.test(row.className),
    };
  });
}

function readVariableRows(rows: PageElement[]): VariableRow[] {
  return rows.map((row) => {
    const name = row.querySelector('.scope') ?? row.querySelector('.name');
    const expanded = row.getAttribute('aria-expanded');
    return {
      name: (name?.textContent ?? '').replace(/\s*[:=]\s*$/, '').trim(),
      value: row.querySelector('.value')?.textContent ?? '',
      level: Number(row.getAttribute('aria-level')),
      expanded: expanded === null ? undefined : expanded === 'true',
    };
  });
}

function readBreakpointRows(rows: PageElement[]): BreakpointRow[] {
  return rows.map((row) => {
    const box = row.querySelector('.monaco-checkbox') ?? row.querySelector('input');
    return {
      name: row.querySelector('.name')?.textContent?.trim() ?? '',
      checked: box?.checked ?? box?.getAttribute('aria-checked') === 'true',
      condition: row.querySelector('.condition')?.textContent?.trim() ?? '',
    };
  });
}

function readConsoleRows(rows: PageElement[]): string[] {
  // Beside its value an output row has a badge that counts repetitions.
  return rows.map((row) => (row.querySelector('.output .value') ?? row).textContent?.trim() ?? '');
}
