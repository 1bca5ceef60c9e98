/** Single requests about to-dos: what is left, add one, complete one. */
import { isRecord } from '../../core/parseMessage.ts';
import { call, counted, oneCall, type Skill, words } from './skill.ts';
import { numbered, todoItems } from './todoList.ts';
import { unquoted } from './unquoted.ts';

export const whatIsLeft: Skill = (turn) => {
  const wanted =
    /what(?:'s|’s| is| are)? (?:still )?(?:left|open|to do)|(?:list|show)(?: me)?(?: all)?(?: of)?(?: my| the)? (?:open )?(?:to-?dos?|tasks)|还剩|剩下(?:什么|哪些)|(?:列出|显示|看看|看一下).{0,6}(?:待办|任务)|有(?:哪些|什么)(?:待办|任务)/i;
  if (!wanted.test(turn.goal)) return undefined;
  const opening = words(turn, 'I look at the list.', '我看一下清单。');
  return oneCall(turn, call('list_todos', {}), opening, (data) => {
    const items = todoItems(data);
    if (!items) return undefined;
    const open = items.filter(({ done }) => !done);
    if (open.length === 0) return words(turn, 'Nothing is left.', '没有剩下的事了。');
    return `${words(turn, `${counted(open.length, 'to-do')} open:`, `还有 ${open.length} 项：`)}\n${numbered(turn, open)}`;
  });
};

export const addTodo: Skill = (turn) => {
  const found =
    /^(?:please )?add (?:a |another |the )?(?:new )?(?:to-?do|task)(?: to)?\s*[:,]?\s+(.+)$/i.exec(
      turn.goal.trim(),
    ) ??
    /^(?:请|帮我)?(?:添加|新增|加)(?:一个|一条|一项)?(?:待办|任务)(?:事项)?\s*[:：,，]?\s*(.+)$/.exec(
      turn.goal.trim(),
    );
  if (!found?.[1]) return undefined;
  const time = /[,，、(（]?\s*(\d{1,4})\s*(?:minutes?|mins?|分钟)[)）]?/i.exec(found[1]);
  const content = unquoted(found[1].replace(time?.[0] ?? '', ''));
  const input = { content, ...(time?.[1] ? { minutes: Number(time[1]) } : {}) };
  const opening = words(turn, 'I add it.', '我来添加。');
  return oneCall(turn, call('add_todo', input), opening, (data, done) => {
    if (!isRecord(data)) return undefined;
    const total = data['total'];
    const added = String(done.arguments['content']);
    return words(
      turn,
      `Added “${added}”. Total: ${String(total)}.`,
      `已添加“${added}”，共 ${String(total)} 项。`,
    );
  });
};

export const completeTodo: Skill = (turn) => {
  const found =
    /(?:complete|finish|tick off|check off|mark)\b.{0,20}?(?:to-?do|task)?\s*#?(\d{1,6})/i.exec(turn.goal) ??
    /(?:完成|勾掉).{0,8}?(\d{1,6})/.exec(turn.goal);
  if (!found?.[1]) return undefined;
  const opening = words(turn, 'I tick it off.', '我来勾掉它。');
  return oneCall(turn, call('complete_todo', { id: Number(found[1]) }), opening, (data, done) => {
    if (!isRecord(data)) return undefined;
    const open = data['open'];
    const id = String(done.arguments['id']);
    return words(
      turn,
      `To-do ${id} is done. Still open: ${String(open)}.`,
      `第 ${id} 项已完成，还剩 ${String(open)} 项。`,
    );
  });
};
