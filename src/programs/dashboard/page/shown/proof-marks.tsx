import { CONTRADICTING, type SeenProof } from "../../../../views/story/iterations.ts";
import { Contradicts, Open, Stands, Weak } from "./glyphs.tsx";
import { proofName } from "./legend.tsx";

/** How a proof is marked: only some of those that fail say that the claim is false; the others say how weak it is. */

type Mark = "stands" | "contradicts" | "doubts" | "open";

export function markOf({ kind, result }: Pick<SeenProof, "kind" | "result">): Mark {
  if (result !== "fails") return result;
  return CONTRADICTING.has(kind) ? "contradicts" : "doubts";
}

const MARKS = {
  stands: { color: "c-green", Glyph: Stands, label: "stands" },
  contradicts: { color: "c-red", Glyph: Contradicts, label: "contradicts" },
  doubts: { color: "c-amber", Glyph: Weak, label: "doubts it" },
  open: { color: "c-amber", Glyph: Open, label: "not shown" },
} as const;

export function markColor(proof: Pick<SeenProof, "kind" | "result">): string {
  return MARKS[markOf(proof)].color;
}

export function ProofGlyph({ proof }: { readonly proof: Pick<SeenProof, "kind" | "result"> }) {
  const { Glyph, label } = MARKS[markOf(proof)];
  return <Glyph label={label} />;
}

/** Each kind once, in a row. */
export function Stamps({ proofs }: { readonly proofs: readonly SeenProof[] }) {
  const known = new Map(proofs.map((proof) => [`${proof.kind} ${proof.result}`, proof]));
  return (
    <span class="stamps">
      {[...known.values()].map((proof) => (
        <span
          key={`${proof.kind} ${proof.result}`}
          class={`nowrap ${markColor(proof)}`}
          title={proofName(proof.kind).means}
        >
          <ProofGlyph proof={proof} /> {proofName(proof.kind).name}
        </span>
      ))}
    </span>
  );
}
