import { isJudged } from "../../core/stop/trouble.ts";
import { followEntries } from "../../storage/loops/journal-entries.ts";
import type { Start } from "./launch-turn.ts";
import type { RunContext } from "./run-context.ts";

/** What the next prompt has to mention: that files were restored from before an iteration, that the last turn was cut off. */
export async function sinceLastTurn({ live }: RunContext): Promise<Pick<Start, "undone" | "interrupted">> {
  let undone: number | null = null;
  let isHeard = false;
  let interrupted = false;
  for (const { event } of await followEntries(live.journal)()) {
    if (event.type === "checkpoint.restored") {
      undone = event.iteration;
      isHeard = false;
    }
    if (event.type === "turn.launched") isHeard = undone !== null;
    if (event.type === "turn.ended") {
      if (isHeard && isJudged(event.outcome)) undone = null;
      interrupted = !isJudged(event.outcome) && event.outcome !== "lost-conversation";
    }
    // A session worked on it meanwhile.
    if (event.type === "iteration.held" || event.type === "iteration.handed-back") interrupted = false;
  }
  return { undone, interrupted };
}
