import { createHash } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import type { LoopId } from "../core/id.ts";
import type { Loop } from "../core/loop.ts";
import { verificationPlanTexts } from "../core/verification-plan.ts";
import { readJsonFile, writePrivateJson } from "./json-file.ts";

const digests = v.record(v.string(), v.string());

const schema = v.object({
  root: v.string(),
  /** Digests of the verification plans that a person opened or approved on this machine. */
  approved: v.array(v.string()),
  /** Path → digest of the protected files, as last approved. */
  protectedFiles: digests,
  /** Glob of a must-not → path → digest, as at the opening. */
  mustNotFiles: v.record(v.string(), digests),
});

/** What this machine holds a loop to. Outside the project, where a stranger's files and an agent's edits do not reach. */
export type LoopLock = Readonly<v.InferOutput<typeof schema>>;

type Plan = Parameters<typeof verificationPlanTexts>[0];

export function readLock(home: string, id: LoopId): LoopLock | null {
  return readJsonFile(lockPath(home, id), schema);
}

export function writeLock(home: string, id: LoopId, lock: LoopLock): void {
  writePrivateJson(lockPath(home, id), lock);
}

/** A loop is trusted where it was opened or approved, with the very plan that was. */
export function isTrusted(lock: LoopLock | null, root: string, loop: Loop): boolean {
  if (lock === null || lock.root !== root) return false;
  return planDigests(loop).every((digest) => lock.approved.includes(digest));
}

/** Adds a plan to what is approved. Called before the journal says so: a crash between leaves no loop untrusted. */
export function approvePlan(home: string, lock: LoopLock, plan: Plan): LoopLock {
  const missing = planDigests(plan).filter((digest) => !lock.approved.includes(digest));
  if (missing.length === 0) return lock;
  const approved = { ...lock, approved: [...lock.approved, ...missing] };
  writeLock(home, plan.id, approved);
  return approved;
}

function planDigests(plan: Plan): readonly string[] {
  return verificationPlanTexts(plan).map((text) => createHash("sha256").update(text).digest("hex"));
}

function lockPath(home: string, id: LoopId): string {
  return join(home, "loops", `${id}.json`);
}
