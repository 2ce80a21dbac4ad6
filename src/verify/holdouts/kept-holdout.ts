import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { Check } from "../../core/loop/criterion.ts";
import { isFolderBelowRoot, pathBelow } from "../../core/loop/folder.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { UserError } from "../../core/user-error.ts";
import { copyFiles, readCopy } from "../baseline/kept-files.ts";
import type { WhichLoop } from "../baseline/baseline-record.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import { brokenText } from "../definitions/injecting/broken-text.ts";
import { approvalFolder } from "../../storage/home/approval-record.ts";
import { MOST_BYTES, type NamedHoldoutCheck, type FoundHoldout } from "./look-at-holdout.ts";

/** What a loop's claims are tested with, and its agent never sees. `unknown`: its content is lost. */
export type KeptHoldout =
  | { readonly type: "unknown" }
  | {
      readonly type: "kept";
      /** The folder, below the worktree's root, that its files are laid over and its own checks run in. */
      readonly over: string;
      readonly checks: readonly NamedHoldoutCheck[] | null;
    };

const check: v.GenericSchema<unknown, Check> = v.object({
  command: v.variant("kind", [
    v.object({ kind: v.literal("shell"), line: v.string() }),
    v.object({ kind: v.literal("argv"), argv: v.tupleWithRest([v.string()], v.string()) }),
  ]),
  timeoutMs: v.number(),
  passEnv: v.array(v.string()),
});

const schema: v.GenericSchema<unknown, KeptHoldout> = v.variant("type", [
  v.object({ type: v.literal("unknown") }),
  v.object({
    type: v.literal("kept"),
    // Earlier ones are the whole project's.
    over: v.optional(v.pipe(v.string(), v.check(isFolderBelowRoot)), ""),
    checks: v.nullable(v.array(v.object({ name: v.string(), check }))),
  }),
]);

const PLAN = "plan.json";

/** Copies it next to the loop's approval record, outside the project. From then on only the copy counts. `found`: null if unknown. */
export async function keepHoldout(which: WhichLoop, found: FoundHoldout | null): Promise<void> {
  if (found !== null) await copyHoldout(which, found);
  const kept: KeptHoldout =
    found === null ? { type: "unknown" } : { type: "kept", over: found.over, checks: found.checks };
  writePrivateJson(join(holdoutFolder(which), PLAN), kept);
}

async function copyHoldout(which: WhichLoop, { folder: root, paths }: FoundHoldout): Promise<void> {
  const folder = filesOf(which);
  if (!(await copyFiles({ root, paths, folder, mostBytes: MOST_BYTES })))
    throw new UserError("The holdout grew while it was read; try again.");
}

/** null: nothing is held out. */
export function readHoldout(which: WhichLoop): KeptHoldout | null {
  const folder = holdoutFolder(which);
  if (!existsSync(folder)) return null;
  return readJsonFile(join(folder, PLAN), schema) ?? { type: "unknown" };
}

/** How long its own checks may take, one after the other. */
export function holdoutTime(which: WhichLoop): number {
  const kept = readHoldout(which);
  const checks = kept?.type === "kept" ? (kept.checks ?? []) : [];
  return checks.reduce((sum, { check: { timeoutMs } }) => sum + timeoutMs + 2_000, 0);
}

/** By their paths below the worktree's root. Throws when they are not whole any more. */
export async function readHoldoutFiles(which: WhichLoop): Promise<readonly ReplacedFile[]> {
  const kept = readHoldout(which);
  if (kept?.type !== "kept") throw new Error("what was held out cannot be read");
  const copy = await readCopy(filesOf(which));
  const files = await copy.read(new Set(copy.listing.keys()));
  return [...files].map(([path, file]) => ({ path: pathBelow(kept.over, path), ...file }));
}

/** The same files with nothing in them that could run: what passes with these, too, looks at none of them. */
export function brokenHoldout(files: readonly ReplacedFile[]): readonly ReplacedFile[] {
  return files.map((file) => ({
    ...file,
    content: Buffer.from(brokenText(file.content?.toString("utf8") ?? "")),
  }));
}

/** Writes the last result of a holdout for a person to read. What was deleted stays deleted. */
export function noteHoldoutRun(which: WhichLoop, number: number, text: string): void {
  try {
    writeAtomically(join(holdoutFolder(which), `last-run-${number}.txt`), text, { mode: 0o600 });
  } catch {
    // It doesn't affect any decision.
  }
}

/** Where it is kept, with its last output. */
export function holdoutFolder({ home, root, id }: WhichLoop): string {
  return join(approvalFolder({ home, root, loop: id }), "holdout");
}

function filesOf(which: WhichLoop): string {
  return join(holdoutFolder(which), "files");
}
