import { playAll } from "./arena.ts";
import { scoresOf, type Score } from "./score.ts";
import { selectPlays } from "./select.ts";
import { loadTasks } from "./task.ts";

const PART =
  /^node-cart · ((reference|test restored|failing tests removed|exit at import|script is true) · (a promise|loop run, standard)|test restored · session, standard)$/;

/** A few endings of one task, for the tests: seconds instead of minutes. */
export async function playSmallPart(): Promise<readonly Score[]> {
  const plays = selectPlays(loadTasks("arena/tasks"), {
    isFull: true,
    runners: new Set(["node"]),
    only: PART,
  });
  return scoresOf(await playAll(plays));
}
