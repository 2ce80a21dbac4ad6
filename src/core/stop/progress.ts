import { isMet } from "../criterion.ts";
import type { Frame, TreeMark } from "../loop.ts";

const UNKNOWN = "?";

/** Everything that shows progress: the tree, the commit, and what is met, done or completed. */
export function fingerprintOf(frame: Frame, mark: TreeMark): string {
  const met = frame.criteria.filter((each) =>
    isMet(each, { tree: undefined, protectedDigest: each.evidence?.protectedDigest ?? null }),
  );
  const done = frame.steps.filter((step) => step.done).length;
  const tasks = frame.tasks.map((task) => task.status);
  return [
    mark.tree ?? UNKNOWN,
    mark.head ?? UNKNOWN,
    met.length,
    done,
    tasks.filter((status) => status === "completed").length,
    tasks.filter((status) => status === "in_progress").length,
  ].join(" ");
}

export function isSameAsFarAsKnown(before: string, after: string): boolean {
  const parts = after.split(" ");
  return before
    .split(" ")
    .every((part, index) => part === parts[index] || part === UNKNOWN || parts[index] === UNKNOWN);
}
