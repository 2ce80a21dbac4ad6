import type { WorkflowNews } from "../news/workflow-news.ts";
import type { Terminal } from "./terminal.ts";

/** What happens to the plan, a line of JSON each. */
export function workflowJson(terminal: Terminal): (news: WorkflowNews) => void {
  return (news) => {
    if (news.type === "attempt-news") return;
    const loop =
      "loop" in news ? { loop: news.loop.id, phase: news.loop.phase, costUsd: news.loop.spend.usd } : {};
    terminal.print(JSON.stringify({ ...news, ...loop }));
  };
}
