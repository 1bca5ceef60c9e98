import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** A new folder with these files (paths that end with `/` are empty folders), removed after the test. */
export async function temporaryTree(
  t: Pick<TestContext, 'after'>,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'loopscope-tree-')));
  t.after(() => rm(root, { recursive: true, force: true }));
  await writeTree(root, files);
  return root;
}

export async function writeTree(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path);
    await mkdir(path.endsWith('/') ? target : dirname(target), { recursive: true });
    if (!path.endsWith('/')) await writeFile(target, content);
  }
}
