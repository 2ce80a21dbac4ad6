import type { Answer } from "../../core/questions/intent/answers.ts";
import type { IntentQuestion } from "../../core/questions/intent/intent-question.ts";
import type { ExitRule, Mode, Shape } from "../../core/loop/loop.ts";
import type { ProofMode } from "../../core/loop/proof.ts";
import type { Kind } from "../../core/stages/stages.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { ProposedCheck } from "../../verify/checks/discovery.ts";
import type { Look } from "../../verify/checks/run-checks.ts";
import type { Answered, Found } from "../learnings/recall.ts";
import type { AskedCriterion } from "./asked-loop.ts";
import type { FoundHere } from "./propose-checks.ts";

/** How checks that the flags name are run. */
export interface CheckFlags {
  readonly criterion?: readonly string[];
  readonly passEnv?: readonly string[];
  readonly checkTimeout: number;
}

/** Options that make a loop easier to end. Only a person may use them. */
export interface LooseningFlags {
  readonly notYet?: readonly string[];
  readonly once?: readonly string[];
  readonly mayChange?: readonly string[];
  readonly proof?: ProofMode;
  /** As typed: `30s`, `5m`. */
  readonly proofBudget?: string;
}

/** The options for opening a loop, shared by all commands that do. */
export interface OpeningFlags extends LooseningFlags, CheckFlags {
  readonly file?: string;
  readonly step?: readonly string[];
  readonly mustNot?: readonly string[];
  readonly protect?: readonly string[];
  readonly budget?: number | "none";
  readonly iterations?: number | "none";
  readonly maxTokens?: number;
  readonly maxMinutes?: number;
  readonly stuckLimit?: number;
  readonly sameErrorLimit?: number;
  readonly sameFileLimit?: number;
  readonly noProgressLimit?: number;
  readonly ttl?: number;
  readonly exitRule: ExitRule;
  readonly mode: Mode;
  readonly shape?: Shape;
  readonly holdoutFrom?: string;
  readonly here?: boolean;
}

/** How a workflow gets to its plan, and works on it. */
export interface TaskFlags {
  readonly kind?: Kind;
  readonly proposeTests?: boolean;
  readonly planDigest?: string;
  readonly parallel?: number;
  readonly noModel?: boolean;
  readonly allowCheck?: readonly string[];
}

/** What was answered, in the words of a command line, so that a command that fails loses none of it. */
interface Said {
  readonly addFlags: (...words: readonly string[]) => void;
  readonly settleCriterion: (given: string, settled: string) => void;
  readonly setSpec: (spec: string) => void;
}

/** The person at the terminal, who answers what an opening leaves open. */
export interface OpeningPerson {
  readonly said: Said;
  /** Whether a check of the project decides words that were given with -c. */
  readonly usesCheck: (words: string, check: ProposedCheck, where: string) => Promise<boolean>;
  /** Whether such words are a command; if not, somebody has to vouch for them. */
  readonly isCommand: (words: string, usual: "command" | "statement") => Promise<boolean>;
  /** Which of the project's own checks decide. */
  readonly chooses: (found: FoundHere) => Promise<readonly ProposedCheck[]>;
  /** null: no answer. */
  readonly answers: (why: string, questions: readonly IntentQuestion[]) => Promise<readonly Answer[] | null>;
  /** Whether these tests may change, because the spec says so in these words. */
  readonly letsChange: (files: string, words: string) => Promise<boolean>;
  /** Which of what earlier loops taught applies here; undefined: not to be asked. */
  readonly recalls: (found: readonly Found[]) => Promise<Answered | undefined>;
  /** Whether these commands of a plan or a spec may run. */
  readonly approves: (commands: readonly string[], source: "plan" | "spec") => Promise<boolean>;
}

/** The checks before any work, as they run. */
export type LookNews =
  | { readonly type: "looking"; readonly criteria: readonly AskedCriterion[] }
  | { readonly type: "looked"; readonly look: Look }
  | { readonly type: "later"; readonly name: string };

/** Who opens a loop, and what they are told meanwhile. */
export interface Opener {
  readonly machine: Machine;
  /** The file of the program `loop`, which runs a preflight in the background. */
  readonly cli: string;
  /** null: nobody is there to answer, and nothing is asked. */
  readonly person: OpeningPerson | null;
  readonly tell: (sentence: string) => void;
  readonly show: (news: LookNews) => void;
}
