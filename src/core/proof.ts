/** How much has to be shown before a loop completes: weak evidence is told, or holds; `off` shows nothing beyond the checks. */
export const PROOF_MODES = ["standard", "strict", "off"] as const;
export type ProofMode = (typeof PROOF_MODES)[number];

/**
 * What shows that a passing check means something.
 * - `judge`: the work with the tests and definitions of the opening.
 * - `revert`: the tests with the source of the opening, which has to fail.
 * - `counts`: no fewer tests are executed than at the opening.
 * - `repeat`: the same files, once more.
 * - `holdout`: tests that the agent has never seen.
 */
export const PROOF_KINDS = ["judge", "revert", "counts", "repeat", "holdout"] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** It stands; it contradicts what the check shows; or it could not be had. */
export const PROOF_RESULTS = ["stands", "fails", "open"] as const;

export interface Proof {
  readonly kind: ProofKind;
  readonly result: (typeof PROOF_RESULTS)[number];
  /** What was seen, in a sentence; null where the result says it all. */
  readonly detail: string | null;
  /** The changed files that it is about; of the opening's judge. */
  readonly files: readonly string[];
}

/**
 * How a check stood before the work. `unrun`: it failed before it came to what it is about, such as at a missing module.
 * `unknown`: nobody looked, or the files changed meanwhile.
 */
export type Before = "red" | "unrun" | "green" | "unknown";

/** A file, or a part of one, that says what a check means and is not as it was at the opening. */
export interface DefinitionChanged {
  /** `test/cart.test.js`, or `scripts.test in package.json`. */
  readonly name: string;
  readonly path: string;
  readonly isTest: boolean;
  readonly change: "added" | "changed" | "removed";
  /** The user said that it may change. */
  readonly isExempt: boolean;
}

/** What became of one check since its opening. */
export interface CheckChanges {
  readonly before: Before;
  readonly definitions: readonly DefinitionChanged[];
  /** What the report of its tests lacks, compared with the opening's; null where tests are not reported. */
  readonly shortfalls: readonly Shortfall[] | null;
  /** It changes the project's files each time it runs, so that another run would judge other files. */
  readonly altersFiles: boolean;
}

export interface Shortfall {
  readonly text: string;
  /** It cannot be explained by chance or by another way of reporting. */
  readonly isClear: boolean;
  /** Only the number of tests differs, which other tests explain. */
  readonly isOfNumbers: boolean;
}

/** The files that differ from the opening, by what they are. A deleted one is told as that alone. */
export interface ChangedFiles {
  readonly source: readonly string[];
  readonly tests: readonly string[];
  readonly definitions: readonly string[];
  readonly deleted: readonly string[];
}

/** What became of a frame's checks and of the project's files since the opening. */
export interface Changes {
  /** Why there is no opening to compare with; null where there is one. */
  readonly missing: string | null;
  readonly checks: ReadonlyMap<string, CheckChanges>;
  /** null: they cannot be told. */
  readonly files: ChangedFiles | null;
  /** Whether source changed, and not only prose: a check that turned green without that has other reasons. */
  readonly isWorkThere: boolean;
}

/** A proof of one criterion; of the whole frame where the name is null. */
export interface ShownProof extends Proof {
  readonly name: string | null;
  /** What the run printed last, for the agent to see; null where it is not to be seen. */
  readonly output: string | null;
}

/** Everything that was looked at beyond the checks. */
export interface Proven {
  readonly changes: Changes;
  readonly shown: readonly ShownProof[];
  /** Names of tests that the agent has never seen, which were there to be run. */
  readonly holdouts: readonly string[];
}
