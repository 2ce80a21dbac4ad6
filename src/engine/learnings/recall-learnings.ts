import { describeCheck } from "../../core/criterion.ts";
import type { EventOf } from "../../core/event.ts";
import type { Answered, Found } from "./recall.ts";
import { findLearnings, recallWith } from "./recall.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { openingStandpoint } from "../../storage/home/standpoint.ts";
import type { AskedGoal } from "../opening/asked-loop.ts";

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
