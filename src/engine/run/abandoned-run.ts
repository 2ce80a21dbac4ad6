import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { livingDriver } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { priceTable } from "../stop/spending.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { Project } from "../../storage/home/project.ts";
import { lastAgent } from "./agent-choice.ts";
import { chargeOpenTurn } from "./recover-turn.ts";
import { redactor } from "../../system/secrets/redact.ts";
import { lastSignOf, turnFolder } from "./turn-folder.ts";

/** The end of a run that could not record it because it was killed or the machine went down. Nothing while a run lives. */
export function endOfAbandoned(project: Project, loop: Loop): readonly LoopEvent[] {
  if (loop.driven === null || loop.driven.process === null || livingDriver(loop) !== null) return [];
  return [{ type: "run.ended", run: loop.driven.run, lastSeenAt: lastSeenAt(project, loop) }];
}

/** Recorded before a loop continues, so the time since then doesn't count as work. */
export async function noteAbandoned({ live }: LockedLoop): Promise<void> {
  await live.record((loop) => endOfAbandoned(live.project, loop));
}

/** Recorded before anyone but a run continues or ends a loop: a turn its run left open won't be judged, but it has a cost. */
export async function chargeAbandoned(machine: Machine, { id, live, workplace }: LockedLoop): Promise<void> {
  const { project, loop } = live;
  const choice = lastAgent(machine.home, project.root, id);
  if (choice === null || livingDriver(loop) !== null) return;
  const recalling = { machine, live, workplace, prices: priceTable(machine), redact: redactor(machine.env) };
  await chargeOpenTurn(recalling, choice);
}

/** Between two records, a turn's output shows that it is alive. */
function lastSeenAt(project: Project, { id, activeAt, driven }: Loop): number {
  const sign = driven?.turn == null ? null : lastSignOf(turnFolder(project, id, driven.turn.id));
  return Math.max(activeAt, sign ?? activeAt);
}
