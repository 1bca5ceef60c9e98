/** The TypeScript projects of a folder: those of its configuration files, and one for what none of them has. */
import { dirname } from 'node:path';
import type ts from 'typescript';
import { createProject, type Project, type ProjectFiles, type TypeScript } from './project.ts';

export interface Projects {
  /** All of them, as their configuration is now. */
  all(): readonly Project[];
  /** Those that hold this file, the nearest first; one made for it alone where none does. */
  holding(file: string): readonly Project[];
}

/** More configuration files are not looked at. */
const most = 20;
const ignored = ['**/node_modules', '**/bower_components', '**/.*/'];
const kinds = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

export function createProjects(typescript: TypeScript, root: string): Projects {
  const { sys } = typescript;
  const registry = typescript.createDocumentRegistry(sys.useCaseSensitiveFileNames, root);
  const known = new Map<string, Project>();
  const project = (name: string, files: ProjectFiles): Project => {
    const before = known.get(name);
    before?.update(files);
    const now = before ?? createProject(typescript, root, registry, files);
    known.set(name, now);
    return now;
  };
  const configured = () =>
    configsIn(typescript, root).map(({ config, ...files }) => ({ config, project: project(config, files) }));
  const loose = () =>
    project('', {
      options: looseOptions(typescript),
      fileNames: sys.readDirectory(root, kinds, ignored, ['**/*']),
    });
  return {
    all() {
      const found = configured().filter((one) => one.project.fileNames.length > 0);
      return found.length > 0 ? found.map((one) => one.project) : [loose()];
    },
    holding(file) {
      const found = configured();
      const held = found.filter((one) => one.project.source(file) !== undefined);
      if (held.length > 0)
        return held
          .toSorted((a, b) => nearness(b.config, file) - nearness(a.config, file))
          .map((one) => one.project);
      const around = found.length === 0 ? loose() : undefined;
      if (around?.source(file)) return [around];
      return [project(file, { options: looseOptions(typescript), fileNames: [file] })];
    },
  };
}

/** Long where the configuration is in a folder around the file, 0 elsewhere. */
function nearness(config: string, file: string): number {
  const folder = `${dirname(config)}/`;
  return file.startsWith(folder) ? folder.length : 0;
}

/** Of files that no configuration speaks for: JavaScript counts, as in an editor. */
function looseOptions({ ModuleKind, ModuleResolutionKind, ScriptTarget, JsxEmit }: TypeScript) {
  return {
    allowJs: true,
    noEmit: true,
    skipLibCheck: true,
    target: ScriptTarget.ESNext,
    module: ModuleKind.ESNext,
    moduleResolution: ModuleResolutionKind.Bundler,
    jsx: JsxEmit.Preserve,
  } satisfies ts.CompilerOptions;
}

interface Config extends ProjectFiles {
  readonly config: string;
}

/** The configuration files of the folder, with those that they refer to. */
function configsIn(typescript: TypeScript, root: string): readonly Config[] {
  const waiting = typescript.sys
    .readDirectory(root, ['.json'], ignored, ['**/tsconfig.json', '**/jsconfig.json'])
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const found = new Map<string, Config>();
  for (let config = waiting.shift(); config !== undefined && found.size < most; config = waiting.shift()) {
    if (found.has(config)) continue;
    const parsed = parse(typescript, config);
    if (!parsed) continue;
    found.set(config, { config, options: { ...parsed.options, noEmit: true }, fileNames: parsed.fileNames });
    waiting.push(...(parsed.projectReferences ?? []).map(typescript.resolveProjectReferencePath));
  }
  return [...found.values()];
}

function parse(typescript: TypeScript, config: string): ts.ParsedCommandLine | undefined {
  const { sys } = typescript;
  const read = typescript.readConfigFile(config, (file) => sys.readFile(file));
  return read.config === undefined
    ? undefined
    : typescript.parseJsonConfigFileContent(read.config, sys, dirname(config), undefined, config);
}
