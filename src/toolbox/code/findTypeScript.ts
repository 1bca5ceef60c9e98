import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface FoundTypeScript {
  /** The file that is loaded. */
  readonly file: string;
  /** Of the folder's TypeScript as it was found: a tool that writes files must not become one that runs them. */
  isUnchanged(): boolean;
}

/** The TypeScript that code in this folder would get, by Node's own rules; undefined where there is none. */
export function findTypeScript(root: string): FoundTypeScript | undefined {
  try {
    const main = createRequire(join(root, 'package.json')).resolve('typescript');
    const file = join(dirname(main), 'typescript.js');
    const before = identity(file);
    return {
      file,
      isUnchanged() {
        try {
          return identity(file) === before;
        } catch {
          return false;
        }
      },
    };
  } catch {
    return undefined;
  }
}

/** The time of the last change of the file or its name can not be set back by what writes it. */
function identity(file: string): string {
  const { ino, size, ctimeNs } = statSync(file, { bigint: true });
  return `${ino} ${size} ${ctimeNs}`;
}
