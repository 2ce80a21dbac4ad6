import { isMet, type Criterion, type Standard } from "../core/loop/criterion.ts";
import { begunIteration, topFrame, type Confidence, type Loop, type Task } from "../core/loop/loop.ts";
import type { ChangedFiles } from "../core/loop/proof.ts";
import { criterionView, proofView, withTests, type CriterionView, type ProofView } from "./criterion.ts";
import { commitLines } from "./commit-message.ts";
import { causesOf } from "./completion.ts";
import { costText } from "./cost.ts";
import { fitOf } from "./loop-lines.ts";
import { needsOf, needsOfUnreadable, NOTHING_AROUND, type Around, type Needs } from "./needs.ts";
import type { LiveNote } from "./news/live-state.ts";
import { nextAction } from "./next-action.ts";
import { workflowStatus, type PlanFacts, type WorkflowStatus } from "./plan.ts";
import { cutOff } from "./standing.ts";
import { disputed } from "./story/dispute.ts";
import type { IterationView, RanCheck } from "./story/iterations.ts";
import { failingLine } from "../core/output/failing-line.ts";
import { oneLine } from "../system/text/plain-text.ts";
import { stageOf } from "../core/stages/stages.ts";

/** One loop as `loop status --json` prints it. Names are public; null where unknown. */
export interface StatusView {
  readonly id: string;
  /** The project's root; null: unknown to whoever asks. */
  readonly root: string | null;
  /** The last record of its journal that this shows; 0: none could be read. */
  readonly seq: number;
  /** The run that drives it, or drove it last; null: none ever did. */
  readonly driver: DriverView | null;
  /** What a person has to do; null: nothing. */
  readonly needs: Needs | null;
  /** What its run is doing right now; null: unknown. */
  readonly live: LiveView | null;
  /** On which machine of a fleet it is made, and in which folder there; null: on this one. */
  readonly elsewhere: string | null;
  /** Active, but the run that drove it was killed. */
  readonly isGone: boolean;
  readonly phase: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly confidence: Confidence | null;
  /** What is missing for a certain completion, one sentence each. */
  readonly why: readonly string[] | null;
  /** What a completion changed since the opening. */
  readonly changed: ChangedFiles | null;
  readonly stage: string | null;
  readonly spec: string | null;
  readonly exitRule: string | null;
  readonly mode: string | null;
  readonly shape: string | null;
  readonly score: number | null;
  /** How well the spec fits a workflow, with what earlier loops of the project add. */
  readonly fit: number | null;
  readonly session: string | null;
  /** Where the agent and the checks work, below the project's root; empty for the root. */
  readonly folder: string | null;
  readonly iteration: number | null;
  readonly iterationLimit: number | null;
  readonly depth: number | null;
  /** Cost and budget, in the same text that people see everywhere. */
  readonly cost: string | null;
  readonly costUsd: number | null;
  readonly budgetUsd: number | null;
  readonly tokens: number | null;
  readonly stuckCount: number | null;
  readonly criteria: readonly CriterionView[];
  /** For the whole loop; tests the agent has never seen have their names in `detail`. */
  readonly proofs: readonly ProofView[];
  /** The changed files without which a check fails, as far as that was tried. */
  readonly causes: readonly string[];
  readonly steps: readonly { readonly name: string; readonly status: "done" | "pending" }[];
  readonly tasks: readonly Task[];
  /** What a person told its agents, and whether one has heard it; of a plan, its attempts hear it. */
  readonly words: readonly { readonly text: string; readonly task: string | null; readonly heard: boolean }[];
  /** What became of the commit that `--worktree` or `--commit` asked for, a line each. */
  readonly commit: readonly string[];
  /** The user's branch that has the work already; null: none was moved to it. */
  readonly deliveredTo: string | null;
  /** The plan and how far it is; null: a plain loop. */
  readonly workflow: WorkflowStatus | null;
  readonly next: string | null;
  /** What the checks said before any work. */
  readonly opening: readonly RanCheck[];
  /** Oldest first: what was claimed, what checks and proofs said, and what came of it. */
  readonly iterations: readonly IterationView[];
  /** What fails as far as is known, one line each. */
  readonly errors: readonly string[];
  readonly startedAt: string | null;
  /** The last time the work was recorded: at the opening, at a stop, at the end of a turn. */
  readonly lastCheckpoint: string | null;
  readonly updatedAt: string | null;
}

/** The process that drives a loop. */
export interface DriverView {
  readonly alive: boolean;
  readonly agent: string | null;
  readonly model: string | null;
  readonly pid: number | null;
  /** When the run began. */
  readonly since: string | null;
}

/** What happens between two records. */
export interface LiveView extends Pick<LiveNote, "tool" | "said" | "checked" | "turn" | "turnUsd"> {
  readonly doing: LiveNote["doing"]["type"];
  /** The check that runs, or what is waited for. */
  readonly detail: string | null;
  readonly since: string;
  readonly until: string | null;
  /** When the agent of the running turn printed something last; null: unknown. */
  readonly heardAt: string | null;
  /** How long the check that runs took last time; null: unknown, or none runs. */
  readonly usualMs: number | null;
}

/** What is known of a loop beside its folded state. */
export interface StatusFacts {
  readonly root: string;
  readonly seq: number;
  readonly driver: DriverView | null;
  readonly around: Around;
  readonly live: LiveView | null;
  readonly opening: readonly RanCheck[];
  readonly iterations: readonly IterationView[];
  readonly plan: PlanFacts | null;
}

/** Where nobody has read the whole journal. */
export const NO_FACTS: Omit<StatusFacts, "root"> & { readonly root: null } = {
  root: null,
  seq: 0,
  driver: null,
  around: NOTHING_AROUND,
  live: null,
  opening: [],
  iterations: [],
  plan: null,
};

export function liveView(
  { doing, since, tool, said, checked, turn, turnUsd }: LiveNote,
  { heardAt, usualMs }: { readonly heardAt: number | null; readonly usualMs: number | null },
): LiveView {
  return {
    doing: doing.type,
    detail: doing.type === "checking" ? doing.name : doing.type === "waiting" ? doing.detail : null,
    since: new Date(since).toISOString(),
    until: doing.type === "waiting" ? new Date(doing.until).toISOString() : null,
    tool,
    said,
    checked,
    turn,
    turnUsd,
    heardAt: heardAt === null ? null : new Date(heardAt).toISOString(),
    usualMs,
  };
}

/** `isGone`: the run that drove it was killed. */
export function statusView(
  loop: Loop,
  tree: string | null,
  isGone = false,
  facts: Omit<StatusFacts, "root"> & { readonly root: string | null } = NO_FACTS,
): StatusView {
  const frame = topFrame(loop);
  // An ended loop is shown as it ended; whether it would still pass is another question.
  const standard: Standard = {
    tree: loop.phase === "completed" || loop.phase === "cancelled" ? undefined : tree,
    protectedDigest: loop.protectedDigest,
  };
  const { elsewhere } = facts.around;
  // Whether a process of another machine lives can't be seen from here.
  const isDead = isGone && loop.phase === "active" && elsewhere === null;
  const updatedAt = new Date(loop.updatedAt).toISOString();
  const needs = needsOf(loop, { ...facts.around, isGone: isDead });
  const iterations = isDead ? cutOff(facts.iterations, updatedAt) : facts.iterations;
  const ran = [...facts.opening, ...facts.iterations.flatMap(({ checks }) => checks)];
  const unmet = frame.criteria.filter((each) => !isMet(each, standard)).map((each) => each.name);
  return {
    id: loop.id,
    root: facts.root,
    seq: facts.seq,
    driver: facts.driver,
    needs,
    live: facts.live,
    elsewhere,
    isGone: isDead,
    phase: loop.phase,
    reason: loop.phase === "paused" ? loop.reason : null,
    detail: loop.phase === "paused" ? loop.detail : null,
    confidence: loop.phase === "completed" ? loop.confidence : null,
    why: loop.phase === "completed" ? loop.why : null,
    changed: loop.phase === "completed" ? loop.changed : null,
    stage: stageOf(loop),
    spec: frame.spec,
    exitRule: frame.exitRule,
    mode: frame.mode,
    shape: loop.shape,
    score: loop.score.total,
    fit: fitOf(loop),
    session: loop.binding?.session ?? null,
    folder: loop.folder,
    iteration: begunIteration(loop),
    iterationLimit: frame.iterationLimit,
    depth: loop.frames.length,
    cost: costText(loop),
    costUsd: loop.spend.priced ? loop.spend.usd : null,
    budgetUsd: loop.limits.budgetUsd,
    tokens: loop.spend.tokens,
    stuckCount: frame.breakers.stuck.count,
    criteria: frame.criteria.map((criterion) => withTests(criterionView(criterion, standard), ran)),
    proofs: frame.proofs.map(proofView),
    causes: causesOf(loop),
    steps: frame.steps.map(({ name, done }) => ({ name, status: done ? "done" : "pending" })),
    tasks: frame.tasks,
    words: loop.words.map(({ text, task, heardIn }) => ({ text, task, heard: heardIn !== null })),
    commit: commitLines(loop),
    deliveredTo: deliveredTo(loop),
    workflow: workflowStatus(loop, isGone, facts.plan),
    next: nextAction(loop, unmet, facts.around),
    opening: facts.opening,
    iterations: needs?.kind === "approval" ? disputed(iterations, "undecided") : iterations,
    errors: errorsOf(frame.criteria),
    startedAt: new Date(loop.openedAt).toISOString(),
    lastCheckpoint: new Date(loop.activeAt).toISOString(),
    updatedAt,
  };
}

function deliveredTo({ commit, workflow }: Loop): string | null {
  if (commit !== undefined) return commit.made?.before == null || commit.isUndone ? null : commit.onto;
  if (workflow?.delivered?.how !== "moved" || workflow.branch === null) return null;
  const { tip, from, userBranch } = workflow.branch;
  return tip === from ? null : (userBranch ?? "your branch");
}

/** Each criterion whose check failed last, with the line that says why. */
export function errorsOf(criteria: readonly Criterion[]): readonly string[] {
  return criteria.flatMap(({ name, evidence }) => {
    if (evidence === null || evidence.passed) return [];
    const line = failingLine(evidence.outputTail);
    return [oneLine(`${name}: ${evidence.ending}${line === null ? "" : `: ${line}`}`, 300)];
  });
}

/** A loop whose text must not be shown or cannot be read. Its phase is null if only a newer program can tell. */
export function unreadableView(
  id: string,
  phase: "aborted" | "untrusted" | null,
  reason: string,
  root: string | null = null,
): StatusView {
  const needs = needsOfUnreadable(id, phase, reason);
  return {
    id,
    root,
    seq: 0,
    driver: null,
    needs,
    live: null,
    elsewhere: null,
    isGone: false,
    phase,
    reason,
    detail: null,
    confidence: null,
    why: null,
    changed: null,
    stage: null,
    spec: null,
    exitRule: null,
    mode: null,
    shape: null,
    score: null,
    fit: null,
    session: null,
    folder: null,
    iteration: null,
    iterationLimit: null,
    depth: null,
    cost: null,
    costUsd: null,
    budgetUsd: null,
    tokens: null,
    stuckCount: null,
    criteria: [],
    proofs: [],
    causes: [],
    steps: [],
    tasks: [],
    words: [],
    commit: [],
    deliveredTo: null,
    workflow: null,
    next: needs.commands[0] ?? null,
    opening: [],
    iterations: [],
    errors: [],
    startedAt: null,
    lastCheckpoint: null,
    updatedAt: null,
  };
}
