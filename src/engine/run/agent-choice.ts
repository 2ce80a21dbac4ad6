import * as v from "valibot";
import type { LoopId } from "../../core/loop/id.ts";
import { DRIVER_IDS } from "../../agents/drivers/driver.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { join } from "node:path";
import { lockFolder } from "../../storage/home/loop-lock.ts";
import type { CommandLine } from "../../core/loop/criterion.ts";

const text = v.nullable(v.string());

const agentSchema = v.object({
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

export const GIGABYTE = 1e9;
/** What the worktrees may take where nobody has said. */
export const USUAL_DISK_GIGABYTES = 20;

/** How a plan is worked on, besides by which agent. */
export interface PlanChoice {
  /** How many attempts at once; null: as many as the plan says. */
  readonly parallel: number | null;
  /** Commands that prepare each worktree; null: what the project's lock files ask for. */
  readonly setup: readonly CommandLine[] | null;
  /** Ignored files that each worktree gets a copy of. */
  readonly copies: readonly string[];
  /** Who works on while the chosen agent waits for a usage limit. */
  readonly fallbacks: readonly AgentChoice[];
  /** What the worktrees of the project's attempts may take on the disk together. */
  readonly diskBytes: number;
}

const texts = v.array(v.string());

const planSchema = v.object({
  parallel: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))), null),
  setup: v.nullable(
    v.array(
      v.variant("kind", [
        v.object({ kind: v.literal("shell"), line: v.string() }),
        v.object({ kind: v.literal("argv"), argv: v.tupleWithRest([v.string()], v.string()) }),
      ]),
    ),
  ),
  copies: texts,
  fallbacks: v.array(agentSchema),
  diskBytes: v.pipe(v.number(), v.finite(), v.gtValue(0)),
});

/** Kept where the choice of agent is, and for the same reason. */
export function rememberPlan(home: string, root: string, id: LoopId, choice: PlanChoice): void {
  writePrivateJson(planPath(home, root, id), choice);
}

export function lastPlan(home: string, root: string, id: LoopId): PlanChoice | null {
  return readJsonFile(planPath(home, root, id), planSchema);
}

function planPath(home: string, root: string, id: LoopId): string {
  return join(lockFolder({ home, root, loop: id }), "plan.json");
}
