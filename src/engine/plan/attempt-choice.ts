import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentChoice } from "../run/agent-choice.ts";
import type { AttemptEnvelope } from "./executor.ts";

/** Several attempts run at once, and each may start agents of its own. */
const SUBAGENTS = 3;

/** A rehearsal of a plan has a script an attempt: `T-001-2.json`, or `T-001.json` for all of a task's. */
export function attemptChoice(chosen: AgentChoice, { task, number }: AttemptEnvelope): AgentChoice {
  const choice = { ...chosen, subagents: chosen.subagents ?? SUBAGENTS };
  if (choice.driver !== "rehearsal" || choice.script === null) return choice;
  const own = join(choice.script, `${task}-${number}.json`);
  return { ...choice, script: existsSync(own) ? own : join(choice.script, `${task}.json`) };
}
