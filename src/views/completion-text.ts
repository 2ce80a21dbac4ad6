import { listed } from "../core/listed.ts";
import type { Loop } from "../core/loop/loop.ts";
import { topFrame } from "../core/loop/loop.ts";
import type { ChangedFiles } from "../core/loop/proof.ts";
import { oneLine } from "../system/text/plain-text.ts";
import { nameList } from "./shortened.ts";

export type CompletedLoop = Loop & { readonly phase: "completed" };

const LONGEST_WHY = 300;

/** `verified`, or `weak: nothing notices whether the work is there`. */
export function confidenceText({ confidence, why }: Pick<CompletedLoop, "confidence" | "why">): string {
  return why.length === 0 ? confidence : `${confidence}: ${oneLine(why.join("; "), LONGEST_WHY)}`;
}

/** The completion in one line, for the person beside the agent. */
export function completedLine(loop: CompletedLoop): string {
  const names = topFrame(loop).criteria.map(({ name }) => name);
  return `[LOOP] ✓ done${names.length === 0 ? "" : `: ${nameList(names)}`} (${confidenceText(loop)})`;
}

const KINDS = ["source", "tests", "definitions", "deleted"] as const;

/** The files that differ from the opening, by kind, without empty kinds. */
export function changesByKind(
  changed: ChangedFiles | null,
): readonly { readonly kind: (typeof KINDS)[number]; readonly files: readonly string[] }[] {
  if (changed === null) return [];
  return KINDS.map((kind) => ({ kind, files: changed[kind] })).filter(({ files }) => files.length > 0);
}

/** `Changed: source 3, tests 1, deleted 1 (test/cart.test.js)`: deleted files are named, since nobody can look at them. */
export function changesLine(changed: ChangedFiles | null): readonly string[] {
  const parts = changesByKind(changed).map(({ kind, files }) =>
    kind === "deleted"
      ? `deleted ${files.length} (${fileList(files, MOST_DELETED)})`
      : `${kind} ${files.length}`,
  );
  return parts.length === 0 ? [] : [`Changed: ${parts.join(", ")}`];
}

const MOST_DELETED = 5;

export function fileList(
  files: readonly string[],
  most: number,
  written: (file: string) => string = (file) => oneLine(file, 120),
): string {
  return listed(files.map(written), most);
}
