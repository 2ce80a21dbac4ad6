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

/** The lock of a loop in its place: a copy of the project elsewhere is another one, and has to be approved itself. */
export function readLock(home: string, root: string, id: LoopId): LoopLock | null {
  const lock = readJsonFile(lockPath(home, root, id), schema);
  return lock?.root === root ? lock : null;
}

/** A loop is trusted where it was opened or approved, with the very plan that was. */
export function isTrusted(lock: LoopLock, loop: Loop): boolean {
  return planDigests(loop).every((digest) => lock.approved.includes(digest));
}

export function createLock(home: string, plan: Plan, lock: Omit<LoopLock, "approved">): void {
  writePrivateJson(lockPath(home, lock.root, plan.id), { ...lock, approved: planDigests(plan) });
}

/** Adds a plan to what is approved. Called before the journal says so: a crash between leaves no loop untrusted. */
export function approvePlan(home: string, root: string, plan: Plan): void {
  changeLock(home, root, plan.id, (lock) => ({
    ...lock,
    approved: [...new Set([...lock.approved, ...planDigests(plan)])],
  }));
}

/** Called after the journal says so: a crash between shows the change once more, and hides none. */
export function rememberProtected(
  home: string,
  root: string,
  id: LoopId,
  files: LoopLock["protectedFiles"],
): void {
  changeLock(home, root, id, (lock) => ({ ...lock, protectedFiles: files }));
}

/** On the lock as it is now, not as somebody read it before. */
function changeLock(home: string, root: string, id: LoopId, change: (lock: LoopLock) => LoopLock): void {
  const lock = readLock(home, root, id);
  if (lock === null) throw new Error(`the loop ${id} has no lock`);
  writePrivateJson(lockPath(home, root, id), change(lock));
}

function planDigests(plan: Plan): readonly string[] {
  return verificationPlanTexts(plan).map((text) => createHash("sha256").update(text).digest("hex"));
}

function lockPath(home: string, root: string, id: LoopId): string {
  const place = createHash("sha256").update(root).digest("hex").slice(0, 16);
  return join(home, "loops", `${id}.${place}.json`);
}
