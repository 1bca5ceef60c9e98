import * as vscode from 'vscode';

/**
 * Has the extension see another value in a part of VS Code's API until it is disposed. The extension is an ES module and
 * a test is none: older versions of VS Code give the two different objects, so both get it.
 */
export async function pretend<Part extends 'window' | 'workspace'>(
  part: Part,
  key: keyof (typeof vscode)[Part] & string,
  value: unknown,
): Promise<vscode.Disposable> {
  const apis = [vscode, (await import('vscode')) as typeof vscode];
  const restores = [...new Set<object>(apis.map((api) => api[part]))].map((object) => {
    const before = Object.getOwnPropertyDescriptor(object, key) ?? {};
    Object.defineProperty(object, key, { configurable: true, get: () => value });
    return () => Object.defineProperty(object, key, before);
  });
  return { dispose: () => restores.forEach((restore) => restore()) };
}
