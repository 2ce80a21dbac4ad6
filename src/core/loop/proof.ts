/** How much a completion has to prove: weak evidence is reported (`standard`) or holds (`strict`); `off` asks only for the checks. */
export const PROOF_MODES = ["standard", "strict", "off"] as const;
export type ProofMode = (typeof PROOF_MODES)[number];

/** What shows that a passing check means something; and what a person reads of one that failed. */
export const FAILED_PROOFS = {
  /** The work with the original tests. */
  judge: "fails with the original tests",
  /** The tests with the source of the opening, which have to fail. */
  revert: "also passes without the work",
  /** No fewer tests are executed than at the opening. */
  counts: "tests are missing",
  /** The same files, once more. */
  repeat: "flaky",
  /** Tests that the agent has never seen. */
  holdout: "fails",
  /** A mistake put into the files that a linter, a type checker or a build sees, which it has to report. */
  violation: "misses a mistake",
  /** Small faults in the changed lines, which some check has to notice. */
  faults: "misses faults in the changed lines",
  /** The changed files without which a check fails; they have to be those that the work is about. */
  causes: "passes because of other files",
} as const;
export type ProofKind = keyof typeof FAILED_PROOFS;

/** What stays unknown about a check where a proof could not be obtained. */
export const OPEN_PROOFS: { readonly [Kind in ProofKind]: string } = {
  judge: "whether the original tests pass",
  revert: "whether it fails without the work",
  counts: "whether its tests mean what they meant at the start",
  repeat: "whether it can still fail",
  holdout: "whether the hidden tests pass",
  violation: "whether it reports a mistake",
  faults: "whether it notices a fault in the changed lines",
  causes: "which change makes it pass",
};
export const PROOF_KINDS = Object.keys(FAILED_PROOFS) as readonly ProofKind[];

/** Why no fault was put in where linters, type checkers and searches are all there is. */
export const NOTHING_EXECUTES = "no check executes the work";

/** It stands, it contradicts the check, or it could not be obtained. */
export const PROOF_RESULTS = ["stands", "fails", "open"] as const;

export interface Proof {
  readonly kind: ProofKind;
  readonly result: (typeof PROOF_RESULTS)[number];
  /** What was seen, in a sentence; null if the result says it all. */
  readonly detail: string | null;
  /** The changed files it is about; only for the opening's judge and for causes. */
  readonly files: readonly string[];
  /** What ran for it and failed; left out where nothing did, and of what the agent must not see. */
  readonly ran?: ProofRan;
}

/** The command behind a proof, and the end of what it printed. */
export interface ProofRan {
  readonly command: string;
  /** null: it did not exit by itself. */
  readonly exitCode: number | null;
  readonly output: string;
}

/**
 * The result of a check before the work. `unrun`: it failed before it reached its subject, for example at a missing module.
 * `unknown`: it didn't run, or the files changed meanwhile.
 */
export type Before = "red" | "unrun" | "green" | "unknown";

/** A file, or a part of one, that defines a check and changed since the opening. */
export interface DefinitionChanged {
  /** `test/cart.test.js`, or `scripts.test in package.json`. */
  readonly name: string;
  readonly path: string;
  readonly isTest: boolean;
  readonly change: "added" | "changed" | "removed";
  /** The user said that it may change. */
  readonly isExempt: boolean;
}

/** What changed about one check since its opening. */
export interface CheckChanges {
  readonly before: Before;
  readonly definitions: readonly DefinitionChanged[];
  /** What its test report lacks compared with the opening's; null if it reports no tests. */
  readonly shortfalls: readonly Shortfall[] | null;
  /** It changes the project's files each time it runs, so another run would judge other files. */
  readonly altersFiles: boolean;
  /** A linter, a type checker, a build or a coverage tool is behind it: it judges the source itself. */
  readonly judgesSource: boolean;
}

export interface Shortfall {
  readonly text: string;
  /** Neither chance nor a different way of reporting explains it. */
  readonly isClear: boolean;
  /** Only the number of tests differs, which other tests explain. */
  readonly isOfNumbers: boolean;
  /** No report can be read: a check that noticed a failing test needs none. */
  readonly isUnread?: boolean;
}

/** The files that differ from the opening, by kind. A deleted file is only listed as deleted. */
export interface ChangedFiles {
  readonly source: readonly string[];
  readonly tests: readonly string[];
  readonly definitions: readonly string[];
  readonly deleted: readonly string[];
}

/** What changed about a frame's checks and the project's files since the opening. */
export interface Changes {
  /** Why there is no opening to compare with; null if there is one. */
  readonly missing: string | null;
  readonly checks: ReadonlyMap<string, CheckChanges>;
  /** null: unknown. */
  readonly files: ChangedFiles | null;
  /** Whether source changed, not only prose: a check that turned green without that has other reasons. */
  readonly isWorkThere: boolean;
}

/** A proof of one criterion; of the whole frame where the name is null. */
export interface ShownProof extends Proof {
  readonly name: string | null;
  /** The end of the run's output, for the agent; null if the agent must not see it. */
  readonly output: string | null;
  /** A failure that was put in made the check fail; only for the repeat. */
  readonly hasNoticed?: boolean;
  /** Why there was no clean room for it. */
  readonly lacksRoom?: string;
}

/** Everything examined beyond the checks. */
export interface Proven {
  readonly changes: Changes;
  readonly shown: readonly ShownProof[];
  /** Names of the holdouts that were available to run. */
  readonly holdouts: readonly string[];
}
