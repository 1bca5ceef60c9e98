import { isRecord } from '../../core/parseMessage.ts';
import { call, oneCall, type Skill, words } from './skill.ts';

/** `What is the weather in Paris?`, for an agent that has a tool for it: the example of the library. */
export const weather: Skill = (turn) => {
  const asked = /weather in ([\p{L}][\p{L} .'-]*)|([\p{Script=Han}]{2,8}?)(?:的|今天|现在)*天气/iu.exec(
    turn.goal,
  );
  const city = (asked?.[1] ?? asked?.[2])?.trim();
  if (city === undefined || !turn.tools.has('get_weather')) return undefined;
  const opening = words(turn, 'I look at the weather.', '我看一下天气。');
  return oneCall(turn, call('get_weather', { city }), opening, (data) => {
    if (!isRecord(data)) return undefined;
    const facts = Object.entries(data).filter(([name]) => name !== 'city');
    const shown = facts.map(([name, value]) => `${name} ${String(value)}`).join(', ');
    return words(turn, `The weather in ${city}: ${shown}.`, `${city}的天气：${shown}。`);
  });
};
