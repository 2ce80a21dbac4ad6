import type { IterationView, SeenProof } from "../../../../views/story/iterations.ts";
import { Output } from "../shown/code.tsx";
import { markColor, ProofGlyph } from "../shown/proof-marks.tsx";
import { proofName } from "../shown/legend.tsx";

const PROOF_WORDS: { readonly [kind: string]: { readonly [result: string]: string } } = {
  judge: { stands: "The original tests pass, too.", fails: "The same work fails with the original tests." },
  revert: { stands: "The tests fail without the work.", fails: "It also passes without the work." },
  counts: { stands: "No fewer tests ran than at the opening." },
  repeat: {
    stands: "Run twice with the same result. A failing test that was put in made it fail, as it should.",
    fails: "The same files gave another result.",
  },
  violation: { stands: "It reports a mistake that was put in." },
  faults: { stands: "Faults in the changed lines are noticed." },
  causes: { stands: "It passes because of the work." },
};

function proofWords({ kind, result, detail }: SeenProof): string {
  const name = (detail ?? "").replace(/^holdout: /, "");
  if (kind === "holdout")
    return result === "stands"
      ? `“${name}” passes with tests that it never saw.`
      : `“${name}” fails with tests that it never saw. It is told that name and nothing else.`;
  const known = PROOF_WORDS[kind]?.[result];
  return result === "stands"
    ? (known ?? detail ?? "stands")
    : known === undefined || detail === null || known.toLowerCase() === `${detail.toLowerCase()}.`
      ? (known ?? detail ?? result)
      : `${known} (${detail})`;
}

/** Where a proof stands for several criteria, one line says it. */
function grouped(proofs: readonly SeenProof[]): readonly SeenProof[] {
  const known = new Set<string>();
  return proofs.filter(({ kind, result, detail }) => {
    const key = `${kind} ${result} ${detail ?? ""}`;
    const isNew = result !== "stands" || !known.has(key);
    known.add(key);
    return isNew;
  });
}

export function ProofSaid({ each, isOpen }: { readonly each: IterationView; readonly isOpen: boolean }) {
  const order = { fails: 0, open: 1, stands: 2 } as const;
  const proofs = grouped(each.proofs).toSorted((one, other) => order[one.result] - order[other.result]);
  const isRed = each.checks.some(({ passed }) => !passed);
  return (
    <div>
      <p class="said-h">The proof said</p>
      {proofs.length === 0 && (
        <p class="dim">
          Not asked.{" "}
          {isRed
            ? each.claimed
              ? "The check contradicts it."
              : "Nothing was claimed."
            : each.claimed
              ? ""
              : "Nothing was claimed."}
        </p>
      )}
      {proofs.map((proof, index) => (
        <div key={index}>
          <p class={`res ${markColor(proof)}`}>
            <ProofGlyph proof={proof} />
            <span>
              <b title={proofName(proof.kind).means}>{proofName(proof.kind).name}</b> {proofWords(proof)}
              {proof.result === "fails" && proof.files.length > 0 && (
                <span class="dim"> Changed: {proof.files.slice(0, 4).join(", ")}</span>
              )}
            </span>
          </p>
          {isOpen && proof.ran !== undefined && (
            <>
              <p class="dimmer mono">
                $ {proof.ran.command} → exit code {proof.ran.exitCode ?? "none"}
              </p>
              <Output text={proof.ran.output} most={16} />
            </>
          )}
        </div>
      ))}
    </div>
  );
}
