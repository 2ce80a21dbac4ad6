import type { Recall } from "../../core/loop/recall.ts";
import type { Keeper } from "./book.ts";
import { markLearning, knownLearnings, learningsElsewhere, projectPath } from "./book.ts";
import { strengthOf } from "./learning.ts";
import type { Learning } from "./learning.ts";
import { relevantTo } from "./relevance.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import type { EventOf } from "../../core/events/event.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { openingStandpoint } from "../../storage/home/project.ts";
import type { AskedGoal } from "../opening/asked-loop.ts";

const MOST = 5;

/** What is found for a spec, before anybody said whether it applies. */
export interface Found extends Learning {
  /** Another project learned it: only a person's word makes it count here. */
  readonly isForeign: boolean;
}

/** The learnings about what a spec is about, at most five: recent and sure ones first, this project's before those of others. */
export function findLearnings(
  keeper: Pick<Keeper, "home" | "now">,
  root: string,
  spec: string,
  { others }: { readonly others: boolean },
): readonly Found[] {
  const project = projectPath(root);
  const { learnings, dismissed, forgotten } = knownLearnings(keeper, project);
  const own = learnings.filter(({ id }) => !dismissed.has(id));
  const known = new Set([...own.map(({ id }) => id), ...dismissed, ...forgotten]);
  const foreign = others ? learningsElsewhere(keeper, project).filter(({ id }) => !known.has(id)) : [];
  const best = (found: readonly Learning[]): readonly Learning[] =>
    relevantTo(spec, found)
      .map(({ learning, relevance }) => ({ learning, rank: relevance * strengthOf(learning, keeper.now()) }))
      .toSorted((one, other) => other.rank - one.rank)
      .map(({ learning }) => learning);
  return [
    ...best(own).map((learning) => ({ ...learning, isForeign: false })),
    ...best(foreign).map((learning) => ({ ...learning, isForeign: true })),
  ].slice(0, MOST);
}

/** Which of the found learnings apply, by their ids; of the others nobody said anything. */
export interface Answered {
  readonly confirmed: ReadonlySet<string>;
  readonly dismissed: ReadonlySet<string>;
}

const NOBODY_ASKED: Answered = { confirmed: new Set(), dismissed: new Set() };

/** Remembers the answers, and says what the loop knows from now on. */
export function recallWith(
  keeper: Keeper,
  root: string,
  found: readonly Found[],
  { confirmed, dismissed }: Answered = NOBODY_ASKED,
): Recall {
  const project = projectPath(root);
  for (const learning of found) {
    if (confirmed.has(learning.id)) markLearning(keeper, project, learning, "confirmed");
    else if (dismissed.has(learning.id)) markLearning(keeper, project, learning, "dismissed");
  }
  const now = new Map(knownLearnings(keeper, project).learnings.map((each) => [each.id, each]));
  const surfaced = found
    .filter(({ id, isForeign }) => !isForeign || confirmed.has(id) || dismissed.has(id))
    .map(({ id, kind, text, confidence }) => ({
      id,
      kind,
      text,
      confidence: now.get(id)?.confidence ?? confidence,
      confirmed: confirmed.has(id) ? true : dismissed.has(id) ? false : null,
    }));
  return {
    learnings: surfaced,
    familiarity: familiarityFrom(surfaced.filter((each) => each.confirmed !== false)),
  };
}

/** What earlier loops taught about what is asked for here. `others`: of other projects, too, for a person to judge. */
export function learningsFor(
  machine: Machine,
  asked: Pick<AskedGoal, "spec" | "criteria">,
  options: { readonly others: boolean },
): readonly Found[] {
  return findLearnings(machine, openingStandpoint(machine.cwd).project.root, subjectOf(asked), options);
}

/** What the loop will know of it, after the answers; undefined: nothing was found. */
export function recallOf(
  machine: Machine,
  found: readonly Found[],
  answered?: Answered,
): EventOf<"learnings.recalled"> | undefined {
  if (found.length === 0) return undefined;
  const { root } = openingStandpoint(machine.cwd).project;
  return { type: "learnings.recalled", ...recallWith(machine, root, found, answered) };
}

/** The words of the spec, and of what has to be true at the end. */
function subjectOf({ spec, criteria }: Pick<AskedGoal, "spec" | "criteria">): string {
  const texts = criteria.map(({ name, check }) => `${name} ${check === null ? "" : describeCheck(check)}`);
  return [spec, ...texts].join("\n");
}

/** Five learnings that are certain make a project as familiar as it gets. */
const POINTS_EACH = 2;
const MOST_POINTS = 10;

/** How familiar a spec's subject is, 0 to 10: two points for each learning that was found for it, by its confidence. */
export function familiarityFrom(learnings: readonly { readonly confidence: number }[]): number {
  const points = learnings.reduce((sum, { confidence }) => sum + POINTS_EACH * confidence, 0);
  return Math.min(MOST_POINTS, Math.round(points));
}
