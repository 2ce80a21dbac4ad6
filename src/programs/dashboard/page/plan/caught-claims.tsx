import type { WorkflowStatus } from "../../../../views/plan.ts";
import { caughtWords } from "../shown/words.ts";
import { choose } from "./chosen-task.ts";

/** How many claims of its attempts did not hold, by task. */
export function CaughtClaims({ workflow }: { readonly workflow: WorkflowStatus }) {
  const counts = workflow.tasks.flatMap(({ id }) => {
    const claims = workflow.attempts.filter(({ task }) => task === id).flatMap((each) => each.claims ?? []);
    const count = claims.filter(({ held }) => !held).length;
    return count === 0 ? [] : [{ id, count }];
  });
  if (counts.length === 0) return null;
  return (
    <p class="not-held dim">
      {caughtWords(counts.reduce((sum, { count }) => sum + count, 0))}:{" "}
      {counts.map(({ id, count }) => (
        <button key={id} class="plain" onClick={() => choose(id)}>
          <span class="mono">{id}</span>
          {count === 1 ? "" : ` ${count} times`}
        </button>
      ))}
    </p>
  );
}
