import type { Criterion, CriterionStatus, Standard, VerificationType } from "../core/loop/criterion.ts";
import type { Actor } from "../core/events/event.ts";
import { attributionOf, describeCheck, isCurrent, isVoid, statusOf } from "../core/loop/criterion.ts";
import type { Proof } from "../core/loop/proof.ts";

/** One criterion as `loop status --json` prints it. Names are public. */
export interface CriterionView {
  readonly name: string;
  readonly status: CriterionStatus;
  /** What the status rests on: `check`, a verification type, or null. */
  readonly verification: VerificationType | null;
  /** Who attested it; null if nobody did. */
  readonly attestedBy: Actor | null;
  readonly check: string | null;
  readonly attribution: string | null;
  readonly alreadyTrue: boolean;
  readonly void: boolean;
  readonly evidence: EvidenceView | null;
  /** What the proofs showed beyond the evidence, at the same stop. */
  readonly proofs: readonly ProofView[];
}

export interface ProofView {
  readonly kind: Proof["kind"];
  readonly result: Proof["result"];
  readonly detail: string | null;
}

export function proofView({ kind, result, detail }: Proof): ProofView {
  return { kind, result, detail };
}

interface EvidenceView {
  readonly command: string;
  readonly exitCode: number | null;
  readonly ending: string;
  readonly outputTail: string;
  readonly treeDigest: string | null;
  readonly durationMs: number;
  readonly at: string;
  readonly current: boolean;
}

export function criterionView(criterion: Criterion, standard: Standard): CriterionView {
  const { name, check, evidence, attestation } = criterion;
  return {
    name,
    status: statusOf(criterion, standard),
    verification: check === null ? (attestation?.by ?? null) : evidence === null ? null : "execution output",
    attestedBy: check === null ? (attestation?.actor ?? null) : null,
    check: check === null ? null : describeCheck(check),
    attribution: attributionOf(criterion),
    alreadyTrue: criterion.passedAtStart === true,
    void: evidence !== null && isVoid(evidence, standard),
    evidence:
      evidence === null
        ? null
        : {
            command: evidence.command,
            exitCode: evidence.exitCode,
            ending: evidence.ending,
            outputTail: evidence.outputTail,
            treeDigest: evidence.treeDigest,
            durationMs: evidence.durationMs,
            at: new Date(evidence.at).toISOString(),
            current: isCurrent(evidence, standard),
          },
    proofs: criterion.proofs.map(proofView),
  };
}
