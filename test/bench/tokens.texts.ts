/**
 * Texts for the token benchmark, taken from what `npm install` brings: prose of the packages' comments and of their
 * Markdown files, code of the compiler and the linter, the compiler's messages in Chinese. Each as two parts without anything in common
 * but the language: one to warm up on, one that is measured.
 */
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { createRandom } from '../unit/planner/tokenizer/random.ts';
import { repository } from './bench.ts';

export interface Pair {
  readonly warmUp: string;
  readonly unseen: string;
}

const modules = path.join(repository, 'node_modules');
const mostUnits = 2_000_000;

export function benchTexts(): Readonly<Record<'English' | 'code' | 'Chinese', Pair>> {
  const prose = new Set(filesOf('.', '.md').flatMap(paragraphs));
  const comments = new Set(
    filesOf('.', '.d.ts')
      .flatMap(commentLines)
      .filter((line) => !prose.has(line)),
  );
  return {
    English: { warmUp: joined([...comments]), unseen: joined([...prose]) },
    code: {
      warmUp: joined(filesOf('typescript/lib', '.d.ts').map(read)),
      unseen: joined(filesOf('eslint/lib', '.js').map(read)),
    },
    Chinese: { warmUp: messages('zh-tw'), unseen: messages('zh-cn') },
  };
}

/** A megabyte each of what makes published tokenizers quadratic. */
export function hostileTexts(): Readonly<Record<string, string>> {
  const { repeat, below } = createRandom(2);
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return {
    'one letter': 'a'.repeat(1_000_000),
    spaces: ' '.repeat(1_000_000),
    'random letters': repeat(1_000_000, () => String.fromCharCode(97 + below(26))),
    'random Han': repeat(333_333, () => String.fromCharCode(0x4e00 + below(20_000))),
    emoji: repeat(250_000, () => String.fromCodePoint(0x1f300 + below(700))),
    base64: repeat(1_000_000, () => digits.charAt(below(64))),
  };
}

/** Sorted, so that every machine with the same lock file measures the same. Other tokenizers' files are left out. */
function filesOf(folder: string, ending: string): string[] {
  return readdirSync(path.join(modules, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !/tokenizer|tiktoken/.test(file))
    .sort()
    .map((file) => path.join(modules, folder, file));
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

/** Lines that are sentences: long, begun by a letter, outside of code. */
function paragraphs(file: string): string[] {
  return read(file)
    .replace(/^```[^]*?^```/gm, '')
    .split('\n')
    .filter((line) => /^[A-Z][a-z]*[ ,]/.test(line) && line.length > 60);
}

/** Lines of comments that begin a sentence. */
function commentLines(file: string): string[] {
  return Array.from(read(file).matchAll(/^\s*\*\s+([A-Z][a-z]*[ ,].{45,})$/gm), ([, line = '']) => line);
}

function messages(language: string): string {
  const file = path.join(modules, 'typescript/lib', language, 'diagnosticMessages.generated.json');
  const texts = Object.values(JSON.parse(read(file)) as Record<string, string>);
  return texts.map((text) => text.replace(/[A-Za-z{}'"]+/g, '')).join('\n');
}

function joined(texts: readonly string[]): string {
  return texts.join('\n').slice(0, mostUnits);
}
