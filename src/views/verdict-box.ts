import type { Confidence } from "../core/loop/loop.ts";
import { blockersIn, type Stages } from "../core/stages/stages.ts";
import { listed } from "../core/listed.ts";
import { oneLine } from "../system/text/plain-text.ts";
import { lackText, reviewSummary } from "./review.ts";
import type { WorkflowTask } from "./plan.ts";

const VERDICTS = {
  verified: "SHIP",
  weak: "MONITOR",
  unverified: "RESEARCH",
} as const satisfies { readonly [Each in Confidence]: string };

const CIRCLES = { SHIP: "🟢", MONITOR: "🟡", RESEARCH: "🔴" } as const;

/** What to do with the result of a plan, its risk, and what to do before taking it as it is. */
export interface PlanVerdict {
  readonly verdict: keyof typeof CIRCLES;
  readonly risk: string;
  readonly alternative: string;
}

export function planVerdict(
  confidence: Confidence,
  tasks: readonly WorkflowTask[],
  stages: Stages | null,
): PlanVerdict {
  const verdict = VERDICTS[isMostlyShown(tasks) && confidence === "unverified" ? "weak" : confidence];
  return { verdict, risk: riskOf(tasks, stages), alternative: alternativeTo(tasks, stages) };
}

const HOW = {
  verified: "execution output",
  weak: "execution output, some of it weak",
  unverified: "not all of it",
} as const satisfies { readonly [Each in Confidence]: string };

const LEAST_WIDTH = 36;
const MOST_WIDTH = 76;

/** What to do with the result of a plan, and the risk of it. Each of its characters is as wide as it is long, the circles too. */
export function verdictBox(
  confidence: Confidence,
  tasks: readonly WorkflowTask[],
  stages: Stages | null,
): string {
  const done = tasks.filter(({ state }) => state === "done").length;
  const above = [
    `Verified: ${HOW[confidence]}`,
    `Tasks: ${done}/${tasks.length} complete`,
    `Confidence: ${confidence}`,
    ...(stages === null ? [] : [`Review: ${reviewSummary(stages)}`]),
  ];
  const { verdict, risk, alternative } = planVerdict(confidence, tasks, stages);
  const below = [`↳ Alt: ${alternative}`, `↳ Risk: ${risk}`];
  const head = `─ ${CIRCLES[verdict]} ${verdict} `;
  const width = Math.min(
    MOST_WIDTH,
    Math.max(LEAST_WIDTH, ...[...above, ...below].map((line) => line.length + 2)),
  );
  const rule = (text: string): string => text + "─".repeat(Math.max(0, width - text.length));
  const row = (text: string): string => `│ ${shortened(text, width - 2).padEnd(width - 2)} │`;
  return [`╭${rule(head)}╮`, ...above.map(row), `├${rule("")}┤`, ...below.map(row), `╰${rule("")}╯`].join(
    "\n",
  );
}

/** A task or two that no check decides, such as a page of docs, don't make research of all the others. */
function isMostlyShown(tasks: readonly WorkflowTask[]): boolean {
  const shown = tasks.filter(({ confidence }) => confidence === "verified" || confidence === "weak");
  return 2 * shown.length >= tasks.length && shown.length > 0;
}

function shortened(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** What somebody could do before they take the work as it is, about the same thing that is its risk. */
function alternativeTo(tasks: readonly WorkflowTask[], stages: Stages | null): string {
  const leftOut = tasks.find(({ state }) => state === "skipped");
  const unshown = tasks.find(({ confidence }) => confidence !== "verified");
  const [survivor] = stages?.gates.at(-1)?.survivors ?? [];
  const warning = stages?.reviews.at(-1)?.findings.find(({ severity }) => severity === "WARNING");
  const [hardest] = tasks.toSorted((one, other) => other.setbacks - one.setbacks);
  if (acceptedBlocker(stages) !== null) return "have the blocker put right first, loop review";
  if (leftOut !== undefined)
    return `have ${leftOut.id} done in another loop (${oneLine(leftOut.subject, 40)})`;
  if (unshown !== undefined) return `try ${unshown.id} by hand (${oneLine(unshown.subject, 40)})`;
  if (survivor !== undefined)
    return `first add a test that reaches ${oneLine(survivor.file, 40)}:${survivor.line}`;
  if (warning !== undefined)
    return `first look at ${warning.id} in ${oneLine(warning.file, 40)}, loop review`;
  if (hardest === undefined) return "look at it yourself, loop review";
  return `look at ${hardest.id} yourself${hardest.commit === null ? ", loop review" : `, git show ${hardest.commit.slice(0, 12)}`}`;
}

/** The first thing that somebody should look at. */
function riskOf(tasks: readonly WorkflowTask[], stages: Stages | null): string {
  const leftOut = tasks.filter(({ state }) => state === "skipped");
  const unverified = tasks.filter(
    ({ confidence, state }) => confidence !== "verified" && confidence !== "weak" && state !== "skipped",
  );
  const weak = tasks.filter(({ confidence }) => confidence === "weak");
  const retried = tasks.filter(({ setbacks }) => setbacks > 0);
  return (
    acceptedBlocker(stages) ??
    (leftOut.length === 0 ? null : `${named(leftOut)} ${leftOut.length === 1 ? "was" : "were"} left out`) ??
    (unverified.length === 0
      ? null
      : `nothing shows that ${named(unverified)} ${unverified.length === 1 ? "is" : "are"} done${reasonOf(unverified)}`) ??
    (weak.length === 0 ? null : `weak evidence for ${named(weak)}${reasonOf(weak)}`) ??
    (stages === null ? null : doubt(stages)) ??
    (retried.length === 0 ? null : `${named(retried)} needed more than one attempt`) ??
    "what no check looks at"
  );
}

function named(some: readonly WorkflowTask[]): string {
  return listed(
    some.map(({ id }) => id),
    3,
  );
}

/** Of the first one, which is named where others have other reasons; the lines above the verdict name them all. */
function reasonOf(some: readonly WorkflowTask[]): string {
  const [first] = some;
  const [doubt] = first?.doubts ?? [];
  if (first === undefined || doubt === undefined) return "";
  const isShared = some.every(({ doubts }) => doubts[0] === doubt);
  return isShared ? `: ${oneLine(doubt, 100)}` : ` (for example, ${first.id}: ${oneLine(doubt, 100)})`;
}

function acceptedBlocker(stages: Stages | null): string | null {
  for (const { findings, resolved } of stages?.reviews ?? [])
    for (const { id, file, problem } of blockersIn(findings))
      if (resolved.some(({ finding, task }) => finding === id && task === null))
        return `blocker accepted in ${oneLine(file, 40)}: ${oneLine(problem, 100)}`;
  return null;
}

/** What the gate and the last review hold against it, although nothing of it stopped the work. */
function doubt({ gates, reviews }: Stages): string | null {
  const gate = gates.at(-1);
  const [survivor, ...more] = gate?.survivors ?? [];
  if (survivor !== undefined) {
    const { file, line, change } = survivor;
    const others = more.length === 0 ? "" : `, and ${more.length} more`;
    return `no check notices ${oneLine(file, 40)}:${line} (${change})${others}`;
  }
  const warning = reviews.at(-1)?.findings.find(({ severity }) => severity === "WARNING");
  if (warning !== undefined) return `${oneLine(warning.file, 40)}: ${oneLine(warning.problem, 100)}`;
  const weak = gate?.items.find(({ state }) => state === "weak");
  return weak === undefined ? null : lackText(weak);
}
