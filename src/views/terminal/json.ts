import type { RunNews, StageNews, WorkflowNews } from "../news/news.ts";
import type { Terminal } from "./terminal.ts";

/** Each event as a line of JSON, in journal order, with agent events of the agent in between. */
export function jsonView(terminal: Terminal): (news: RunNews) => void {
  const print = (value: unknown): void => terminal.print(JSON.stringify(value));
  let loop: string | null = null;
  let announced = 0;
  return (news) => {
    switch (news.type) {
      case "began":
        loop = news.loop.id;
        return;
      case "recorded":
        for (const { seq, at, event } of news.entries)
          print({ loop, seq, at: new Date(at).toISOString(), ...event });
        return;
      case "seen":
        print({ loop, ...news.agentEvent, type: `agent.${news.agentEvent.type}` });
        return;
      case "waiting":
        if (news.until === announced) return;
        announced = news.until;
        print({ loop, type: "waiting", until: new Date(news.until).toISOString(), detail: news.detail });
        return;
      case "unkept":
        print({ loop, ...news });
        return;
      case "uncommitted":
        print({ loop, type: news.type, why: news.why });
        return;
      case "recovered":
      case "launched":
      case "returned":
      case "checking":
      case "checked":
      case "judged":
      case "troubled":
      case "ended":
    }
  };
}

/** What happens to a plan, and on the way to it, a line of JSON each. */
export function workflowJson(terminal: Terminal): (news: WorkflowNews | StageNews) => void {
  return (news) => {
    if (news.type === "attempt-news") return;
    const loop =
      "loop" in news ? { loop: news.loop.id, phase: news.loop.phase, costUsd: news.loop.spend.usd } : {};
    terminal.print(JSON.stringify({ ...news, ...loop }));
  };
}
