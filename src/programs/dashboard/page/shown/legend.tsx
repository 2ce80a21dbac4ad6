import type { ComponentChildren } from "preact";
import { AtWork, Contradicts, Cut, Failed, NoClaim, Open, Relation, Seal, Stands, Weak } from "./glyphs.tsx";

/** What the names of proofs and the marks mean. */

interface ProofName {
  readonly name: string;
  readonly means: string;
}

/** By the stored name. */
const PROOFS: { readonly [kind: string]: ProofName } = {
  judge: { name: "original tests", means: "the work also passes the tests as they were at the opening" },
  revert: { name: "revert", means: "the tests fail without the work" },
  counts: { name: "counts", means: "no fewer tests ran than at the opening" },
  repeat: { name: "repeat", means: "the same files give the same result again" },
  violation: { name: "violation", means: "the check reports a mistake that was put in" },
  faults: { name: "faults", means: "the checks notice small faults put into the changed lines" },
  causes: { name: "causes", means: "the check passes because of the files the work is about" },
  holdout: { name: "holdout", means: "tests that the agent never saw pass, too" },
};

export function proofName(kind: string): ProofName {
  return PROOFS[kind] ?? { name: kind, means: "" };
}

/** One line for each proof that is named nearby. */
export function ProofLegend({ kinds }: { readonly kinds: readonly string[] }) {
  const known = Object.keys(PROOFS).filter((kind) => kinds.includes(kind));
  if (known.length === 0) return null;
  return (
    <p class="legend kept">
      <span>A proof tries whether a passing check means something:</span>
      {known.map((kind) => (
        <span key={kind}>
          <b>{proofName(kind).name}</b> {proofName(kind).means}
        </span>
      ))}
    </p>
  );
}

const cell = (kind: string) => <span class={`cell ${kind}`} />;

const MARKS: readonly (readonly [ComponentChildren, string])[] = [
  [<Seal confidence="verified" />, "verified: checks and proofs show it"],
  [<Seal confidence="weak" />, "weak: checks pass, and a proof is missing or doubts them"],
  [<Seal confidence="unverified" />, "unverified: no check shows it"],
  [<Failed />, "in a strip: an iteration whose claim did not hold; elsewhere: a check failed"],
  [<NoClaim />, "an iteration that claimed nothing"],
  [<Cut />, "an iteration that was cut off"],
  [<AtWork />, "at work"],
  [cell("done"), "task merged and verified"],
  [cell("weak"), "task merged on weak evidence"],
  [cell("unverified"), "task merged, and no check shows it"],
  [cell("running"), "task at work"],
  [cell("ready"), "task not begun"],
  [cell("stopped"), "task stopped or left out"],
  [cell("given-up"), "task given up"],
  [<Stands />, "a proof or a gate item stands"],
  [<Contradicts />, "a proof contradicts the check"],
  [<Open />, "not shown"],
  [<Weak />, "beside a proof: it doubts the check"],
  [<Relation agrees />, "the claim and the check, or the check and the proof, agree"],
  [<Relation agrees={false} />, "they contradict each other"],
];

export function MarkLegend() {
  return (
    <>
      <h2>Marks</h2>
      <dl class="keys">
        {MARKS.map(([mark, means]) => (
          <>
            <dt aria-hidden="true">{mark}</dt>
            <dd>{means}</dd>
          </>
        ))}
      </dl>
      <h2>Proofs</h2>
      <dl class="keys">
        {Object.values(PROOFS).map(({ name, means }) => (
          <>
            <dt class="b">{name}</dt>
            <dd>{means}</dd>
          </>
        ))}
      </dl>
    </>
  );
}
