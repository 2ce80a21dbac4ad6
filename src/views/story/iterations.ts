import type { EventOf, JournalEntry, LoopEvent } from "../../core/events/event.ts";
import type { Evidence } from "../../core/loop/criterion.ts";
import type { PauseReason } from "../../core/loop/loop.ts";
import { FAILED_PROOFS, type Proof, type ProofKind } from "../../core/loop/proof.ts";
import { isJudged } from "../../core/stop/trouble.ts";
import { exactDollars } from "../cost.ts";
import { disputed, type Dispute } from "./dispute.ts";

/** How many tests a check ran, as far as its output says so. */
export interface TestCounts {
  readonly executed: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly unit: "tests" | "packages";
}

export type CountTests = (output: string) => TestCounts | null;

/** A check as it ran at one stop. Names are public. */
export interface RanCheck {
  readonly name: string;
  readonly command: string;
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly ending: string;
  readonly output: string;
  readonly tests: TestCounts | null;
  readonly durationMs: number;
  readonly at: string;
}

export interface SeenProof extends Proof {
  /** Its criterion; null: of the whole loop. */
  readonly name: string | null;
}

/** What showed that a claim did not hold, or that the work went too far. */
interface ContradictionView {
  readonly by: "check" | "must-not" | ProofKind;
  readonly name: string | null;
  readonly sentence: string;
}

type IterationVerdict =
  | "at-work"
  | "held"
  | "handed-back"
  | "paused"
  | "completed"
  | "interrupted"
  | "cancelled";

/** One iteration: what was claimed, what checks and proofs said about it, and what came of it. */
export interface IterationView {
  readonly iteration: number;
  /** Of how many frames it is the innermost; 1: not nested. */
  readonly depth: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly claimed: boolean;
  readonly said: string | null;
  readonly verdict: IterationVerdict;
  /** Why it paused. */
  readonly reason: PauseReason | null;
  readonly contradiction: ContradictionView | null;
  /** Its tests were changed, and that is or was for a person to decide. Left out where nothing was. */
  readonly dispute?: Dispute;
  /** No further iteration: checks and proofs ran again without any work, after an approval for example. Left out where somebody worked. */
  readonly onlyChecked?: true;
  readonly checks: readonly RanCheck[];
  readonly proofs: readonly SeenProof[];
  /** Lines of the files that it changed; null: unknown. */
  readonly files: readonly FileCount[] | null;
  /** null: not reported. */
  readonly costUsd: number | null;
  readonly tokens: number;
  readonly checkpoint: string | null;
  readonly turns: readonly string[];
}

export interface FileCount {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
}

interface OpenIteration {
  readonly iteration: number;
  readonly depth: number;
  readonly startedAt: number;
  checkpoint: string | null;
  claimed: boolean;
  said: string | null;
  checks: RanCheck[];
  proofs: SeenProof[];
  usd: number;
  tokens: number;
  untold: boolean;
  turns: string[];
  judged: boolean;
}

type Ending = Pick<IterationView, "verdict" | "reason"> & { readonly at: number; readonly detail?: string };

type Takes = {
  readonly [Type in LoopEvent["type"]]?: (event: EventOf<Type>, at: number) => void;
};

/** The iterations of a loop, folded from its journal; takes what is new as it comes. */
export class Iterations {
  readonly opening: RanCheck[] = [];
  #ended: IterationView[] = [];
  readonly #countTests: CountTests;
  #open: OpenIteration | null = null;
  /** By frame, the number that the next iteration has. */
  #next: number[] = [1];
  #isOver = false;
  #isPaused = false;
  /** An agent was started for it; in a session there are no turns. */
  #hasTurns = false;
  /** The pause in which the open one waits to go on. */
  #pauseOfOpen: Ending | null = null;

  constructor(countTests: CountTests) {
    this.#countTests = countTests;
  }

  list(): readonly IterationView[] {
    const open = this.#open;
    if (open === null) return this.#ended;
    const verdict = this.#isOver ? "interrupted" : "at-work";
    const ending = this.#pauseOfOpen ?? { verdict, reason: null, at: Number.NaN };
    return [...this.#ended, viewOf(open, ending)];
  }

  take({ at, event }: JournalEntry): void {
    const take = this.#takes[event.type] as ((event: LoopEvent, at: number) => void) | undefined;
    take?.(event, at);
  }

  readonly #takes: Takes = {
    "frame.pushed": () => void this.#next.push(1),
    "frame.popped": (_, at) => {
      this.#close({ verdict: "completed", reason: null, at });
      this.#next.pop();
    },
    "iteration.adopted": ({ iteration }) => this.#setNext(iteration + 1),
    "turn.launched": (event, at) => this.#launch(event, at),
    "turn.ended": (event) => this.#endTurn(event),
    "session.bound": () => void (this.#hasTurns = false),
    "exit.signalled": (_, at) => {
      this.#begun(at).claimed = true;
    },
    "exit.withdrawn": () => {
      if (this.#open !== null) this.#open.claimed = false;
    },
    "check.ran": (event, at) => this.#check(event, at),
    "proof.shown": ({ proof, name }, at) => {
      if (!this.#isIdle()) this.#begun(at).proofs.push({ ...proof, name });
    },
    "cost.charged": (event) => this.#charge(event),
    "iteration.held": (event, at) => this.#count(event, { verdict: "held", reason: null, at }),
    "iteration.handed-back": (event, at) => this.#count(event, { verdict: "handed-back", reason: null, at }),
    "loop.paused": (event, at) => this.#pause(event, at),
    "loop.continued": () => {
      this.#pauseOfOpen = null;
      this.#isPaused = false;
    },
    "opening.approved": ({ names }) =>
      void (this.#ended = [...disputed(this.#ended, "approved", (file) => names.includes(file))]),
    "loop.completed": (_, at) => this.#finish({ verdict: "completed", reason: null, at }),
    "loop.cancelled": (_, at) => this.#finish({ verdict: "cancelled", reason: null, at }),
  };

  #setNext(iteration: number): void {
    this.#next[this.#next.length - 1] = iteration;
  }

  #finish(ending: Ending): void {
    this.#isOver = true;
    this.#close(ending);
  }

  #launch({ iteration, turn, checkpoint }: EventOf<"turn.launched">, at: number): void {
    if (this.#open !== null && this.#open.iteration !== iteration) {
      // What a run checks before its first turn is no iteration.
      if (this.#open.turns.length === 0 && !this.#open.claimed) this.#open = null;
      else this.#close({ verdict: "interrupted", reason: null, at });
    }
    this.#setNext(iteration);
    const open = this.#begun(at);
    open.turns.push(turn);
    this.#hasTurns = true;
    open.checkpoint ??= checkpoint;
  }

  #check({ name, evidence, atStart }: EventOf<"check.ran">, at: number): void {
    if (atStart) this.opening.push(this.#ranCheck(name, evidence));
    else if (!this.#isIdle()) this.#begun(at).checks.push(this.#ranCheck(name, evidence));
  }

  /** What a person checks while the loop is paused begins no iteration. */
  #isIdle(): boolean {
    return this.#isPaused && this.#open === null;
  }

  #count({ iteration }: { readonly iteration: number }, ending: Ending): void {
    this.#close(ending);
    this.#setNext(iteration + 1);
  }

  /** An iteration whose turn was cut off goes on after the pause. */
  #pause({ reason, detail }: EventOf<"loop.paused">, at: number): void {
    this.#isPaused = true;
    const open = this.#open;
    if (open === null) return;
    const ending: Ending = { verdict: "paused", reason, at, ...(detail === null ? {} : { detail }) };
    if (!open.judged && open.turns.length > 0 && reason !== "must-not") this.#pauseOfOpen = ending;
    else this.#close(ending);
  }

  #endTurn({ outcome, said }: EventOf<"turn.ended">): void {
    if (this.#open === null || !isJudged(outcome)) return;
    this.#open.said = said;
    this.#open.judged = true;
  }

  #charge({ usd, tokens, priced }: EventOf<"cost.charged">): void {
    const open = this.#open;
    if (open === null) return;
    open.usd += usd;
    open.tokens += tokens;
    open.untold ||= !priced && usd === 0 && tokens === 0;
  }

  #begun(at: number): OpenIteration {
    this.#open ??= {
      iteration: this.#next.at(-1) ?? 1,
      depth: this.#next.length,
      startedAt: at,
      checkpoint: null,
      claimed: false,
      said: null,
      checks: [],
      proofs: [],
      usd: 0,
      tokens: 0,
      untold: false,
      turns: [],
      judged: false,
    };
    return this.#open;
  }

  #close(ending: Ending): void {
    const open = this.#open;
    if (open !== null) {
      const onlyChecked = this.#hasTurns && open.turns.length === 0 && ending.verdict !== "handed-back";
      this.#ended.push({ ...viewOf(open, ending), ...(onlyChecked ? { onlyChecked } : {}) });
    }
    this.#open = null;
    this.#pauseOfOpen = null;
  }

  #ranCheck(name: string, evidence: Evidence): RanCheck {
    const { command, passed, exitCode, ending, outputTail, durationMs, at } = evidence;
    return {
      name,
      command,
      passed,
      exitCode,
      ending,
      output: outputTail,
      tests: this.#countTests(outputTail),
      durationMs,
      at: new Date(at).toISOString(),
    };
  }
}

function viewOf(open: OpenIteration, { verdict, reason, at, detail }: Ending): IterationView {
  const { iteration, depth, claimed, said, checks, proofs, usd, tokens, untold, checkpoint, turns } = open;
  return {
    iteration,
    depth,
    startedAt: new Date(open.startedAt).toISOString(),
    endedAt: Number.isNaN(at) ? null : new Date(at).toISOString(),
    claimed: claimed || verdict === "completed",
    said,
    verdict,
    reason,
    contradiction:
      reason === "must-not"
        ? { by: "must-not", name: null, sentence: detail ?? "it did what it must not" }
        : verdict === "completed"
          ? null
          : contradictionOf(claimed, checks, proofs),
    checks,
    proofs,
    files: null,
    costUsd: untold && usd === 0 ? null : exactDollars(usd),
    tokens,
    checkpoint,
    turns,
  };
}

/** A green revert or a flaky check only makes a pass weak; these show that the work isn't done. */
export const CONTRADICTING: ReadonlySet<ProofKind> = new Set(["judge", "counts", "holdout"]);

/** Only a claim can be contradicted: a check that fails while somebody works is where the work stands. */
function contradictionOf(
  claimed: boolean,
  checks: readonly RanCheck[],
  proofs: readonly SeenProof[],
): ContradictionView | null {
  if (!claimed) return null;
  const proof = proofs.find(({ kind, result }) => result === "fails" && CONTRADICTING.has(kind));
  const check = checks.find(({ passed }) => !passed);
  if (check !== undefined) return { by: "check", name: check.name, sentence: check.ending };
  if (proof === undefined) return null;
  const { kind, name, detail } = proof;
  const sentence = kind === "counts" ? (detail ?? FAILED_PROOFS.counts) : FAILED_PROOFS[kind];
  return { by: kind, name: kind === "holdout" ? detail : name, sentence };
}

/** A claim that a check or a proof contradicted. What went too far may be unchecked, and then nothing is known of its claim. */
export function isFalseClaim({ claimed, verdict, dispute, checks, proofs }: IterationView): boolean {
  return (
    dispute === undefined && verdict !== "completed" && contradictionOf(claimed, checks, proofs) !== null
  );
}

/** A claim about which neither a check nor a proof was asked. */
export function isUncheckedClaim({ claimed, verdict, checks, proofs }: IterationView): boolean {
  return claimed && verdict !== "completed" && checks.length + proofs.length === 0;
}
