import type { LoopEvent } from "../../../core/events/event.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import type { Fact } from "./lessons-of.ts";

const TOOK_OVER = 0.6;
/** It says more about that day than about the project. */
const LIMITED = 0.3;

/** Which agents worked on it, in whose place, and which met a usage limit. */
export function ofAgents(loop: Loop, events: readonly LoopEvent[]): readonly Fact[] {
  const agents: string[] = [];
  const limited = new Set<string>();
  for (const event of events) {
    if (event.type === "run.began" || event.type === "attempt.started") {
      const agent = oneLine(event.type === "run.began" ? event.driver : event.agent, 40);
      if (agents.at(-1) !== agent) agents.push(agent);
    }
    if (event.type === "usage-limit.met") limited.add(agents.at(-1) ?? "the agent");
    if (event.type === "agent.limited") limited.add(oneLine(event.agent, 40));
  }
  const [first, ...others] = agents;
  const last = others.at(-1);
  const isTakenOver = loop.phase === "completed" && last !== undefined && last !== first;
  return [
    ...(isTakenOver ? [delegation(`${last} took over from ${first} and completed it.`, TOOK_OVER)] : []),
    ...[...limited].map((agent) => delegation(`${agent} met its usage limit on this work.`, LIMITED)),
  ];
}

function delegation(text: string, confidence: number): Fact {
  return { kind: "delegation", text, confidence };
}
