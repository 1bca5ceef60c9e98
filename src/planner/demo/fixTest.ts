/** "Fix the failing test", "修复失败的测试": runs it, searches, reads, edits, looks at the diagnostics, runs it again. */
import { isRecord } from '../../core/parseMessage.ts';
import { answer, call, callsTo, type Decision, noTool, type Skill, whatWentWrong, words } from './skill.ts';
import type { DoneCall, Turn } from './turn.ts';

const testRun = { command: 'node --test broken/total.test.js' };
const wrong = '(1 - discount)';
const right = '(1 - discount / 100)';

export const fixTest: Skill = (turn) => {
  if (!/\bfix\b.*\btests?\b|修复.*测试/is.test(turn.goal)) return undefined;
  if (!turn.tools.has('run_command')) return answer(noTool(turn, 'run_command'));
  const [first, second] = callsTo(turn, 'run_command');
  if (!first) return step(turn, 'run_command', testRun, 'I run the test first.', '我先运行测试。');
  if (second) return answer(outcome(turn, second));
  if (first.result.kind === 'data')
    return answer(words(turn, 'The tests pass: there is nothing to fix.', '测试都通过了，没有要修复的。'));
  if (!/(?:not ok|✖)/.test(errorOf(first))) return answer(whatWentWrong(turn, first));
  return repair(turn);
};

function repair(turn: Turn): Decision {
  const found = callsTo(turn, 'search_text').at(-1);
  if (!found) {
    const wanted = { query: 'export function total', glob: 'broken/*.js' };
    return step(
      turn,
      'search_text',
      wanted,
      'A discount comes out wrong; where is it?',
      '折扣算错了，它在哪里？',
    );
  }
  const path = pathIn(found);
  if (path === undefined) return answer(whatWentWrong(turn, found));
  const read = callsTo(turn, 'read_file').at(-1);
  if (!read) return step(turn, 'read_file', { path }, `I read ${path}.`, `我来读 ${path}。`);
  if (!textIn(read).includes(wrong)) return answer(whatWentWrong(turn, read));
  const edited = callsTo(turn, 'edit_file').at(-1);
  if (!edited) {
    const edit = { path, old_string: wrong, new_string: right };
    return step(turn, 'edit_file', edit, 'The discount is in percent.', '折扣是百分数。');
  }
  if (edited.result.kind !== 'data') return answer(whatWentWrong(turn, edited));
  if (turn.tools.has('get_diagnostics') && callsTo(turn, 'get_diagnostics').length === 0)
    return step(turn, 'get_diagnostics', { path }, 'Is it sound?', '这样改对吗？');
  return step(turn, 'run_command', testRun, 'I run the test again.', '我再运行一次测试。');
}

function step(
  turn: Turn,
  name: string,
  input: Readonly<Record<string, unknown>>,
  en: string,
  zh: string,
): Decision {
  if (!turn.tools.has(name)) return answer(noTool(turn, name));
  return { text: words(turn, en, zh), calls: [call(name, input)] };
}

function outcome(turn: Turn, second: DoneCall): string {
  const path = String(callsTo(turn, 'edit_file').at(-1)?.arguments['path']);
  if (second.result.kind !== 'data') return whatWentWrong(turn, second);
  return words(
    turn,
    `The test passes now: in ${path} the discount is taken as percent (${right} in place of ${wrong}).`,
    `测试现在通过了：${path} 中的折扣按百分数计算（${wrong} 改为 ${right}）。`,
  );
}

function errorOf({ result }: DoneCall): string {
  return result.kind === 'error' ? result.error : result.kind === 'cut' ? result.text : '';
}

function pathIn({ result }: DoneCall): string | undefined {
  if (result.kind !== 'data' || !isRecord(result.data) || !Array.isArray(result.data['matches']))
    return undefined;
  const [match] = result.data['matches'] as readonly unknown[];
  return isRecord(match) && typeof match['path'] === 'string' ? match['path'] : undefined;
}

function textIn({ result }: DoneCall): string {
  return result.kind === 'data' && isRecord(result.data) ? String(result.data['text']) : '';
}
