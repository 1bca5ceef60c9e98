/** LangGraph's createReactAgent with its own checkpoints (MemorySaver): the nearest to a journal that it has. */
import { MemorySaver } from '@langchain/langgraph';
import { runLangGraph } from './langgraphAgent.mjs';

export const run = (options) => runLangGraph(options, new MemorySaver());
