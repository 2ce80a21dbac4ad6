import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Check, Evidence } from "../../core/loop/criterion.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import type { CommandOutcome, Ending } from "../../system/process/run-command.ts";
import { printedText } from "../../system/text/plain-text.ts";
import type { CheckSite } from "./check-site.ts";

const TAIL_LENGTH = 4_000;

export type EvidenceOnTree = Pick<Evidence, "treeDigest" | "protectedDigest" | "alteredTree">;

export function evidenceOf(
  check: Check,
  outcome: CommandOutcome,
  site: CheckSite,
  tree: EvidenceOnTree,
): Evidence {
  const { ending } = outcome;
  const passed = ending.type === "exited" && ending.code === 0;
  return {
    passed,
    command: describeCheck(check),
    exitCode: ending.type === "exited" ? ending.code : null,
    ending: describeEnding(ending),
    outputTail: printedText(outcome.output).slice(-TAIL_LENGTH),
    outputDigest: createHash("sha256").update(outcome.output).digest("hex"),
    outputFile: keepOutput(site.evidenceFolder, outcome.output),
    durationMs: outcome.durationMs,
    withheld: passed ? [] : outcome.withheld,
    at: site.now(),
    ...tree,
  };
}

export function describeEnding(ending: Ending): string {
  switch (ending.type) {
    case "exited":
      return ending.code === 0 ? "passed" : `failed with exit code ${ending.code}`;
    case "signalled":
      return `was ended by ${ending.signal}`;
    case "timed-out":
      return `did not finish within ${ending.limitMs / 1000} s`;
    case "not-started":
      return `could not start: ${ending.message}`;
    case "aborted":
      return "was interrupted";
  }
}

/** Not recursive: a deleted loop folder is not created again. */
function keepOutput(folder: string | null, output: string): string | null {
  if (folder === null) return null;
  const name = `${Date.now().toString(36)}-${randomBytes(4).toString("hex")}.txt`;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // it exists, or its parent doesn't; the write will tell
  }
  try {
    writeFileSync(join(folder, name), output, { mode: 0o600 });
    return name;
  } catch {
    return null;
  }
}
