/**
 * "I am busy, plan the rest of my day": list the to-dos, add one and add up the minutes (two calls in one
 * reply), look at the list again, and say what it says. Every number in the answer comes out of a result.
 */
import {
  answer,
  call,
  callsTo,
  counted,
  type Decision,
  noTool,
  type Skill,
  whatWentWrong,
  words,
} from './skill.ts';
import { numbered, type TodoItem, todoItems } from './todoList.ts';
import type { DoneCall, Turn } from './turn.ts';

const wanted =
  /plan (?:out )?(?:the rest of )?(?:my|the|this|your) (?:day|afternoon)|rest of (?:my|the) day|organi[sz]e my day|\bi(?:'|’)?(?: a)?m busy|(?:安排|规划|计划).{0,8}(?:今天|一天|时间|日程)|今天.{0,6}(?:安排|规划)|我(?:很|太|好|真|今天很|今天)忙/i;

/** What it adds: the first of these that is not on the list yet. */
const ideas = [
  { en: 'reply to mail', zh: '回复邮件', minutes: 20 },
  { en: 'tidy the desk', zh: '整理桌面', minutes: 10 },
  { en: 'plan tomorrow', zh: '安排明天', minutes: 15 },
] as const;

export const planDay: Skill = (turn) => {
  if (!wanted.test(turn.goal)) return undefined;
  const lists = callsTo(turn, 'list_todos');
  const adds = callsTo(turn, 'add_todo');
  const sums = callsTo(turn, 'calculator');
  const [first] = lists;
  if (!first) return turn.tools.has('list_todos') ? look(turn) : answer(noTool(turn, 'list_todos'));
  const items = itemsOf(first);
  if (!items) return answer(whatWentWrong(turn, first));
  const next = adds.length + sums.length === 0 ? addAndAddUp(turn, items) : undefined;
  if (next && next.calls.length > 0) return next;
  if (adds.length > 0 && lists.length === 1) return lookAgain(turn);
  return answer(summary(turn, lists, adds, sums));
};

function look(turn: Turn): Decision {
  return {
    text: words(turn, 'I look at your to-dos first.', '我先看一下你的待办。'),
    calls: [call('list_todos', {})],
  };
}

function addAndAddUp(turn: Turn, items: readonly TodoItem[]): Decision {
  const idea = ideas.find(({ en, zh }) => !items.some(({ content }) => content === en || content === zh));
  const adding = idea && turn.tools.has('add_todo') ? idea : undefined;
  const minutes = [...open(items).map((item) => item.minutes), adding?.minutes].filter(
    (n) => n !== undefined,
  );
  const calls = [
    ...(adding
      ? [call('add_todo', { content: words(turn, adding.en, adding.zh), minutes: adding.minutes })]
      : []),
    ...(minutes.length > 0 && turn.tools.has('calculator')
      ? [call('calculator', { expression: minutes.join('+') })]
      : []),
  ];
  const text = words(
    turn,
    'One thing is missing on the list. I add it, and add up the minutes.',
    '还缺一件事。我把它加上，再把分钟数加起来。',
  );
  return { text, calls };
}

function lookAgain(turn: Turn): Decision {
  return {
    text: words(turn, 'I check what the list says now.', '我再看一下现在的清单。'),
    calls: [call('list_todos', {})],
  };
}

function summary(
  turn: Turn,
  lists: readonly DoneCall[],
  adds: readonly DoneCall[],
  sums: readonly DoneCall[],
): string {
  const last = lists.at(-1);
  const readAgain = last ? itemsOf(last) : undefined;
  const items = open(readAgain ?? (lists[0] ? itemsOf(lists[0]) : undefined) ?? []);
  const lines = [
    heading(turn, items),
    ...(items.length > 0 ? [numbered(turn, items)] : []),
    ...(last && !readAgain ? [whatWentWrong(turn, last)] : []),
    ...adds.map((add) => addLine(turn, add)),
    ...sums.slice(-1).map((sum) => sumLine(turn, sum, items)),
  ];
  return lines.join('\n');
}

function heading(turn: Turn, items: readonly TodoItem[]): string {
  if (items.length === 0) return words(turn, 'Nothing is open on your list.', '清单上没有未完成的事。');
  return words(
    turn,
    `The rest of your day, ${counted(items.length, 'open to-do')}:`,
    `今天剩下的安排，共 ${items.length} 项未完成：`,
  );
}

function addLine(turn: Turn, add: DoneCall): string {
  const content = String(add.arguments['content']);
  if (add.result.kind === 'data') return words(turn, `Added: ${content}.`, `已添加：${content}。`);
  return words(turn, `Not added: ${content}. `, `没有添加：${content}。`) + whatWentWrong(turn, add);
}

/** The calculator's number; where it is not what the list comes to, both are said. */
function sumLine(turn: Turn, sum: DoneCall, items: readonly TodoItem[]): string {
  if (sum.result.kind !== 'data' || typeof sum.result.data !== 'number') {
    return words(turn, 'There is no total: ', '没有总时间：') + whatWentWrong(turn, sum);
  }
  const total = sum.result.data;
  const expression = String(sum.arguments['expression']);
  const listed = items.reduce((minutes, item) => minutes + (item.minutes ?? 0), 0);
  const result = words(
    turn,
    `Together ${total} minutes (${expression}).`,
    `合计 ${total} 分钟（${expression}）。`,
  );
  if (total === listed) return result;
  return result + words(turn, ` The list itself comes to ${listed}.`, `清单本身加起来是 ${listed} 分钟。`);
}

function itemsOf({ result }: DoneCall): readonly TodoItem[] | undefined {
  return result.kind === 'data' ? todoItems(result.data) : undefined;
}

function open(items: readonly TodoItem[]): readonly TodoItem[] {
  return items.filter(({ done }) => !done);
}
