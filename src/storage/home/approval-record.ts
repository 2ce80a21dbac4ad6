import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parseLoopId, type LoopId } from "../../core/loop/id.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { verificationPlanTexts } from "../../core/loop/verification-plan.ts";
import { namesIn } from "../../system/files/folders.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { isUnreadable, readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";

const OPENED = "opened.json";

const digests = v.record(v.string(), v.string());
const opened = v.object({
  root: v.string(),
  worktree: v.optional(v.nullable(v.string()), null),
  mustNotFiles: v.record(v.string(), digests),
});

/** A loop as this machine knows it. Its id means something only in its project. */
export interface LocalLoop {
  readonly home: string;
  /** The project's root. */
  readonly root: string;
  readonly loop: LoopId;
}

/** What this machine holds a loop to. Kept outside the project, out of reach of foreign files and an agent's edits. */
export interface ApprovalRecord {
  /** The project's root, where the loop's records are. */
  readonly root: string;
  /** The top folder of another worktree, if the work happens there. */
  readonly worktree: string | null;
  /** Digests of the verification plans that a person opened or approved on this machine. */
  readonly approved: readonly string[];
  /** Path → digest of the protected files, as last approved. */
  readonly protectedFiles: { readonly [path: string]: string };
  /** Glob of a must-not → path → digest, as at the opening. */
  readonly mustNotFiles: { readonly [glob: string]: { readonly [path: string]: string } };
}

type Plan = Parameters<typeof verificationPlanTexts>[0];

/** Whether this machine knows a loop at all. */
export function isLocked(local: LocalLoop): boolean {
  return existsSync(join(approvalFolder(local), OPENED));
}

/**
 * The lock of a loop in its project. A copy of the project elsewhere needs its own approval. A plan is approved before the journal
 * records it, so a loop that this lock doesn't cover may be covered by the next reading.
 */
export function readApproval(local: LocalLoop): ApprovalRecord | null {
  const folder = approvalFolder(local);
  // Before the rest, which is written first: an approval record with a plan's approval has the plan's files too.
  const approved = approvedIn(folder);
  const approval = readJsonFile(join(folder, OPENED), opened);
  if (approval === null || approval.root !== local.root) return null;
  return {
    ...approval,
    approved,
    protectedFiles: readJsonFile(join(folder, "protected.json"), digests) ?? {},
  };
}

/** What this machine holds loops of this name to in other projects, such as this one before it was moved. */
export function approvalsElsewhere({ home, root, loop }: LocalLoop): readonly ApprovalRecord[] {
  return namesIn(join(home, "loops"))
    .filter((name) => name.startsWith(`${loop}.`))
    .flatMap((name) => readJsonFile(join(home, "loops", name, OPENED), opened) ?? [])
    .filter((each) => each.root !== root)
    .flatMap((each) => readApproval({ home, root: each.root, loop }) ?? []);
}

/** Whether there is an approval record that cannot be read: damaged, or without permission. */
export function isApprovalUnreadable(local: LocalLoop): boolean {
  const folder = approvalFolder(local);
  if (isUnreadable(join(folder, OPENED), opened)) return true;
  try {
    readdirSync(join(folder, "approved"));
    return false;
  } catch (error) {
    return errnoOf(error) !== "ENOENT";
  }
}

/** A loop is trusted where it was opened or approved, with exactly that plan. */
export function isTrusted(approval: ApprovalRecord, loop: Loop): boolean {
  if (covered.get(approval) === loop) return true;
  const isCovered = planDigests(loop).every((digest) => approval.approved.includes(digest));
  if (isCovered) covered.set(approval, loop);
  return isCovered;
}

/** Both are values that never change, so the answer for them doesn't either. */
const covered = new WeakMap<ApprovalRecord, Loop>();

export function createApproval(home: string, plan: Plan, approval: Omit<ApprovalRecord, "approved">): void {
  const folder = approvalFolder({ home, root: approval.root, loop: plan.id });
  approvePlan(home, approval.root, plan);
  rememberProtected({ home, root: approval.root, loop: plan.id }, approval.protectedFiles);
  const { root, worktree, mustNotFiles } = approval;
  writePrivateJson(join(folder, OPENED), { root, ...(worktree === null ? {} : { worktree }), mustNotFiles });
}

/**
 * Approves a plan. Called before the journal records it, so a crash in between leaves no loop untrusted. One file per plan, so
 * two approvals at once don't conflict.
 */
export function approvePlan(home: string, root: string, plan: Plan): void {
  const folder = join(approvalFolder({ home, root, loop: plan.id }), "approved");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const digest of planDigests(plan)) {
    try {
      writeFileSync(join(folder, digest), "", { flag: "wx", mode: 0o600 });
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}

/** Globs that are known already keep their files: those are of an earlier moment. */
export function addMustNotFiles(local: LocalLoop, mustNotFiles: ApprovalRecord["mustNotFiles"]): void {
  const path = join(approvalFolder(local), OPENED);
  const known = readJsonFile(path, opened);
  if (known === null) throw new Error(`the lock of ${local.loop} cannot be read`);
  writePrivateJson(path, { ...known, mustNotFiles: { ...mustNotFiles, ...known.mustNotFiles } });
}

/** Called after the journal records it: a crash in between shows the change again and hides nothing. */
export function rememberProtected(local: LocalLoop, files: ApprovalRecord["protectedFiles"]): void {
  writePrivateJson(join(approvalFolder(local), "protected.json"), files);
}

function approvedIn(folder: string): readonly string[] {
  try {
    return readdirSync(join(folder, "approved"));
  } catch {
    return [];
  }
}

function planDigests(plan: Plan): readonly string[] {
  return verificationPlanTexts(plan).map((text) => createHash("sha256").update(text).digest("hex"));
}

/** The loops of a project that have an approval record, whatever is left of them. */
export function loopsApprovedIn(home: string, root: string): readonly LoopId[] {
  const ending = `.${digestOfProject(root)}`;
  return namesIn(join(home, "loops"))
    .filter((name) => name.endsWith(ending))
    .flatMap((name) => parseLoopId(name.slice(0, -ending.length)) ?? []);
}

export function approvalFolder({ home, root, loop }: LocalLoop): string {
  return join(home, "loops", `${loop}.${digestOfProject(root)}`);
}

/** What files of the state home that are about a project are named by. */
export function digestOfProject(root: string): string {
  return createHash("sha256").update(root).digest("hex").slice(0, 16);
}
