/** Answers a question about code by TypeScript's language service. */
import type ts from 'typescript';
import { columnOf } from './columnOf.ts';
import type { Project, TypeScript } from './project.ts';
import { createProjects, type Projects } from './projects.ts';
import type { Found, FoundDiagnostic, FoundPlace, FoundSymbol, Question } from './questions.ts';
import { ToolError } from '../toolError.ts';

/** Symbols that are asked for, of each project. */
const most = 500;

/** Throws `ToolError` with words for the model. */
export function createAnswers(typescript: TypeScript, root: string): (question: Question) => Found {
  const projects = createProjects(typescript, root);
  return (question) => {
    switch (question.kind) {
      case 'symbols':
        return {
          symbols:
            question.file === undefined
              ? symbolsNamed(projects, question.name)
              : symbolsIn(heldOf(projects, question.file)),
        };
      case 'references':
        return { places: references(projects, question) };
      case 'diagnostics':
        return { diagnostics: diagnostics(typescript, projects, question.file) };
    }
  };
}

interface Held {
  readonly project: Project;
  readonly source: ts.SourceFile;
}

function heldOf(projects: Projects, file: string): Held {
  const [project] = projects.holding(file) as [Project];
  return { project, source: sourceIn(project, file) };
}

function sourceIn(project: Project | undefined, file: string): ts.SourceFile {
  const source = project?.source(file);
  if (!source) throw new ToolError('TypeScript does not take it for a file of code');
  return source;
}

function symbolsNamed(projects: Projects, name: string): readonly FoundSymbol[] {
  return projects.all().flatMap((project) =>
    project.service.getNavigateToItems(name, most).flatMap((item): FoundSymbol[] => {
      const source = project.source(item.fileName);
      if (!source || isLibrary(item.fileName)) return [];
      return [symbol(source, item, item.textSpan, item.containerName)];
    }),
  );
}

function symbolsIn({ project, source }: Held): readonly FoundSymbol[] {
  const flat = (tree: ts.NavigationTree, container: string | undefined): FoundSymbol[] =>
    (tree.childItems ?? []).flatMap((child) => {
      const { text, spans } = child;
      const [span] = spans;
      const within = container === undefined ? text : `${container}.${text}`;
      // What has no name of its own (`<function>`) is not what anybody asks for; what is in it may be.
      const own =
        span && !text.startsWith('<') && !isImport(child)
          ? [symbol(source, { ...child, name: text }, span, container, child.nameSpan)]
          : [];
      return [...own, ...flat(child, text.startsWith('<') ? container : within)];
    });
  return flat(project.service.getNavigationTree(source.fileName), undefined);
}

function isImport({ kind }: ts.NavigationTree): boolean {
  return String(kind) === 'alias';
}

function symbol(
  source: ts.SourceFile,
  { name, kind }: { readonly name: string; readonly kind: string },
  span: ts.TextSpan,
  container: string | undefined,
  nameSpan: ts.TextSpan | undefined = undefined,
): FoundSymbol {
  const whole = source.text.slice(span.start, span.start + span.length);
  const inSpan = whole.search(new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`, 'u'));
  const start = nameSpan?.start ?? span.start + Math.max(inSpan, 0);
  const end = source.getLineAndCharacterOfPosition(span.start + span.length).line + 1;
  return {
    name,
    kind: kinds[kind] ?? kind,
    ...place(source, start),
    end,
    ...(container === undefined || container === '' ? {} : { container }),
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** As VS Code says it. */
const kinds: Readonly<Record<string, string>> = {
  const: 'constant',
  let: 'variable',
  var: 'variable',
  'local var': 'variable',
  'local function': 'function',
  'local class': 'class',
  getter: 'property',
  setter: 'property',
  accessor: 'property',
  'external module name': 'module',
};

function references(
  projects: Projects,
  target: Extract<Question, { kind: 'references' }>,
): readonly FoundPlace[] {
  const held = projects.holding(target.file);
  const source = sourceIn(held[0], target.file);
  const starts = source.getLineStarts();
  if (target.line > starts.length)
    throw new ToolError(`${target.path} has ${starts.length} lines; line was ${target.line}`);
  const from = starts[target.line - 1]!;
  const line = source.text.slice(from, starts[target.line]).replace(/[\r\n\u2028\u2029]+$/, '');
  const position = from + columnOf(line, target) - 1;
  return held.flatMap((project) =>
    (project.service.findReferences(target.file, position) ?? []).flatMap(({ references: found }) =>
      found.flatMap(({ fileName, textSpan }) => {
        const at = project.source(fileName);
        return at ? [place(at, textSpan.start)] : [];
      }),
    ),
  );
}

function diagnostics(
  typescript: TypeScript,
  projects: Projects,
  file: string | undefined,
): readonly FoundDiagnostic[] {
  const held =
    file === undefined
      ? projects.all().flatMap((project) => project.fileNames.map((name) => ({ project, name })))
      : [{ project: heldOf(projects, file).project, name: file }];
  return held
    .filter(({ name }) => !isLibrary(name))
    .flatMap(({ project: { service }, name }) =>
      [...service.getSyntacticDiagnostics(name), ...service.getSemanticDiagnostics(name)].flatMap((one) =>
        one.file ? [diagnostic(typescript, one.file, one)] : [],
      ),
    );
}

function diagnostic(
  { DiagnosticCategory, flattenDiagnosticMessageText }: TypeScript,
  source: ts.SourceFile,
  { category, messageText, start = 0, code }: ts.Diagnostic,
): FoundDiagnostic {
  const severity =
    category === DiagnosticCategory.Error
      ? 'error'
      : category === DiagnosticCategory.Warning
        ? 'warning'
        : category === DiagnosticCategory.Message
          ? 'information'
          : 'hint';
  const message = flattenDiagnosticMessageText(messageText, '\n');
  return { ...place(source, start), severity, message, source: `ts ${code}` };
}

function place(source: ts.SourceFile, at: number): FoundPlace {
  const { line, character } = source.getLineAndCharacterOfPosition(at);
  return { file: source.fileName, line: line + 1, column: character + 1 };
}

/** What others wrote is not what is asked about. */
function isLibrary(file: string): boolean {
  return file.includes('/node_modules/') || /\/typescript\/lib\/lib\.[^/]*\.d\.ts$/.test(file);
}
