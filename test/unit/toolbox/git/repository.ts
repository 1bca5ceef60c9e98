import { execFileSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { temporaryTree } from '../temporaryTree.ts';

export interface TestRepository {
  readonly root: string;
  /** Runs git in it, or in a folder of it; its stdout. */
  readonly git: (...args: readonly string[]) => string;
  readonly gitIn: (folder: string, ...args: readonly string[]) => string;
}

/** A new repository with these files, committed. The user's own settings do not count in it. */
export async function testRepository(
  t: Pick<TestContext, 'after'>,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<TestRepository> {
  const repository = repositoryAt(await temporaryTree(t, files));
  repository.git('init', '--quiet', '--initial-branch=main');
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--allow-empty', '--message=first');
  return repository;
}

export function repositoryAt(root: string): TestRepository {
  const gitIn = (folder: string, ...args: readonly string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always', ...args],
      {
        cwd: `${root}/${folder}`,
        encoding: 'utf8',
        stdio: 'pipe',
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      },
    );
  return { root, gitIn, git: (...args) => gitIn('', ...args) };
}
