import { playAll } from "./arena.ts";
import { scoresOf, type Score } from "./score.ts";
import { ECOSYSTEMS } from "./ecosystems/ecosystems.ts";
import type { Result } from "./play.ts";
import { selectDeep, selectWide } from "./select.ts";
import { loadTasks } from "./task.ts";

const PART =
  /^node-cart · ((reference|test restored|failing tests removed|exit at import|script is true) · (a promise|loop run, standard)|test restored · session, standard)$/;

const HANDFUL = / fix · (fix|exit at load: .*) · loop run, standard$/;

/** A few endings of one task, for the tests: seconds instead of minutes. */
export async function playSmallPart(): Promise<readonly Score[]> {
  const plays = selectDeep(loadTasks("arena/tasks"), {
    isFull: true,
    ecosystems: new Set(["node:test"]),
    only: PART,
  });
  return scoresOf(await playAll(plays));
}

/** Of each ecosystem whose tools have to be here already, an honest ending and another one. */
export async function playHandful(tell: (line: string) => void): Promise<readonly Result[]> {
  const ready = ECOSYSTEMS.filter(
    ({ tools }) => tools.packages === undefined && tools.comesWith === undefined,
  );
  const ecosystems = new Set(ready.map(({ name }) => name));
  return await playAll(selectWide(ready, { isFull: false, ecosystems, only: HANDFUL }), { tell });
}
