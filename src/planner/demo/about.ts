import { answer, type Skill, words } from './skill.ts';

/** For everything else: what this is, what it understands, and how to get a real model. */
export const about: Skill = (turn) =>
  answer(
    words(
      turn,
      `I am the offline demo model: a small program that plays a model, so I understand only a few requests.
- I am busy, plan the rest of my day
- What is 45 + 20?
- What is left for today? · Add a to-do: call Ann, 10 minutes · Complete to-do 2
- List the files · Read notes/today.md · Search for TODO
- Fix the failing test (with fix-test.agent.json)
- Mistakes to debug: make a bad argument · use a failing tool (and claim success) · repeat yourself · call an unknown tool
For a real model, set model_name and api_base in the agent file.`,
      `我是离线演示模型：一个扮演模型的小程序，所以只听得懂少数请求。
- 我很忙，帮我安排今天剩下的时间
- 算一下 12*(3+4)
- 还剩什么？ · 添加待办：给小安打电话，10 分钟 · 完成待办 2
- 列出文件 · 读一下 notes/today.md · 查找 TODO
- 修复失败的测试（用 fix-test.agent.json）
- 用来调试的错误：犯一个参数错误 · 调用会失败的工具（并谎称成功） · 一直重复 · 调用不存在的工具
要用真正的模型，请在智能体文件里设置 model_name 和 api_base。`,
    ),
  );
