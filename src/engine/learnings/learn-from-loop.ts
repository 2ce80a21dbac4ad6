import { followEntries } from "../../storage/loops/journal-entries.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import { learn, projectPath } from "./learnings-file.ts";
import type { Keeper } from "./learnings-file.ts";
import { discoveriesOf, lessonsOf } from "./lessons.ts";

/**
 * Keeps what a loop taught that has just completed or paused. If that fails, only the learnings are lost, and the ending stands.
 */
export async function learnFrom(keeper: Keeper, { loop, project, journal }: LiveLoop): Promise<void> {
  try {
    const events = (await followEntries(journal)()).map(({ event }) => event);
    const { attemptOf } = loop;
    const lessons = attemptOf === null ? lessonsOf(loop, events) : discoveriesOf(loop, attemptOf, events);
    learn(keeper, projectPath(project.root), lessons, loop.id);
  } catch {
    // see above
  }
}
