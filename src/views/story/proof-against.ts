import type { IterationView } from "./iterations.ts";

/** What a proof said against a claim whose checks all pass, in words; null: none did. Of hidden tests nobody sees what they print. */
export function proofAgainst(each: Pick<IterationView, "contradiction"> | undefined): string | null {
  const found = each?.contradiction ?? null;
  if (found === null || found.by === "check" || found.by === "must-not") return null;
  const name = found.name === null ? "" : found.name.replace(/^holdout: /, "");
  if (found.by === "holdout")
    return `${name === "" ? "it" : `“${name}”`} fails with tests that the agent never saw`;
  return `${name === "" ? "" : `“${name}” `}${found.sentence}`;
}
