import type { ComponentChildren } from "preact";
import type { BoardRow } from "../../../../views/board.ts";
import type { SeenProof } from "../../../../views/story/iterations.ts";
import {
  Accepted,
  AtWork,
  Contradicts,
  Cut,
  Died,
  Disputed,
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
export function ProofLegend({ proofs }: { readonly proofs: readonly Pick<SeenProof, "kind" | "result">[] }) {
  const kinds = new Set<string>(proofs.map(({ kind }) => kind));
  const known = Object.keys(PROOFS).filter((kind) => kinds.has(kind));
  if (known.length === 0) return null;
  return (
    <p class="legend kept">
      <span>A proof tries whether a passing check means something:</span>
      {known.map((kind) => (
        <span key={kind}>
          <b>{proofName(kind).name}</b> {proofName(kind).means}
        </span>
      ))}
      <span>
        <Relation agrees /> agrees with what stands left of it
      </span>
      <span>
        <Relation agrees={false} /> contradicts it
      </span>
      {proofs.some(({ result }) => result === "open") && (
        <span>
          <Open /> could not be shown
        </span>
      )}
    </p>
  );
}

/** Beyond them, hardly any mark is new. */
const MOST_EXPLAINED = 200;

const cell = (kind: string) => <span class={`cell ${kind}`} />;

/** `id`: how rows of the home page name it; null: it is in other views only. */
const MARKS: readonly {
  readonly id: string | null;
  readonly mark: ComponentChildren;
  readonly means: string;
}[] = [
  { id: "needs", mark: <Person />, means: "needs you" },
  { id: "died", mark: <Died />, means: "its run died, or it can't be read" },
  { id: "paused", mark: <Paused />, means: "somebody paused it" },
  { id: "at-work", mark: <AtWork />, means: "at work" },
  { id: "waits", mark: <Waits />, means: "waits, and resumes by itself" },
  { id: "verified", mark: <Seal confidence="verified" />, means: "verified: checks and proofs show it" },
  {
    id: "weak",
    mark: <Seal confidence="weak" />,
    means: "weak: checks pass, and a proof is missing or doubts them",
  },
  { id: "unverified", mark: <Seal confidence="unverified" />, means: "unverified: no check shows it" },
  { id: null, mark: <Passed />, means: "a check passed" },
  { id: "not-held", mark: <Failed />, means: "an iteration whose claim was caught, or a check that failed" },
  { id: "no-claim", mark: <NoClaim />, means: "an iteration that claimed nothing" },
  {
    id: "disputed",
    mark: <Disputed />,
    means: "a claim with changed tests: you decide whether they are right, or approved them",
  },
  {
    id: "not-checked",
    mark: <NotAsked />,
    means: "a claim that nobody checked, or a check that wasn't asked",
  },
  { id: "cut", mark: <Cut />, means: "cut off, or cancelled" },
  { id: null, mark: <Stands />, means: "a proof or a gate item stands" },
  { id: null, mark: <Contradicts />, means: "a proof contradicts the check" },
  { id: null, mark: <Open />, means: "not shown" },
  {
    id: null,
    mark: <Relation agrees />,
    means: "the claim and the check, or the check and the proof, agree",
  },
  { id: null, mark: <Relation agrees={false} />, means: "they contradict each other" },
  { id: null, mark: <Warning />, means: "a reviewer's warning" },
  { id: null, mark: <Accepted />, means: "merge accepted" },
  { id: null, mark: <Refused />, means: "merge refused" },
  { id: "cell done", mark: cell("done"), means: "task merged and verified" },
  { id: "cell weak", mark: cell("weak"), means: "task merged on weak evidence" },
  { id: "cell unverified", mark: cell("unverified"), means: "task merged, and no check shows it" },
  {
    id: "cell contradicted",
    mark: cell("contradicted"),
    means: "task merged, and the gate speaks against it",
  },
  { id: "cell failed", mark: cell("failed"), means: "task failed, and no attempt is under way" },
  { id: "cell running", mark: cell("running"), means: "task at work" },
  { id: "cell waiting", mark: cell("waiting"), means: "task waits for a usage limit" },
  { id: "cell merging", mark: cell("merging"), means: "task is merged right now" },
  { id: "cell ready", mark: cell("ready"), means: "task not begun" },
  { id: "cell blocked", mark: cell("blocked"), means: "task waits for others" },
  { id: "cell stopped", mark: cell("stopped"), means: "task stopped" },
  { id: "cell skipped", mark: cell("skipped"), means: "task left out" },
  { id: "cell given-up", mark: cell("given-up"), means: "task given up" },
];

/** The marks that rows of the home page have. */
function marksOf({ group, needs, phase, strip, plan, confidence, waitsUntil }: BoardRow): readonly string[] {
  const own =
    group === "running"
      ? waitsUntil === null
        ? "at-work"
        : "waits"
      : group === "finished"
        ? phase === "cancelled"
          ? "cut"
          : (confidence ?? "unverified")
        : needs?.kind === "paused"
          ? "paused"
          : ["died", "unreadable"].includes(needs?.kind ?? "")
            ? "died"
            : "needs";
  const cells = (plan?.cells ?? []).map((each) => `cell ${each}`);
  return [own, ...cells, ...(plan === null && group !== "needs" && own !== "waits" ? strip : [])];
}

/** What the marks on screen mean. */
export function HomeLegend({ rows }: { readonly rows: readonly BoardRow[] }) {
  const seen = new Set(rows.slice(0, MOST_EXPLAINED).flatMap(marksOf));
  return (
    <p class="legend kept marks" aria-label="what the marks mean">
      {MARKS.filter(({ id }) => id !== null && seen.has(id)).map(({ id, mark, means }) => (
        <span key={id}>
          {mark} {means}
        </span>
      ))}
    </p>
  );
}

export function MarkLegend() {
  return (
    <>
      <h2>Marks</h2>
      <dl class="keys">
        {MARKS.map(({ mark, means }) => (
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
