import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import picomatch from 'picomatch';
import ts from 'typescript';
import { newSessionId } from '../../src/entry/openSessionFile.ts';
import {
  agentLanguage,
  commands,
  contextKeys,
  debugType,
  editorTypes,
  fileScheme,
} from '../../src/entry/vscode/names.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const json = <T>(file: string) => JSON.parse(read(file)) as T;

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly main: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly debuggers: readonly { readonly type: string; readonly languages: readonly string[] }[];
    readonly languages: readonly { readonly id: string; readonly filenamePatterns: readonly string[] }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
    readonly customEditors: readonly {
      readonly viewType: string;
      readonly priority: string;
      readonly selector: readonly { readonly filenamePattern: string }[];
    }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}
const manifest = json<Manifest>('package.json');

test('every command is contributed, in one category, and every contributed one exists', () => {
  const contributed = manifest.contributes.commands;
  assert.deepEqual(contributed.map(({ command }) => command).sort(), Object.values(commands).sort());
  assert.deepEqual(new Set(contributed.map(({ category }) => category)), new Set(['Loopscope']));
});

test('menus name commands that exist, and context keys that are set', () => {
  const known: readonly string[] = Object.values(commands);
  for (const item of Object.values(manifest.contributes.menus).flat()) {
    assert.ok(known.includes(item.command), item.command);
    const keys = item.when?.match(/loopscope\.has\w+/g) ?? [];
    for (const key of keys) assert.ok((Object.values(contextKeys) as string[]).includes(key), key);
  }
});

test('debug type, language, scheme and views are the ones that the code uses', () => {
  const { debuggers, languages, views } = manifest.contributes;
  assert.equal(debuggers[0]?.type, debugType);
  assert.deepEqual(debuggers[0]?.languages, [agentLanguage]);
  assert.equal(languages[0]?.id, agentLanguage);
  assert.deepEqual(
    languages.flatMap(({ filenamePatterns }) => filenamePatterns),
    ['*.agent.json'],
  );
  assert.ok(manifest.activationEvents.includes(`onFileSystem:${fileScheme}`));
  const dynamic = /DebugConfigurationProviderTriggerKind\.Dynamic/;
  const isProvided = dynamic.test(read('src/entry/vscode/extension.ts'));
  assert.equal(isProvided, manifest.activationEvents.includes(`onDebugDynamicConfigurations:${debugType}`));
  assert.deepEqual(
    Object.values(views)
      .flat()
      .map(({ id }) => id),
    ['loopscope.context', 'loopscope.runs'],
  );
});

test('a journal opens in Rounds by itself, any other JSON only when it is asked for', () => {
  const [journal, log, ...others] = manifest.contributes.customEditors;
  assert.deepEqual(others, []);
  assert.deepEqual([journal?.viewType, journal?.priority], [editorTypes.journal, 'default']);
  assert.deepEqual([log?.viewType, log?.priority], [editorTypes.log, 'option']);
  const isOpened = picomatch(journal?.selector.map(({ filenamePattern }) => filenamePattern) ?? []);
  assert.ok(isOpened(`${newSessionId()}.jsonl`));
  assert.ok(isOpened('day.journal.jsonl'));
  for (const other of ['data.jsonl', 's-training.jsonl', 's-0a1b2c3d.json', 'package.json'])
    assert.ok(!isOpened(other), other);
});

test('every npm script installs what it needs, so that each works in a fresh clone', () => {
  const installing = ['test/hosts/ready.mjs', 'test/run.mjs', 'test/hosts/start.mjs'];
  for (const file of installing) {
    const text = read(file);
    assert.match(text, /await ensureDependencies\(/, file);
    // Before that there is nothing but Node itself.
    const imported = [...text.matchAll(/^import .* from '([^']+)';$/gm)].map(([, name = '']) => name);
    assert.ok(imported.length > 2);
    for (const name of imported) assert.match(name, /^(node:|\.)/, `${file} imports ${name}`);
  }
  for (const [name, command] of Object.entries(manifest.scripts)) {
    const first = /^node (\S+)/.exec(command)?.[1] ?? command;
    assert.ok(installing.includes(first), `npm run ${name} begins with ${first}`);
  }
});

test('files that the manifest names exist', () => {
  const named = JSON.stringify(manifest.contributes).match(/"(?:\.\/)?media\/[^"]+"/g) ?? [];
  assert.ok(named.length > 3);
  for (const file of named) assert.ok(existsSync(path.join(root, JSON.parse(file) as string)), file);
});

test('manifest strings: every key is there, in English and in Chinese, and none is unused', () => {
  const used = [...read('package.json').matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key).sort();
  const english = Object.keys(json<Record<string, string>>('package.nls.json')).sort();
  const chinese = Object.keys(json<Record<string, string>>('package.nls.zh-cn.json')).sort();
  assert.deepEqual([...new Set(used)], english);
  assert.deepEqual(chinese, english);
});

test('every message of the code has a Chinese translation with the same placeholders', () => {
  const bundle = json<Record<string, string>>('l10n/bundle.l10n.zh-cn.json');
  const messages = [...new Set(sources().flatMap((file) => messagesOf(read(file))))].sort();
  assert.ok(messages.length > 60, `${messages.length} messages found`);
  assert.deepEqual(
    messages.filter((message) => !(message in bundle)),
    [],
    'untranslated',
  );
  assert.deepEqual(
    Object.keys(bundle).filter((message) => !messages.includes(message)),
    [],
    'no longer used',
  );
  const places = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
  for (const [english, chinese] of Object.entries(bundle))
    assert.deepEqual(places(chinese), places(english), english);
});

test('a sentence that the debugger or the editor part says goes through the translator', () => {
  // The workspace's tools answer the model, in English.
  const forModels = /\/(?:columnOf|runToEnd|editor(?:Code|Folders|Git|Paths|Tasks|Workspace))\.ts$/;
  const files = sources(['src/debug', 'src/entry/vscode']).filter((file) => !forModels.test(file));
  const found = files.flatMap((file) => sentencesOf(file).map((sentence) => `${file}: ${sentence}`));
  assert.deepEqual(found, []);
});

/**
 * Literals that read as a sentence and are not handed to `t(…)` or `refuse(…)`: a capital letter (or a value) first, at least
 * two words, a full stop or a colon last. What tells of a broken build (`new Error`) is for developers.
 */
function sentencesOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /(?:^|\.)(?:t|refuse)$/.test(node.expression.getText())) return;
    if (ts.isNewExpression(node) && node.expression.getText() === 'Error') return;
    const words = literalText(node);
    if (words !== undefined && /^(?:[A-Z“]|\{\})[^\n]*[^\W\d] [^\n]*(?:[.!?]|: \{\}\.?)$/.test(words))
      found.push(words);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true));
  return found;
}

function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

function sources(folders = ['src/core', 'src/debug', 'src/entry']): string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.join(folder, file)),
  );
}

/** First arguments of `t('…')`, `l10n.t('…')`, `vscode.l10n.t('…')` and core's `refuse('…')`. */
function messagesOf(text: string): string[] {
  const calls = text.matchAll(/\b(?:t|refuse)\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g);
  return [...calls].map(([, literal = '']) => {
    const inner = literal
      .slice(1, -1)
      .replaceAll("\\'", "'")
      .replaceAll('"', '\\"')
      .replaceAll('\\\\"', '\\"');
    return JSON.parse(`"${inner}"`) as string;
  });
}
