import type { Proof } from "../core/loop/proof.ts";

/** The proofs behind a passing check: `proofs: judge, counts, repeat`. */
export function standingProofs(proofs: readonly Pick<Proof, "kind" | "result">[]): readonly string[] {
  const kinds = proofs.filter(({ result }) => result === "stands").map(({ kind }) => kind);
  return kinds.length === 0 ? [] : [`proofs: ${kinds.join(", ")}`];
}

/** The proofs that failed or stayed open. */
export function doubtsOf(proofs: readonly Pick<Proof, "kind" | "result">[]): readonly string[] {
  const open = proofs.filter(({ result }) => result === "open").map(({ kind }) => kind);
  const failed = proofs.filter(({ result }) => result === "fails").map(({ kind }) => DOUBTS[kind]);
  return [...failed, ...(open.length === 0 ? [] : [`not shown: ${open.join(", ")}`])];
}

const DOUBTS: { readonly [Kind in Proof["kind"]]: string } = {
  judge: "fails with the tests and definitions of the opening",
  revert: "also passes without the work",
  counts: "tests are missing",
  repeat: "flaky",
  holdout: "fails",
};
