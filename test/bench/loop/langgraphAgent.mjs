import { tool as defineTool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { BaseChatOpenAI, ChatOpenAI } from '@langchain/openai';
import { goal, system, tool } from './modelServer.mjs';

// It counts tokens with data from the network, which is no part of a loop: counted as nothing, in its favour.
BaseChatOpenAI.prototype.getNumTokens = async () => 0;

export async function runLangGraph({ base, rounds, step }, checkpointer) {
  const llm = new ChatOpenAI({
    model: 'bench',
    apiKey: 'none',
    streaming: true,
    streamUsage: true,
    useResponsesApi: false,
    configuration: { baseURL: base },
  });
  const steps = defineTool(async ({ n }) => step(n), {
    name: tool.name,
    description: tool.description,
    schema: tool.parameters,
  });
  const agent = createReactAgent({ llm, tools: [steps], prompt: system, checkpointer });
  const { messages } = await agent.invoke(
    { messages: [{ role: 'user', content: goal }] },
    { recursionLimit: rounds * 2 + 10, configurable: { thread_id: 'bench' } },
  );
  return String(messages.at(-1).content);
}
