import { asksForTests } from "../spec/asked-changes.ts";
import { goesAlong } from "../spec/goes-along.ts";
import { isInPlace, keptPlaces, statedConstraints } from "../spec/stated-constraints.ts";
import { listed } from "../listed.ts";
import { findCycle } from "../plan/graph.ts";
import { isFinalTask, isTaskId } from "../plan/plan.ts";
import { LARGEST_PLAN, type DraftedPlan, type DraftedTask, type PlanIssue } from "./drafted-plan.ts";

/** Beyond this nobody has read what is to be approved. */
const MOST_TASKS = 5_000;
const LINK_FREE = 'without "and" or ";"';
const MOST_CYCLES = 10;
const LONGEST_CYCLE_SHOWN = 12;

/**
 * All that is wrong with a plan, by line; what its reader found, too. Without an error, its graph has no cycle. `spec`: what the plan
 * is for, if it doesn't say so itself.
 */
export function lintPlan(plan: DraftedPlan, spec: string = plan.preface): readonly PlanIssue[] {
  const { tasks, done, issues } = plan;
  if (tasks.length > MOST_TASKS)
    return [error(1, `A plan has at most ${MOST_TASKS} tasks; this one has ${tasks.length}.`)];
  const found = [
    ...issues,
    ...sizes(plan),
    ...tasks.flatMap((task) => alone(task, plan.isJson === true)),
    ...duplicates([...tasks, ...done]),
    ...blockers(plan),
    ...cycles(tasks),
    ...outside(tasks, spec),
  ];
  return found.toSorted((one, other) => one.line - other.line);
}

export function hasErrors(issues: readonly PlanIssue[]): boolean {
  return issues.some(({ severity }) => severity === "error");
}

function error(line: number, text: string): PlanIssue {
  return { line, severity: "error", text };
}

function warning(line: number, text: string): PlanIssue {
  return { line, severity: "warning", text };
}

function sizes({ tasks, done, issues }: DraftedPlan): readonly PlanIssue[] {
  const [first] = tasks;
  if (first === undefined) {
    if (hasErrors(issues)) return [];
    return [error(1, done.length === 0 ? "There is no task here." : "Every task here is done already.")];
  }
  if (tasks.length <= LARGEST_PLAN) return [];
  return [
    warning(first.line, `${tasks.length} tasks are many for one plan; up to ${LARGEST_PLAN} stay in view.`),
  ];
}

function alone({ id, line, subject, verify }: DraftedTask, isJson: boolean): readonly PlanIssue[] {
  const several = severalTasksIn(subject);
  return [
    ...(isTaskId(id)
      ? []
      : [error(line, `"${id}" is not a task's id; write letters, a dash and a number, such as T-001.`)]),
    ...(isFinalTask(id)
      ? [
          error(
            line,
            `${id} is reserved for the criteria of the whole plan; write another id, such as T-001.`,
          ),
        ]
      : []),
    ...(subject === "" ? [error(line, `${id} has no subject; say in one sentence what it does.`)] : []),
    ...(several === null
      ? []
      : [
          warning(
            line,
            `${id} may be more than one task: ${several}. Split it, or say it in one sentence ${LINK_FREE}.`,
          ),
        ]),
    ...(verify === null
      ? [
          warning(
            line,
            `${id} has no check, so it stays unverified; add ${isJson ? 'a field such as: "verify": "npm test"' : "a line such as: verify: npm test"}`,
          ),
        ]
      : []),
  ];
}

/** Ids name folders, and some file systems know no case. */
function duplicates(tasks: readonly DraftedTask[]): readonly PlanIssue[] {
  const lines = new Map<string, number>();
  return tasks
    .toSorted((one, other) => one.line - other.line)
    .flatMap(({ id, line }) => {
      const before = lines.get(id.toLowerCase());
      if (before !== undefined) return error(line, `${id} is there already, in line ${before}.`);
      lines.set(id.toLowerCase(), line);
      return [];
    });
}

function blockers({ tasks, done }: DraftedPlan): readonly PlanIssue[] {
  const ids = [...tasks, ...done].map(({ id }) => id);
  const known = new Set(ids);
  const alike = new Map(ids.map((id) => [withoutZeros(id), id]));
  return tasks.flatMap((task) =>
    task.blockers.flatMap(({ id, line }) => {
      if (id === task.id) return error(line, `${id} is blocked by itself.`);
      if (known.has(id)) return [];
      const meant = alike.get(withoutZeros(id));
      const hint = meant === undefined ? "" : ` Is ${meant} meant?`;
      return error(line, `${task.id} is blocked by "${shown(id)}", which is not a task of this plan.${hint}`);
    }),
  );
}

function withoutZeros(id: string): string {
  return id.toLowerCase().replace(/-0*(?=\d)/, "-");
}

const MOST_FILES = 5;
const TEST = /(?:^|\/)(?:tests?|specs?|__tests__)\/|[._-](?:test|spec)s?\.|(?:^|\/)test_/i;

/** Files that the spec says must not change: the task that is to change them can't end. */
function outside(tasks: readonly DraftedTask[], spec: string): readonly PlanIssue[] {
  const boundaries = statedConstraints(spec).flatMap((each) => (each.kind === "only" ? [each] : []));
  const wantsTests = boundaries.length > 0 && asksForTests(spec);
  const isFree = (file: string): boolean => goesAlong(file) || (wantsTests && TEST.test(file));
  const kept = keptPlaces(spec);
  return tasks.flatMap(({ id, line, files }) => [
    ...boundaries.flatMap(({ words, places }) => {
      const others = files.filter((file) => !isFree(file) && !places.some((place) => mayMeet(place, file)));
      return others.length === 0
        ? []
        : error(line, `${id} changes ${listed(others, MOST_FILES)}, but the spec says "${shown(words)}".`);
    }),
    ...files
      .filter((file) => kept.some((place) => isInPlace(place, file.replace(/^\.\//, ""))))
      .flatMap((file) => error(line, `${id} changes ${shown(file)}, which the spec says must not change.`)),
  ]);
}

/** Whether a file or glob lies in a place, or may reach into it. */
function mayMeet(place: string, file: string): boolean {
  const fixed = file.replace(/^\.\//, "").replace(/\/?[^/]*[*?[{].*$/, "");
  const base = place.replace(/\/?[^/]*[*?[{].*$/, "");
  return fixed === "" || base === "" || isInPlace(base, fixed) || (fixed !== file && isInPlace(fixed, base));
}

/** One cycle of each knot: the next is looked for without its tasks. */
function cycles(tasks: readonly DraftedTask[]): readonly PlanIssue[] {
  const found: PlanIssue[] = [];
  let nodes = [...nodesOf(tasks).values()];
  for (let cycle = findCycle(nodes); cycle !== null; cycle = findCycle(nodes)) {
    if (found.length === MOST_CYCLES) break;
    const inside = new Set(cycle);
    const line = Math.min(...nodes.filter(({ id }) => inside.has(id)).map((node) => node.line));
    const start = cycle.indexOf(nodes.find((node) => node.line === line && inside.has(node.id))?.id ?? "");
    const inOrder = [...cycle.slice(start), ...cycle.slice(0, start)];
    found.push(error(line, `A cycle, each blocked by the next: ${cycleText(inOrder)}.`));
    nodes = nodes.filter(({ id }) => !inside.has(id));
  }
  return found;
}

interface PlanNode {
  readonly id: string;
  readonly line: number;
  readonly blockedBy: readonly string[];
}

/** By id: one that is there twice waits for what either of its tasks waits for. */
function nodesOf(tasks: readonly DraftedTask[]): ReadonlyMap<string, PlanNode> {
  const nodes = new Map<string, PlanNode>();
  for (const { id, line, blockers: all } of tasks) {
    const blockedBy = all.map((each) => each.id).filter((each) => each !== id);
    const before = nodes.get(id);
    nodes.set(id, {
      id,
      line: before?.line ?? line,
      blockedBy: [...(before?.blockedBy ?? []), ...blockedBy],
    });
  }
  return nodes;
}

function cycleText(ids: readonly string[]): string {
  const [first = ""] = ids;
  const names = ids.length <= LONGEST_CYCLE_SHOWN ? ids : [...ids.slice(0, LONGEST_CYCLE_SHOWN - 1), "…"];
  return [...names, first].join(" → ");
}

function shown(id: string): string {
  return id.length > 60 ? `${id.slice(0, 59)}…` : id;
}

/** Names in quotes or backticks; whatever they say, they are one word here. */
const NAMES = /`[^`]*`|"[^"]*"|“[^”]*”|(?<![A-Za-z0-9])'[^']*'(?![A-Za-z0-9])/g;
const SENTENCES = /[a-z0-9)]{2}[.!?][ ]+[A-Z]/;
const PAIR = /(\S+) (?:and|&) (\S+)(?: (\S+))?/gi;

const VERBS = new Set(
  `add adapt adjust allow apply build bump call change check clean cache compute configure connect convert copy cover create
  delete deploy deprecate describe detect document drop edit enable ensure export expose extend extract fetch fill filter find
  finish fix format generate handle hide implement import improve inline insert install integrate introduce join limit link list
  load log make map measure merge migrate mock move open parse patch pass port print prove publish push put raise read reduce
  refactor register reject release remove rename render replace report require reset resolve restore return review rewrite run
  save scan send serve set show simplify sort split start stop store strip support switch sync test throw track translate trim
  try tune update upgrade upload use validate verify wire wrap write`.split(/\s+/),
);
/** After a pair they show that no common noun follows. */
const LINKS = new Set(
  "a an the to for from in into on onto of at by with without as so when where which that its their then it them via per using".split(
    " ",
  ),
);

/** Why a subject says more than one task, or null. One sentence without "and" says a task; pairs that belong together count as one. */
export function severalTasksIn(subject: string): string | null {
  const plain = subject.replace(NAMES, "Name");
  if (plain.includes(";")) return 'it has a ";"';
  if (SENTENCES.test(plain)) return "it has two sentences";
  for (const [, before = "", after = "", next = ""] of plain.matchAll(PAIR))
    if (!isOneThing(plain, before, after, next)) return 'it has an "and"';
  return null;
}

/** `read and write access`, `client and server code`, `Terms and Conditions`, `between JSON and YAML`. */
function isOneThing(plain: string, before: string, after: string, next: string): boolean {
  if (plain.startsWith(`${before} and `) || before.endsWith(",")) return false;
  if (new RegExp(`\\b(?:between|both) (?:\\S+ ){0,3}and `, "i").test(plain)) return true;
  if (isCapital(before) && isCapital(after)) return true;
  if (isVerb(after)) return isVerb(before);
  return next !== "" && /^[A-Za-z`]/.test(next) && !LINKS.has(next.toLowerCase());
}

function isVerb(word: string): boolean {
  return VERBS.has(word.toLowerCase());
}

function isCapital(word: string): boolean {
  return /^[A-Z]/.test(word);
}
