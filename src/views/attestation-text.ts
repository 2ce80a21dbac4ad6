import type { Attestation } from "../core/loop/criterion.ts";

/** Who attested, and how they know: `a person's observation`, `the agent's code review`. */
export function attestationText({ by, actor }: Pick<Attestation, "by" | "actor">): string {
  return `${actor === "person" ? "a person's" : "the agent's"} ${by}`;
}
