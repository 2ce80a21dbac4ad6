import { counted } from "../../system/text/quantities.ts";
import type { IterationView } from "./iterations.ts";

/** What a proof said against a claim whose checks all pass, in words; null: none did. Of hidden tests nobody sees what they print. */
export function proofAgainst(each: Pick<IterationView, "contradiction"> | undefined): string | null {
  const found = each?.contradiction ?? null;
  if (found === null || found.by === "check" || found.by === "must-not") return null;
  const name = found.name === null ? "" : found.name.replace(/^holdout: /, "");
  if (found.by === "holdout")
    return `tests that the agent never saw fail${name === "" ? "" : `, for “${name}”`}`;
  const isSentence = /^\p{Lu}/u.test(found.sentence);
  return `${name === "" ? "" : `“${name}”${isSentence ? ":" : ""} `}${found.sentence}`;
}

/** How far it is. Where a proof contradicts it, the checks pass and yet the criteria aren't met. `against`: what a proof says. */
export function metWords(met: number, total: number, against: string | null): string {
  if (against === null) return `${met} of ${counted(total, "criterion", "criteria")} met`;
  const pass =
    total === 1 ? "The check passes" : total === 2 ? "Both checks pass" : `All ${total} checks pass`;
  return `${pass}, but ${against}`;
}
