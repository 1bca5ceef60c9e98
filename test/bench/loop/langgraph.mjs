/** LangGraph's createReactAgent, without checkpoints. */
import { runLangGraph } from './langgraphAgent.mjs';

export const run = (options) => runLangGraph(options);
