/** The engine as a library: one tool, one question. Run it with `node --import tsx examples/weather.ts`. */
import { z } from 'zod';
import { Agent, createDemoModel, defineTool } from '../src/entry/lib.ts';

const getWeather = defineTool({
  name: 'get_weather',
  description:
    'Tells the weather of a city now. Use it for every question about the weather; it knows no forecast.',
  effects: 'none',
  input: z.object({ city: z.string().describe('For example Paris') }),
  run: ({ city }) => ({ city, sky: 'sunny', celsius: 21 }),
});

const agent = new Agent({ model: createDemoModel(), tools: [getWeather] });
const { message, rounds } = await agent.chat('What is the weather in Paris?', {
  onEvent: (event) => event.type === 'tool_result' && console.log(`${event.name}: ${event.outcome}`),
});
console.log(`${message} (${rounds} rounds)`);
