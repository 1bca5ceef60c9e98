import { isRecord, parseJson } from '../../core/parseMessage.ts';
import type { PlainTask } from './plainTasks.ts';
import { quoteForShell } from './quoteForShell.ts';

/** The scripts of a `package.json`, by the names that VS Code gives them (`npm: test`); none where it is not right. */
export function packageScripts(text: string, manager: string): readonly PlainTask[] {
  const manifest = parseJson(text.replace(/^\uFEFF/, ''));
  const scripts = isRecord(manifest) ? manifest['scripts'] : undefined;
  if (!isRecord(scripts)) return [];
  return Object.entries(scripts).flatMap(([name, script]) => {
    if (typeof script !== 'string' || name.includes('\0')) return [];
    // npm itself is a script on Windows, which only a shell starts.
    const line = `${manager} run ${quoteForShell(name)}`;
    return [{ task: `npm: ${name}`, command: line, detail: script, run: line }];
  });
}
