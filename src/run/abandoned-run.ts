import type { LockedLoop } from "../loops/locked-loop.ts";
import { livingDriver } from "../loops/living-driver.ts";
import type { Machine } from "../loops/machine.ts";
import { priceTable } from "../app/spending.ts";
import type { LoopEvent } from "../core/event.ts";
import type { Loop } from "../core/loop.ts";
import type { Project } from "../store/project.ts";
import { lastAgent } from "./agent-choice.ts";
import { chargeOpenTurn } from "./recover-turn.ts";
import { redactor } from "../secrets/redact.ts";
import { lastSignOf, turnFolder } from "./turn-folder.ts";

/** The end of a run that could not tell it: it was killed, or the machine went down. Nothing where one lives. */
export function endOfAbandoned(project: Project, loop: Loop): readonly LoopEvent[] {
  if (loop.driven === null || loop.driven.process === null || livingDriver(loop) !== null) return [];
  return [{ type: "run.ended", run: loop.driven.run, lastSeenAt: lastSeenAt(project, loop) }];
}

/** Before a loop goes on, so that the time since then does not count as work. */
export async function noteAbandoned({ live }: LockedLoop): Promise<void> {
  await live.record((loop) => endOfAbandoned(live.project, loop));
}

/** Before anybody but a run goes on with a loop, or ends it: a turn that its run left open will not be judged, but it cost. */
export async function chargeAbandoned(machine: Machine, { id, live, workplace }: LockedLoop): Promise<void> {
  const { project, loop } = live;
  const choice = lastAgent(machine.home, project.root, id);
  if (choice === null || livingDriver(loop) !== null) return;
  const recalling = { machine, live, workplace, prices: priceTable(machine), redact: redactor(machine.env) };
  await chargeOpenTurn(recalling, choice);
}

/** Between two records a turn shows that it lives by what it prints. */
function lastSeenAt(project: Project, { id, activeAt, driven }: Loop): number {
  const sign = driven?.turn == null ? null : lastSignOf(turnFolder(project, id, driven.turn.id));
  return Math.max(activeAt, sign ?? activeAt);
}
