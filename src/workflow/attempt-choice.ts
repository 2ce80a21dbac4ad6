import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentChoice } from "../run/agent-choice.ts";
import type { AttemptEnvelope } from "./executor.ts";

/** A rehearsal of a plan has a script an attempt: `T-001-2.json`, or `T-001.json` for all of a task's. */
export function attemptChoice(choice: AgentChoice, { task, number }: AttemptEnvelope): AgentChoice {
  if (choice.driver !== "rehearsal" || choice.script === null) return choice;
  const own = join(choice.script, `${task}-${number}.json`);
  return { ...choice, script: existsSync(own) ? own : join(choice.script, `${task}.json`) };
}
