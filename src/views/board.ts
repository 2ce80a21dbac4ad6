import { failingLine } from "../core/output/failing-line.ts";
import type { Confidence } from "../core/loop/loop.ts";
import { oneLine } from "../system/text/plain-text.ts";
import type { Needs } from "./needs.ts";
import type { AttemptLive, WorkflowStatus, WorkflowTask } from "./plan.ts";
import { failedWords, mergedWords, objectionsTo, objectionWords } from "./gate-words.ts";
import { taskWaitsUntil, waitsUntil } from "./standing.ts";
import type { LiveView, StatusView } from "./status.ts";
import { metWords, proofAgainst } from "./story/proof-against.ts";
import { isFalseClaim, isUncheckedClaim, type IterationView } from "./story/iterations.ts";
import type { ShownState } from "./task.ts";

/** One iteration in a strip: a claim that did not hold, with tests that a person decides on, or that nothing checked, no claim, the end, or work under way. */
export type StripMark = "not-held" | "disputed" | "not-checked" | "no-claim" | "at-work" | "cut" | Confidence;

/** A task in a row of cells. */
type TaskCell = ShownState | "weak" | "unverified" | "contradicted" | "failed" | "waiting";

/** What shows why a loop needs somebody: lines of a failing output, or of a change. */
export interface QuotedLine {
  readonly sign: " " | "+" | "-" | "!";
  readonly text: string;
}

interface PlanRow {
  readonly total: number;
  readonly merged: number;
  /** How many of the tasks, and of the repairs that a review or the gate added, and which failed last. */
  readonly words: string;
  readonly cells: readonly TaskCell[];
  readonly atWork: readonly {
    readonly id: string;
    readonly subject: string;
    readonly attempt: number;
    readonly since: string | null;
    /** null: unknown. */
    readonly live: Pick<AttemptLive, "doing" | "tool" | "since" | "heardAt"> | null;
  }[];
  readonly setbacks: number;
}

/** A loop among all loops of a machine, in about a kilobyte. */
export interface BoardRow {
  /** `PROJECT/ID`, as in the page's addresses. */
  readonly key: string;
  readonly project: string;
  readonly root: string;
  readonly id: string;
  readonly seq: number;
  readonly group: "needs" | "running" | "finished";
  readonly phase: string | null;
  readonly reason: string | null;
  readonly spec: string | null;
  readonly needs: Needs | null;
  readonly quote: readonly QuotedLine[];
  /** The agent's last words. */
  readonly said: string | null;
  readonly confidence: Confidence | null;
  /** The one reason why it isn't verified, or what it took. */
  readonly because: string | null;
  readonly strip: readonly StripMark[];
  readonly iterations: number;
  readonly iterationLimit: number | null;
  readonly claimsNotHeld: number;
  /** How they were caught; null: all by checks, or of a plan. */
  readonly caughtBy: string | null;
  readonly cost: string | null;
  readonly costUsd: number | null;
  readonly budgetUsd: number | null;
  /** The agent of the run that drives it; null: none does. */
  readonly driver: string | null;
  /** The agent that drove it last; null: no run ever did. */
  readonly lastAgent: string | null;
  readonly live: LiveView | null;
  readonly waitsUntil: string | null;
  readonly plan: PlanRow | null;
  /** The user's branch, where the work is on it already. */
  readonly deliveredTo: string | null;
  readonly startedAt: string | null;
  readonly updatedAt: string | null;
}

const LONGEST_STRIP = 12;
const LONGEST_SPEC = 300;
const LONGEST_SAID = 240;
const MOST_CELLS = 60;

export function boardRow(view: StatusView, project: string, key: string): BoardRow {
  const { id, root, seq, phase, needs, workflow, iterations } = view;
  return {
    key,
    project,
    root: root ?? "",
    id,
    seq,
    group: groupOf(view),
    phase,
    reason: view.reason,
    spec: view.spec === null ? null : oneLine(view.spec, LONGEST_SPEC),
    needs,
    quote: quoteOf(view),
    said: lastWords(iterations),
    confidence: view.confidence,
    because: becauseOf(view),
    strip: iterations.map((each) => markOf(each, view.confidence)).slice(-LONGEST_STRIP),
    iterations: view.iteration ?? 0,
    iterationLimit: view.iterationLimit,
    caughtBy: caughtBy(iterations),
    claimsNotHeld: iterations.filter(isFalseClaim).length + claimsOfPlan(view),
    cost: view.cost,
    costUsd: view.costUsd,
    budgetUsd: view.budgetUsd,
    driver: view.driver?.alive === true ? view.driver.agent : null,
    lastAgent: view.driver?.agent ?? null,
    live: view.live,
    waitsUntil: waitsUntil(view),
    plan: workflow === null ? null : planRow(view, workflow),
    deliveredTo: view.deliveredTo,
    startedAt: view.startedAt,
    updatedAt: view.updatedAt,
  };
}

function groupOf({ phase, needs }: StatusView): BoardRow["group"] {
  if (needs !== null) return "needs";
  return phase === "active" ? "running" : "finished";
}

function markOf(each: IterationView, confidence: Confidence | null): StripMark {
  if (each.verdict === "at-work") return "at-work";
  if (isFalseClaim(each)) return "not-held";
  if (each.dispute !== undefined) return "disputed";
  if (isUncheckedClaim(each)) return "not-checked";
  if (each.verdict === "completed") return confidence ?? "verified";
  return each.verdict === "interrupted" ? "cut" : "no-claim";
}

function lastWords(iterations: readonly IterationView[]): string | null {
  const said = iterations.findLast((each) => each.said !== null)?.said ?? null;
  return said === null ? null : oneLine(said, LONGEST_SAID);
}

function claimsOfPlan({ workflow }: StatusView): number {
  return (workflow?.attempts ?? []).reduce(
    (sum, { claims }) => sum + (claims ?? []).filter(({ held }) => !held).length,
    0,
  );
}

/** The lines that failed last, in a check or in a proof; of a plan, what speaks against it at its gate. */
function quoteOf({ needs, iterations, criteria, root, workflow }: StatusView): readonly QuotedLine[] {
  if (needs === null || needs.kind === "died") return [];
  const gate = workflow?.judgement?.gate ?? null;
  if (gate?.passed === false)
    return gate.items
      .filter(({ state }) => state === "open")
      .map(({ name, detail }) => ({
        sign: "!",
        text: oneLine(`The gate is shut: ${objectionWords({ name, detail })}`, 300),
      }));
  const last = iterations.findLast(({ checks, proofs }) => checks.length + proofs.length > 0);
  const failed = last?.checks.find(({ passed }) => !passed);
  const proof = last?.proofs.find(({ result, ran }) => result === "fails" && ran !== undefined);
  const output = failed?.output ?? proof?.ran?.output ?? null;
  const against = proofAgainst(last);
  const line = output === null ? null : failingLine(output);
  const met = criteria.filter(({ evidence }) => evidence?.exitCode === 0).length;
  if (against !== null) {
    const words = metWords(met, criteria.length, against);
    return [{ sign: "!", text: shownLine(line === null ? words : `${words}: ${line}`, root) }];
  }
  const progress =
    (needs.kind === "limit" || needs.kind === "breaker") && criteria.length > 1
      ? [{ sign: " " as const, text: metWords(met, criteria.length, null) }]
      : [];
  return line === null ? progress : [...progress, { sign: "!", text: shownLine(line, root) }];
}

/** Paths as from the project's root. */
function shownLine(line: string, root: string | null): string {
  return oneLine(line.replaceAll(`${root ?? ""}/`, ""), 300);
}

function becauseOf(view: StatusView): string | null {
  const { phase, confidence, why, workflow } = view;
  if (phase !== "completed") return phase === "cancelled" ? "cancelled" : null;
  if (workflow?.verdict != null && confidence !== "verified") return oneLine(workflow.verdict.risk, 160);
  const [first] = why ?? [];
  return first === undefined ? null : oneLine(first, 200);
}

const CATCHERS = {
  check: "its checks",
  judge: "the original tests",
  counts: "counting the tests",
  holdout: "tests it never saw",
} as const;

function caughtBy(iterations: readonly IterationView[]): string | null {
  const caught = iterations.filter(isFalseClaim);
  if (caught.every(({ contradiction }) => contradiction?.by === "check")) return null;
  const parts = (Object.keys(CATCHERS) as (keyof typeof CATCHERS)[]).flatMap((kind) => {
    const count = caught.filter(({ contradiction }) => contradiction?.by === kind).length;
    const many = caught.length === 1 ? "" : count === caught.length ? "all " : `${count} `;
    return count === 0 ? [] : [`${many}by ${CATCHERS[kind]}`];
  });
  return parts.length === 0 ? null : parts.join(", ");
}

function shortTool({ name, detail }: NonNullable<AttemptLive["tool"]>): NonNullable<AttemptLive["tool"]> {
  return { name: oneLine(name, 40), detail: oneLine(detail, 120) };
}

function cellOf(task: WorkflowTask, { judgement }: Pick<WorkflowStatus, "judgement">): TaskCell {
  const { state, confidence, setback } = task;
  if (state === "ready" && setback !== null) return "failed";
  if (taskWaitsUntil(task) !== null) return "waiting";
  if (state !== "done") return state;
  if (objectionsTo(task, judgement).length > 0) return "contradicted";
  return confidence === "weak" || confidence === "unverified" ? confidence : state;
}

function planRow(view: StatusView, workflow: NonNullable<StatusView["workflow"]>): PlanRow {
  const { tasks, attempts } = workflow;
  const cells = tasks.map((task) => cellOf(task, workflow));
  return {
    total: tasks.length,
    merged: workflow.counts.done,
    words: [mergedWords(workflow), failedWords(workflow, view.phase) ?? []].flat().join(", "),
    cells: cells.slice(0, MOST_CELLS),
    atWork: tasks
      .filter(({ state }) => state === "running" && view.phase === "active")
      .slice(0, 8)
      .map(({ id, subject, attempts: attempt, startedAt, live }) => ({
        id,
        subject: oneLine(subject, 120),
        attempt,
        since: startedAt,
        live:
          live === null
            ? null
            : {
                doing: live.doing,
                since: live.since,
                heardAt: live.heardAt,
                tool: live.tool === null ? null : shortTool(live.tool),
              },
      })),
    setbacks: attempts.filter(({ state }) => state === "set-back").length,
  };
}
