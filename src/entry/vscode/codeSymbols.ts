/** Symbols as VS Code's commands give them, in the one of its two shapes that they come in, made flat. */
import * as vscode from 'vscode';

export interface FoundSymbol {
  readonly name: string;
  readonly kind: string;
  readonly uri: vscode.Uri;
  /** Where its name stands; some services do not say. */
  readonly start: vscode.Range | undefined;
  /** Its last line, from 0. */
  readonly end?: number | undefined;
  readonly container?: string | undefined;
}

export async function documentSymbols(uri: vscode.Uri): Promise<readonly FoundSymbol[] | undefined> {
  const found = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', uri);
  return found?.flatMap((one) => ('children' in one ? flat(uri, one, undefined) : [fromInformation(one)]));
}

export async function workspaceSymbols(name: string): Promise<readonly FoundSymbol[] | undefined> {
  const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    name,
  );
  return found?.map(fromInformation);
}

function flat(
  uri: vscode.Uri,
  { name, kind, range, selectionRange, children }: vscode.DocumentSymbol,
  container: string | undefined,
): readonly FoundSymbol[] {
  const within = container === undefined ? name : `${container}.${name}`;
  return [
    { name: bare(name), kind: kindOf(kind), uri, start: selectionRange, end: range.end.line, container },
    ...children.flatMap((child) => flat(uri, child, within)),
  ];
}

function fromInformation({ name, kind, location, containerName }: vscode.SymbolInformation): FoundSymbol {
  // A service may tell the range only when it is asked again.
  const range = location.range as vscode.Range | undefined;
  return {
    name: bare(name),
    kind: kindOf(kind),
    uri: location.uri,
    start: range,
    end: range?.end.line,
    container: containerName,
  };
}

/** Some services write functions as calls, which is not what stands in the file. */
function bare(name: string): string {
  return name.replace(/\(\)$/, '');
}

/** `TypeParameter` becomes `type parameter`. */
function kindOf(kind: vscode.SymbolKind): string {
  return (vscode.SymbolKind[kind] ?? 'symbol').replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
