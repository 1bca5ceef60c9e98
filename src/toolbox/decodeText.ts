import type { FileContent } from './fileTree.ts';

/** Bytes as text, when they are UTF-8 without NUL; a byte order mark is taken off. */
export function decodeText(bytes: Uint8Array): FileContent {
  if (bytes.includes(0)) return { kind: 'binary' };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'binary' };
  }
}
