import { countCodePoints } from './capText.ts';
import { isRecord } from './parseMessage.ts';
import type { CallKey } from './messages.ts';

/** Some characters of an earlier call's result, counted from 1, `end` included: one reads on from `end + 1`. */
export interface ResultPage {
  readonly call: CallKey;
  readonly start: number;
  readonly end: number;
  readonly total: number;
  readonly text: string;
}

export function isResultPage(value: unknown): value is ResultPage {
  if (!isRecord(value) || Object.keys(value).join() !== 'call,start,end,total,text') return false;
  const { start, end, text } = value;
  return typeof text === 'string' && Number(end) - Number(start) + 1 === countCodePoints(text);
}
