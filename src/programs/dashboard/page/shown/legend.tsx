import type { ComponentChildren } from "preact";
import {
  Accepted,
  AtWork,
  Contradicts,
  Cut,
  Died,
  Failed,
  NoClaim,
  NotAsked,
  Open,
  Passed,
  Paused,
  Person,
  Refused,
  Relation,
  Seal,
  Stands,
  Waits,
  Warning,
} from "./glyphs.tsx";

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
  [<Person />, "needs you"],
  [<Died />, "its run died, or it can't be read"],
  [<Paused />, "somebody paused it"],
  [<AtWork />, "at work"],
  [<Waits />, "waits, and goes on by itself"],
  [<Seal confidence="verified" />, "verified: checks and proofs show it"],
  [<Seal confidence="weak" />, "weak: checks pass, and a proof is missing or doubts them"],
  [<Seal confidence="unverified" />, "unverified: no check shows it"],
  [<Passed />, "a check passed"],
  [<Failed />, "a check failed; in a strip, an iteration whose claim did not hold"],
  [<NotAsked />, "not asked"],
  [<NoClaim />, "an iteration that claimed nothing"],
  [<Cut />, "cut off, or cancelled"],
  [<Stands />, "a proof or a gate item stands"],
  [<Contradicts />, "a proof contradicts the check"],
  [<Open />, "not shown"],
  [<Relation agrees />, "the claim and the check, or the check and the proof, agree"],
  [<Relation agrees={false} />, "they contradict each other"],
  [<Warning />, "a reviewer's warning"],
  [<Accepted />, "merge accepted"],
  [<Refused />, "merge refused"],
  [cell("done"), "task merged and verified"],
  [cell("weak"), "task merged on weak evidence"],
  [cell("unverified"), "task merged, and no check shows it"],
  [cell("running"), "task at work"],
  [cell("merging"), "task is merged right now"],
  [cell("ready"), "task not begun"],
  [cell("blocked"), "task waits for others"],
  [cell("stopped"), "task stopped"],
  [cell("skipped"), "task left out"],
  [cell("given-up"), "task given up"],
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
