import { listed } from "../../listed.ts";
import type { GateItem, Kind, ThoroughReview } from "../../stages/stages.ts";
import { counted } from "../../../system/text/quantities.ts";
import type { Boundary } from "../../stages/work-boundary.ts";
import type { Demand } from "../review/review-question.ts";
import type { Check } from "../../loop/criterion.ts";
import type { Loop } from "../../loop/loop.ts";
import type { Result } from "../../plan/workflow.ts";

/** `weak`: only a model's word supports it, or nothing does. `open`: something refutes it. */
type Judged = Pick<GateItem, "state" | "detail">;
type Line = readonly [name: string, judge: (facts: GateFacts) => Judged];

export const CHECKLISTS: { readonly [Each in Kind]: readonly Line[] } = {
  build: [
    ["runs without errors", runs],
    ["edge cases tried", edgeCases],
    ["dependencies verified", dependencies],
  ],
  debug: [
    ["root cause shown", rootCause],
    ["fix resolves the symptom", symptom],
    ["a guard added", guard],
    ["same class checked", () => weak("nothing the machine can see shows it")],
  ],
  refactor: [
    ["tests unchanged and passing", testsUnchanged],
    ["behaviour identical", sameBehaviour],
    ["nothing orphaned", orphans],
  ],
};

function runs({ checks, tasks, setupFailure }: GateFacts): Judged {
  if (setupFailure !== null) return open(`setup fails: ${setupFailure}`);
  if (checks === null)
    return tasks.every(({ confidence }) => confidence === "verified")
      ? met("each task's own check passed")
      : weak(`not for every task: ${lackingText(tasks)}`);
  if (checks.red.length > 0)
    return open(checks.red.map(({ name, detail }) => `${name} ${detail}`).join("; "));
  return checks.run === 0
    ? weak("there is no check")
    : met(`${counted(checks.run, "check")} passed at the end`);
}

function edgeCases({ changed, mutants }: GateFacts): Judged {
  if (mutants !== null && mutants.tried > 0 && mutants.killed === mutants.tried)
    return met(`${counted(mutants.tried, "mutant")} of changed lines, all noticed`);
  if (changed !== null && changed.testsAdded.length > 0)
    return met(`tests were added: ${named(changed.testsAdded)}`);
  return weak("no test was added");
}

function dependencies({ changed, setupFailure }: GateFacts): Judged {
  if (setupFailure !== null) return open(`they can't be installed: ${setupFailure}`);
  if (changed === null) return weak("without git nobody knows what changed");
  const { manifests, locks } = changed;
  if (manifests.length === 0 && locks.length === 0) return met("none changed");
  if (manifests.length > 0 && locks.length === 0)
    return weak(`${named(manifests)} changed, and no lock file did`);
  return met("installed in a fresh worktree");
}

/** A task is verified only if its check failed without the work, and passes with it. */
function isShown({ tasks }: GateFacts): boolean {
  return tasks.length > 0 && tasks.every(({ confidence }) => confidence === "verified");
}

function rootCause(facts: GateFacts): Judged {
  return isShown(facts)
    ? met("the checks fail without the change, and pass with it")
    : weak(`not for every task: ${lackingText(facts.tasks)}`);
}

function symptom(facts: GateFacts): Judged {
  const passing = runs(facts);
  if (passing.state !== "met") return passing;
  return isShown(facts)
    ? met("failed before, passes now")
    : weak(`not for every task: ${lackingText(facts.tasks)}`);
}

function guard({ changed }: GateFacts): Judged {
  if (changed !== null && changed.testsAdded.length > 0) return met(`tests: ${named(changed.testsAdded)}`);
  return weak("no test was added that would notice it again");
}

/** The tests of the opening were run with the work of each verified task, so a changed test there hides nothing. */
function testsUnchanged(facts: GateFacts): Judged {
  const passing = runs(facts);
  if (passing.state === "open") return passing;
  const { changed } = facts;
  if (changed === null) return weak("without git nobody knows what changed");
  if (changed.testsCut.length === 0) return passing;
  if (isShown(facts)) return met(`the earlier tests pass, too; changed: ${named(changed.testsCut)}`);
  const gone = changed.testsCut.filter((path) => changed.deleted.includes(path));
  if (gone.length > 0) return open(`tests were deleted: ${named(gone)}`);
  return weak(`tests were changed: ${named(changed.testsCut)}`);
}

function sameBehaviour(facts: GateFacts): Judged {
  const { changed } = facts;
  if (changed !== null && changed.testsCut.length === 0 && runs(facts).state === "met")
    return met("the earlier tests pass as they were");
  return isShown(facts) ? met("the earlier tests pass with the work") : weak("no check compares it");
}

function orphans({ changed }: GateFacts): Judged {
  if (changed !== null && changed.deleted.length > 0)
    return weak(`nobody looked for uses of ${named(changed.deleted)}`);
  return weak("nothing the machine can see shows it");
}

const met = (detail: string): Judged => ({ state: "met", detail });
const weak = (detail: string): Judged => ({ state: "weak", detail });
const open = (detail: string): Judged => ({ state: "open", detail });

const MOST_NAMED = 3;
const named = (paths: readonly string[]): string => listed(paths, MOST_NAMED);

/** A check or a must-not that doesn't hold at the tip of the branch. */
export interface Broken {
  readonly name: string;
  readonly detail: string;
  readonly check: Check | null;
}

/** What changed, by what it is. */
export interface ChangedPaths {
  /** Files of tests with added lines. */
  readonly testsAdded: readonly string[];
  /** Files of tests that lost lines, or are gone. */
  readonly testsCut: readonly string[];
  readonly deleted: readonly string[];
  /** Files that say what the project depends on. */
  readonly manifests: readonly string[];
  /** Files that pin it. */
  readonly locks: readonly string[];
}

/** Mutants of changed lines that were tried, and how many of them a check noticed. */
export interface MutantCount {
  readonly tried: number;
  readonly killed: number;
}

/** What the machine knows when every task is done. */
export interface GateFacts {
  readonly kind: Kind;
  readonly tasks: readonly ({ readonly id: string } & Pick<Result, "confidence" | "doubts">)[];
  /** The last review; null: none was asked for, or nobody could be asked. */
  readonly review: ThoroughReview | null;
  /** The commit at the tip; null without git. */
  readonly tip: Loop["start"]["head"];
  /** Every check at the tip; null: they couldn't be run together, and the attempts' own results count. */
  readonly checks: { readonly run: number; readonly red: readonly Broken[] } | null;
  /** Why passing checks may not mean what they meant when the plan began; null: nobody compared them. */
  readonly doubts: readonly string[] | null;
  /** Checks that fail with what defined them before tasks changed it. */
  readonly refuted: readonly Broken[];
  /** `unseen`: how many nobody could look at. `flaky`: those that failed and held on the same files. */
  readonly mustNots: {
    readonly held: number;
    readonly unseen: number;
    readonly violated: readonly Broken[];
    readonly flaky: readonly string[];
  };
  /** The places that the work had to stay in, and what it changed elsewhere; null: without git nobody knows. */
  readonly boundaries: readonly (Pick<Boundary, "words" | "isMustNot"> & {
    readonly outside: readonly string[] | null;
  })[];
  /** What the spec demands in words that no check and no must-not watches. */
  readonly spoken: readonly Pick<Demand, "id" | "text">[];
  /** Why the dependencies can't be installed at the tip; null: they can, or there are none. */
  readonly setupFailure: string | null;
  /** null: without git nobody knows. */
  readonly changed: ChangedPaths | null;
  /** null: none were tried. */
  readonly mutants: MutantCount | null;
}

/** The tasks that aren't verified, each with the first reason: `T-1 is weak: its check is flaky, T-2 is unverified`. */
export function lackingText(tasks: GateFacts["tasks"]): string {
  return tasks
    .filter(({ confidence }) => confidence !== "verified")
    .map(({ id, confidence, doubts }) => `${id} is ${[confidence, ...doubts.slice(0, 1)].join(": ")}`)
    .join(", ");
}
