import { checkLoop } from "../app/check-loop.ts";
import { inspectLoop } from "../loops/find-loop.ts";
import { lookFirst } from "../app/open-loop.ts";
import { mirrorTasksOf } from "../adoption/task-list-mirror.ts";
import { violatedMustNot } from "../app/violated-must-not.ts";
import { topFrame } from "../core/loop.ts";
import { isJudged } from "../core/trouble.ts";
import { loadLoop } from "../loops/loop-store.ts";
import { journalPath } from "../store/project.ts";
import { treeDigest } from "../tree/tree-digest.ts";
import { followJournal } from "./follow-journal.ts";
import type { Start } from "./launch-turn.ts";
import type { RunContext } from "./run-context.ts";
import { pauseOurs, untilStopped } from "./until-stopped.ts";

/**
 * The first prompt tells what fails now. Of a new loop it is also known later what was true before the work; of one that
 * comes from elsewhere, what has changed since its checks ran.
 */
export async function lookAtStart(context: RunContext): Promise<void> {
  const { machine, project } = context;
  await mirrorTasksOf(machine, project, context.loop);
  const { loop } = loadLoop(project, context.loop);
  const { criteria, iteration } = topFrame(loop);
  const checked = criteria.filter(({ check }) => check !== null);
  if (loop.phase !== "active") return;
  const found = inspectLoop(machine, project, context.loop);
  if (found.type !== "loop") return;
  // What is violated already costs no turn to find out.
  const look = await untilStopped(context, async ({ machine }) => ({
    violated: await violatedMustNot(machine, found),
  }));
  if (look === null) return;
  if (look.violated !== null) {
    const { violated: detail } = look;
    await pauseOurs(context, { type: "loop.paused", reason: "must-not", detail, by: "machine" });
    return;
  }
  if (checked.length === 0) return;
  if (iteration === 0 && checked.every(({ evidence }) => evidence === null)) {
    await untilStopped(context, ({ machine }) => lookFirst(machine, loadLoop(project, context.loop)));
    return;
  }
  const tree = await treeDigest({ root: project.root, stateHome: machine.home });
  const old = checked.filter(({ evidence }) => evidence?.treeDigest !== tree);
  if (old.length === 0) return;
  const names = old.map(({ name }) => name);
  await untilStopped(context, ({ machine }) => checkLoop(machine, found, names));
}

/** What the next turn has to hear: that files were brought back to before an iteration, that the last turn was cut off. */
export function sinceLastTurn({ project, loop }: RunContext): Pick<Start, "undone" | "interrupted"> {
  let undone: number | null = null;
  let isHeard = false;
  let interrupted = false;
  for (const { event } of followJournal(journalPath(project, loop))()) {
    if (event.type === "checkpoint.restored") {
      undone = event.iteration;
      isHeard = false;
    }
    if (event.type === "turn.launched") isHeard = undone !== null;
    if (event.type === "turn.ended") {
      if (isHeard && isJudged(event.outcome)) undone = null;
      interrupted = !isJudged(event.outcome) && event.outcome !== "lost-conversation";
    }
    // A session has worked on it meanwhile.
    if (event.type === "iteration.held" || event.type === "iteration.handed-back") interrupted = false;
  }
  return { undone, interrupted };
}
