/** A TypeScript project over files on disk, as they are at each question: nothing is watched, nothing is old. */
import { readFileSync, statSync } from 'node:fs';
import type ts from 'typescript';

export type TypeScript = typeof ts;

export interface ProjectFiles {
  readonly options: ts.CompilerOptions;
  readonly fileNames: readonly string[];
}

export interface Project {
  readonly service: ts.LanguageService;
  readonly fileNames: readonly string[];
  /** The source file of this name, where the project holds it. */
  source(file: string): ts.SourceFile | undefined;
  /** Files and options as they are now; texts are looked at again at the next question. */
  update(files: ProjectFiles): void;
}

/** Milliseconds within which a file may change twice without a trace in its times. */
const blurred = 100;

interface Known {
  readonly version: number;
  readonly stamp: string;
  readonly text: string;
  readonly isSettled: boolean;
}

export function createProject(
  typescript: TypeScript,
  root: string,
  registry: ts.DocumentRegistry,
  first: ProjectFiles,
): Project {
  const { sys } = typescript;
  let files = first;
  const known = new Map<string, Known>();
  /** Once in a question: all of an answer is of one moment. */
  let looked = new Map<string, Known | undefined>();
  let program: ts.Program | undefined;
  const look = (file: string): Known | undefined => {
    if (looked.has(file)) return looked.get(file);
    const now = lookAt(file, known.get(file));
    looked.set(file, now);
    if (now) known.set(file, now);
    return now;
  };
  const service = typescript.createLanguageService(
    {
      getCompilationSettings: () => files.options,
      getScriptFileNames: () => [...files.fileNames],
      getScriptVersion: (file) => String(look(file)?.version ?? 0),
      getScriptSnapshot(file) {
        const text = look(file)?.text;
        return text === undefined ? undefined : typescript.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: (options) => typescript.getDefaultLibFilePath(options),
      useCaseSensitiveFileNames: () => sys.useCaseSensitiveFileNames,
      fileExists: (file) => sys.fileExists(file),
      readFile: (file, encoding) => sys.readFile(file, encoding),
      readDirectory: (...given) => sys.readDirectory(...given),
      directoryExists: (folder) => sys.directoryExists(folder),
      getDirectories: (folder) => sys.getDirectories(folder),
      realpath: (file) => sys.realpath?.(file) ?? file,
    },
    registry,
  );
  return {
    service,
    get fileNames() {
      return files.fileNames;
    },
    source: (file) => (program ??= service.getProgram())?.getSourceFile(file),
    update(next) {
      files = next;
      looked = new Map();
      program = undefined;
    },
  };
}

function lookAt(file: string, before: Known | undefined): Known | undefined {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    const stamp = `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
    if (before?.isSettled && before.stamp === stamp) return before;
    const isSettled = Date.now() - Math.max(mtimeMs, ctimeMs) > blurred;
    const text = textOf(readFileSync(file));
    const version = (before?.version ?? 0) + (before?.text === text ? 0 : 1);
    return { version, stamp, text, isSettled };
  } catch {
    return undefined;
  }
}

/** As TypeScript reads files: UTF-8, or UTF-16 by its mark; without the mark. */
function textOf(bytes: Buffer): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}
