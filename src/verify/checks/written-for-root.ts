import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Check, Evidence } from "../../core/loop/criterion.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { namesIn } from "./cannot-run.ts";

const LONGEST_NAME = 80;

/**
 * Why a check fails that was written for the project's root and runs in a folder below it: it names a file that only the root has, and
 * its output does, too. null: that isn't why.
 */
export function writtenForRoot(
  { root, cwd }: { readonly root: string; readonly cwd: string },
  { command }: Pick<Check, "command">,
  { passed, outputTail }: Pick<Evidence, "passed" | "outputTail">,
): string | null {
  if (passed || cwd === root) return null;
  const missing = namesIn(command)
    .filter((name) => !name.startsWith("/") && !name.split("/").includes(".."))
    .find(
      (name) => outputTail.includes(name) && existsSync(join(root, name)) && !existsSync(join(cwd, name)),
    );
  if (missing === undefined) return null;
  return `${oneLine(relative(root, cwd), LONGEST_NAME)} has no ${oneLine(missing, LONGEST_NAME)}, but the project's root has it: start there`;
}
