import { isRecord } from '../../core/parseMessage.ts';
import { words } from './skill.ts';
import type { Turn } from './turn.ts';

/** What `list_todos` says: `{items: [{id, content, minutes?, done}], open, done}`. */
export interface TodoItem {
  readonly content: string;
  readonly minutes: number | undefined;
  readonly done: boolean;
}

/** Undefined when the data has another shape (a mocked result, for example). */
export function todoItems(data: unknown): readonly TodoItem[] | undefined {
  if (!isRecord(data) || !Array.isArray(data['items'])) return undefined;
  return data['items'].filter(isRecord).map(({ content, minutes, done }) => ({
    content: typeof content === 'string' ? content : JSON.stringify(content ?? null),
    minutes: typeof minutes === 'number' ? minutes : undefined,
    done: done === true,
  }));
}

/** `1. reply to mail (20 min)`, one a line. */
export function numbered(turn: Turn, items: readonly TodoItem[]): string {
  return items
    .map(({ content, minutes }, index) => {
      const time = minutes === undefined ? '' : words(turn, ` (${minutes} min)`, `（${minutes} 分钟）`);
      return `${index + 1}. ${content}${time}`;
    })
    .join('\n');
}
