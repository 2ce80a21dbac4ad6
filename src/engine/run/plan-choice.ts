import { join } from "node:path";
import * as v from "valibot";
import type { CommandLine } from "../../core/loop/criterion.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { lockFolder } from "../../storage/home/loop-lock.ts";
import type { AgentChoice } from "./agent-choice.ts";
import { agentSchema } from "./agent-choice.ts";

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

export const GIGABYTE = 1e9;
/** What the worktrees may take where nobody has said. */
export const USUAL_DISK_GIGABYTES = 20;

const texts = v.array(v.string());

const schema = v.object({
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
  writePrivateJson(choicePath(home, root, id), choice);
}

export function lastPlan(home: string, root: string, id: LoopId): PlanChoice | null {
  return readJsonFile(choicePath(home, root, id), schema);
}

function choicePath(home: string, root: string, id: LoopId): string {
  return join(lockFolder({ home, root, loop: id }), "plan.json");
}
