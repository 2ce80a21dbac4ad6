import { isObject } from "../plain-object.ts";
import type { Actor } from "../events/event.ts";
import type { Proof } from "./proof.ts";

/** A command that the machine runs: a line for the shell, or a list of words run without a shell. */
export type CommandLine =
  | { readonly kind: "shell"; readonly line: string }
  | { readonly kind: "argv"; readonly argv: readonly [string, ...string[]] };

export interface Check {
  readonly command: CommandLine;
  readonly timeoutMs: number;
  /** Names of variables that look like secrets but are passed to this check. */
  readonly passEnv: readonly string[];
  /** `not-yet`: it may be missing at the opening. `once`: it has side effects and runs only at the very end. */
  readonly use?: CheckUse;
  /** Where it runs, below the worktree's root; without one, in the loop's folder. */
  readonly folder?: string;
}

export const CHECK_USES = ["not-yet", "once"] as const;
export type CheckUse = (typeof CHECK_USES)[number];

/** A check without side effects, which may run any number of times. */
export function isRepeatable({ check }: Pick<Criterion, "check">): boolean {
  return check !== null && check.use !== "once";
}

/** What a check showed, on which tree. */
export interface Evidence {
  readonly passed: boolean;
  readonly command: string;
  /** null: it did not exit by itself (time limit, signal, could not start); `ending` says which. */
  readonly exitCode: number | null;
  readonly ending: string;
  readonly outputTail: string;
  readonly outputDigest: string;
  /** File name in the loop's `evidence/`, or null when nothing was kept. */
  readonly outputFile: string | null;
  /** null: the tree could not be digested, so this evidence doesn't count. */
  readonly treeDigest: string | null;
  /** Digest of the protected paths when the check ran; null if nothing is protected. */
  readonly protectedDigest: string | null;
  readonly durationMs: number;
  /** The check changed the tree that it judged, twice. */
  readonly alteredTree: boolean;
  readonly withheld: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export const VERIFICATION_TYPES = [
  "execution output",
  "observation",
  "measurement",
  "code review",
  "reasoned inference",
  "assumption",
] as const;
export type VerificationType = (typeof VERIFICATION_TYPES)[number];

type Strength = "enough" | "weak" | "blocks";

/** How much an attestation counts, by verification type and actor. An agent that judges its own work is at most weak. */
export function strengthOf({ by, actor }: Pick<Attestation, "by" | "actor">): Strength {
  switch (by) {
    case "execution output":
    case "observation":
    case "measurement":
      return actor === "person" ? "enough" : "weak";
    case "code review":
    case "reasoned inference":
      return "weak";
    case "assumption":
      return "blocks";
  }
}

/** Somebody's word for a criterion without a check. */
export interface Attestation {
  readonly by: VerificationType;
  readonly actor: Actor;
  readonly note: string | null;
  readonly at: number;
}

export interface Criterion {
  readonly name: string;
  readonly check: Check | null;
  readonly attestation: Attestation | null;
  readonly evidence: Evidence | null;
  /** The result of the check before the work; null when it didn't run then. */
  readonly passedAtStart: boolean | null;
  /** The digest of the files on which its check last failed; null when it never did. */
  readonly failedTree: string | null;
  /** What the proofs showed beyond the evidence, at the same stop. */
  readonly proofs: readonly Proof[];
  /** The changed files for which the opening's judge last held the agent; null when it did not. */
  readonly judgedAgainst: readonly string[] | null;
  /** The agent added this check after the opening. Passing its own check proves little. */
  readonly isAgents: boolean;
  /** Meeting it a second time isn't progress and doesn't reset a breaker. */
  readonly everMet: boolean;
}

/** What evidence is compared with: evidence for another tree, or after an unapproved change, doesn't count. */
export interface Standard {
  /** undefined: not read, so the last known result stands. null: unknown, so no evidence is current. */
  readonly tree: string | null | undefined;
  readonly protectedDigest: string | null;
}

/** What a loop's evidence is compared with; without a tree if nobody read it. */
export function standardOf(loop: Pick<Standard, "protectedDigest">, tree?: string | null): Standard {
  return { tree, protectedDigest: loop.protectedDigest };
}

export type CriterionStatus = "met" | "unmet" | "unverified";

export function isVoid(evidence: Evidence, standard: Standard): boolean {
  return evidence.protectedDigest !== standard.protectedDigest;
}

export function isCurrent(evidence: Evidence, standard: Standard): boolean {
  if (isVoid(evidence, standard)) return false;
  if (standard.tree === undefined) return true;
  return standard.tree !== null && evidence.treeDigest === standard.tree;
}

export function statusOf(criterion: Criterion, standard: Standard): CriterionStatus {
  const { check, evidence, attestation } = criterion;
  if (check !== null) {
    if (evidence === null) return "unverified";
    if (!evidence.passed || criterion.proofs.some(contradicts)) return "unmet";
    return isCurrent(evidence, standard) ? "met" : "unverified";
  }
  if (attestation === null || strengthOf(attestation) === "blocks") return "unverified";
  return "met";
}

/** A green revert or a flaky check makes evidence weak; any other failed proof shows that the work isn't done. */
function contradicts({ kind, result }: Proof): boolean {
  return result === "fails" && (kind === "judge" || kind === "counts");
}

export function isMet(criterion: Criterion, standard: Standard): boolean {
  return statusOf(criterion, standard) === "met";
}

/** Who broke or fixed a check, from its results at the start and now. */
export type Attribution = "clean" | "fixed" | "regressed" | "broken before";

export function attributionOf(criterion: Criterion): Attribution | null {
  if (criterion.passedAtStart === null || criterion.evidence === null) return null;
  if (criterion.passedAtStart) return criterion.evidence.passed ? "clean" : "regressed";
  return criterion.evidence.passed ? "fixed" : "broken before";
}

/** A check as one line for people, journals and evidence. One that runs elsewhere than its loop is another check. */
export function describeCheck({ command, folder }: Pick<Check, "command" | "folder">): string {
  const line = describeCommand(command);
  if (folder === undefined) return line;
  return `${line} (in ${folder === "" ? "the project's root" : folder})`;
}

export function describeCommand(command: CommandLine): string {
  if (command.kind === "shell") return command.line;
  return command.argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

/** What a `state.json` says about one criterion. */
type ClaimedStatus = { readonly met: true; readonly by: VerificationType } | { readonly met: false } | null;

/**
 * A plain `true` or `false`, or an object with `met` and `verification`. Only the JSON value `true` is true; without a known
 * verification type it counts as an inference.
 */
export function readClaimedStatus(value: unknown): ClaimedStatus {
  const { met, verification } = isObject(value) ? value : { met: value, verification: undefined };
  if (met === false) return { met };
  if (met !== true) return null;
  return { met, by: VERIFICATION_TYPES.find((type) => type === verification) ?? "reasoned inference" };
}

/** How long a check may take. */
export const CHECK_TIERS = { quick: 5_000, standard: 30_000, thorough: 120_000 } as const;

/** A test suite takes longer than a linter, so a check without a tier gets the longest. */
export const DEFAULT_TIMEOUT_MS: number = CHECK_TIERS.thorough;
