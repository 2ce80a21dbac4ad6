import { describeCommand, type Check } from "../../core/loop/criterion.ts";
import type { EventOf, OpenedGoal } from "../../core/events/event.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { AttemptOf, Binding, ExitRule, Mode, MustNot, Shape } from "../../core/loop/loop.ts";
import type { ProofMode } from "../../core/loop/proof.ts";
import { scoreSpec, type SpecScore } from "../../core/spec/score.ts";
import type { ApprovalRecord } from "../../storage/home/approval-record.ts";
import type { Examination } from "../../verify/checks/run-checks.ts";
import type { AskedHoldout } from "../../verify/holdouts/asked-holdout.ts";
import type { GuardedFiles } from "./checks-of-loop.ts";
import type { SetLimits } from "./limits.ts";

/** Something that must be true at the end. Without a check, somebody has to vouch for it. */
export interface AskedCriterion {
  readonly name: string;
  readonly check: Check | null;
  /** Words of the spec say it already. It earns the spec no points. */
  readonly isDerived?: true;
}

/** Where a loop works, if not where its caller stands. */
export type AskedWork = Pick<ApprovalRecord, "worktree"> & { readonly folder: string };

/** What a frame is to reach, whether it is a loop's first or nested in one. */
export interface AskedGoal {
  readonly spec: string;
  readonly criteria: readonly AskedCriterion[];
  readonly steps: readonly string[];
  readonly exitRule: ExitRule;
  readonly mode: Mode;
  readonly limits: SetLimits;
}

/** Flags that an agent wrote by itself. The shape comes from the user's words, so these earn the spec no points. */
interface AgentsFlags {
  readonly criteria: readonly AskedCriterion[];
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
}

/** What holds for a whole loop. */
export interface AskedRules {
  readonly agents?: AgentsFlags;
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
  readonly shape: Shape | null;
  readonly proof: ProofMode;
  readonly proofBudgetMs: number | null;
  /** Globs of tests and definitions that may change without approval. */
  readonly mayChange: readonly string[];
  readonly binding: Binding | null;
}

/** What the checks showed just before the opening. */
export interface Preflighted {
  readonly looked?: Examination;
  /** The guarded files as they were before the checks ran; if left out, as they are at the opening. */
  readonly guarded?: GuardedFiles;
}

interface AskedLater {
  /** What earlier loops taught about this spec. */
  readonly recall?: EventOf<"learnings.recalled">;
  /** Called with the new loop's id and the project's root before the journal begins. */
  readonly prepare?: (id: LoopId, root: string) => void;
}

/** Tests that the agent never sees. */
interface HeldOut {
  readonly holdout?: AskedHoldout | null;
}

/** What flags and config ask for, before it is decided what kind of loop it becomes. */
export interface Wanted extends AskedGoal, Omit<AskedRules, "binding">, Required<HeldOut> {}

/** One agent works on it, turn by turn. */
export interface PlainLoop extends AskedGoal, AskedRules, AskedLater, HeldOut {
  readonly kind: "plain";
  /** If left out, one is made up from its spec. */
  readonly id?: LoopId;
  readonly work?: AskedWork;
  /** Its work becomes a commit. */
  readonly commit?: EventOf<"commit.wanted">;
}

/** A goal inside the open loop of a session, by whose rules and limits it goes. */
export interface NestedFrame extends AskedGoal {
  readonly kind: "frame";
  readonly binding: Binding | null;
}

type OfTasks = Omit<AskedGoal, "steps" | "exitRule"> & AskedRules & AskedLater & HeldOut;

/** A workflow on its way to a plan. */
interface WorkflowLoop extends OfTasks {
  readonly kind: "workflow";
  readonly stages: EventOf<"stages.begun">;
}

/** A workflow that has its plan. Its criteria are in the plan, and say how clear it is. */
interface PlanLoop extends Omit<OfTasks, "criteria"> {
  readonly kind: "plan";
  readonly plan: EventOf<"plan.adopted">;
  readonly stages?: EventOf<"stages.begun">;
  readonly score?: SpecScore;
}

/** An attempt at a task of a plan, in a place that the plan chose. */
interface AttemptLoop extends Omit<AskedGoal, "steps" | "exitRule">, AskedRules, AskedLater {
  readonly kind: "attempt";
  readonly id: LoopId;
  readonly attemptOf: AttemptOf;
  readonly work: AskedWork;
}

/** A loop of its own. */
export type WholeLoop = PlainLoop | WorkflowLoop | PlanLoop | AttemptLoop;

export type AskedLoop = WholeLoop | NestedFrame;

export function criteriaOf(asked: AskedLoop): readonly AskedCriterion[] {
  return asked.kind === "plan" ? [] : asked.criteria;
}

export function goalOf(asked: AskedLoop): OpenedGoal {
  const { spec, mode, limits } = asked;
  return {
    spec,
    exitRule: exitRuleOf(asked),
    mode,
    iterationLimit: limits.iterationLimit,
    criteria: criteriaOf(asked).map(({ name, check }) => ({ name, check })),
    steps: stepsOf(asked),
  };
}

export function stepsOf(asked: AskedLoop): readonly string[] {
  return "steps" in asked ? asked.steps : [];
}

function exitRuleOf(asked: AskedLoop): ExitRule {
  switch (asked.kind) {
    case "plain":
    case "frame":
      return asked.exitRule;
    case "attempt":
      return "criteria";
    case "workflow":
    case "plan":
      return "tasks";
  }
}

/** Whether the loop needs a check to end, and has none. Who gives a criterion without one, means it. */
export function lacksCriteria({ criteria, exitRule }: Pick<AskedGoal, "criteria" | "exitRule">): boolean {
  return exitRule === "criteria" && criteria.every(({ check, isDerived }) => isDerived && check === null);
}

/** What a spec is scored by. */
export type Scored = Pick<AskedGoal, "spec" | "criteria"> &
  Pick<AskedRules, "mustNots" | "protects" | "agents">;

export function scoreAsked({ spec, criteria, mustNots, protects, agents }: Scored): SpecScore {
  const isAgents = (name: string): boolean => agents?.criteria.some((each) => each.name === name) === true;
  return scoreSpec(spec, {
    criteria: criteria
      .filter(({ name, isDerived }) => isDerived !== true && !isAgents(name))
      .map(({ name, check }) => ({ name, hasCheck: check !== null })),
    mustNots: mustNots
      .filter((each) => agents?.mustNots.includes(each) !== true)
      .map((each) => (each.kind === "path" ? each.glob : describeCommand(each.check.command))),
    protects: protects.filter((glob) => agents?.protects.includes(glob) !== true),
  });
}
