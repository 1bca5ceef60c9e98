import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The scheme of the folder that is on no disk: the tests provide its files. */
export const virtualScheme = 'loopscope-test-roots';

/** A workspace of the demo, two folders of one name, and one that is on no disk. Returns its file. */
export async function writeRoots(home: string): Promise<string> {
  for (const parent of ['x', 'y']) {
    await mkdir(join(home, parent, 'web'), { recursive: true });
    await writeFile(join(home, parent, 'web', 'where.txt'), `in ${parent}\n`);
  }
  const folders = [
    { path: 'demo' },
    { path: 'x/web' },
    { path: 'y/web' },
    { uri: `${virtualScheme}:/proj`, name: 'virtual' },
  ];
  const file = join(home, 'roots.code-workspace');
  await writeFile(file, JSON.stringify({ folders }));
  return file;
}
