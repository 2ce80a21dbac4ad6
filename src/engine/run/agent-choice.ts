import * as v from "valibot";
import type { LoopId } from "../../core/loop/id.ts";
import { DRIVER_IDS } from "../../agents/drivers/driver.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { join } from "node:path";
import { lockFolder } from "../../storage/home/loop-lock.ts";

const text = v.nullable(v.string());

export const agentSchema = v.object({
  driver: v.picklist(DRIVER_IDS),
  model: text,
  permissionMode: text,
  /** Missing in choices stored by earlier versions. */
  allow: v.optional(v.array(v.string()), []),
  args: v.array(v.string()),
  /** Each iteration starts with a clean context. */
  fresh: v.boolean(),
  /** The command line of driver `command`. */
  command: text,
  /** The script of driver `rehearsal`. */
  script: text,
  /** How many agents of its own it may run at once; null: as many as it likes. Missing in choices of earlier versions. */
  subagents: v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))), null),
  hangLimitMs: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  /** Who reviews, if it isn't the agent that works. */
  reviewer: v.nullish(v.object({ driver: v.picklist(DRIVER_IDS), model: text })),
});

/** Which agent works on a loop, and how it is started. */
export type AgentChoice = Readonly<Omit<v.InferOutput<typeof agentSchema>, "allow" | "args">> & {
  readonly allow: readonly string[];
  readonly args: readonly string[];
};

/** Plays a script instead of asking an agent. */
export function rehearsalOf(script: string): AgentChoice {
  return {
    driver: "rehearsal",
    model: null,
    permissionMode: null,
    allow: [],
    args: [],
    fresh: false,
    command: null,
    script,
    subagents: null,
    hangLimitMs: 60_000,
  };
}

/** Kept outside the project, because it names programs to run, and a repository must not choose those. */
export function rememberAgent(home: string, root: string, id: LoopId, choice: AgentChoice): void {
  writePrivateJson(choicePath(home, root, id), choice);
}

export function lastAgent(home: string, root: string, id: LoopId): AgentChoice | null {
  return readJsonFile(choicePath(home, root, id), agentSchema);
}

function choicePath(home: string, root: string, id: LoopId): string {
  return join(lockFolder({ home, root, loop: id }), "agent.json");
}
