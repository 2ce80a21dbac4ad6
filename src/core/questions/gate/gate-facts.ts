import type { Boundary } from "../../stages/boundary.ts";
import type { Check } from "../../criterion.ts";
import type { Loop } from "../../loop.ts";
import type { ShownTask } from "../../plan/shown-task.ts";
import type { Kind, ThoroughReview } from "../../stages/stages.ts";

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
  readonly tasks: readonly ({ readonly id: string } & ShownTask)[];
  /** The last review; null: none was asked for, or nobody could be asked. */
  readonly review: ThoroughReview | null;
  /** The commit at the tip; null without git. */
  readonly tip: Loop["start"]["head"];
  /** Every check at the tip; null: they couldn't be run together, and the attempts' own results count. */
  readonly checks: { readonly run: number; readonly red: readonly Broken[] } | null;
  /** Why passing checks may not mean what they meant when the plan began; null: nobody compared them. */
  readonly doubts: readonly string[] | null;
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
  readonly unwatched: readonly string[];
  /** Why the dependencies can't be installed at the tip; null: they can, or there are none. */
  readonly setupFailure: string | null;
  /** null: without git nobody knows. */
  readonly changed: ChangedPaths | null;
  /** null: none were tried. */
  readonly mutants: MutantCount | null;
}
