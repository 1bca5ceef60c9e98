import { type DecodedText, type FileContent, maxFileBytes } from './fileTree.ts';
import { ToolError } from './toolError.ts';

/** The content as text; throws for what is none. */
export function textOf<Text extends DecodedText>(
  path: string,
  content: Text | Exclude<FileContent, { readonly kind: 'text' }>,
): Text {
  switch (content.kind) {
    case 'binary':
      throw new ToolError(`${path}: it is not UTF-8 text (a binary file)`);
    case 'too large':
      throw new ToolError(
        `${path}: it is too large to read: ${megabytes(content.bytes)} MB, limit ${megabytes(maxFileBytes)}`,
      );
    default:
      return content;
  }
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
