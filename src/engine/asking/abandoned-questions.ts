import { priceTable } from "../stop/spending.ts";
import type { SessionId } from "../../core/loop/id.ts";
import { isEnded } from "../../core/loop/loop.ts";
import type { OpenQuestion } from "../../core/stages/stages.ts";
import type { Spent } from "../../core/stop/facts.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import { livingDriver } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { driverOf, parseDriverId } from "../run/agents.ts";
import { endLeftovers } from "../run/recover-turn.ts";
import type { TurnFolder } from "../run/turn-folder.ts";
import { turnFolder } from "../run/turn-folder.ts";
import { readKept, reportOf } from "../run/turn-report.ts";
import { redactor } from "../../system/secrets/redact.ts";
import { throwAway } from "../../worktrees/attempts/remove-worktree.ts";
import { keptContinued } from "./continued.ts";
import { eventsOfClose } from "./loop-account.ts";
import { worktreeOf } from "./reading-place.ts";

/**
 * Closes the questions of runs that were killed: ends what is left of them, charges what they had printed, and removes where they
 * read. They may be asked again. `run`: the one that drives the loop now; null: nobody does.
 */
export async function closeAbandonedQuestions(
  machine: Machine,
  live: LiveLoop,
  run: SessionId | null,
): Promise<void> {
  const loop = await live.refresh();
  if (isEnded(loop) || (run === null && livingDriver(loop) !== null)) return;
  for (const question of loop.stages?.questions ?? [])
    if (question.run !== run) await closeAbandoned(machine, live, question);
}

async function closeAbandoned(machine: Machine, live: LiveLoop, question: OpenQuestion): Promise<void> {
  await endLeftovers(question.run);
  const { project, id } = live;
  const spent = spentOn(machine, turnFolder(project, id, question.id), question);
  await live.record((loop) => eventsOfClose(loop, question.id, "its run was killed", spent));
  const name = question.id.replace(/-\d+$/, "");
  await throwAway(worktreeOf({ stateHome: machine.home, root: project.root, loop: id, question: name }));
}

/** By what it had printed. */
function spentOn(machine: Machine, folder: TurnFolder, { agent, model }: OpenQuestion): Spent {
  const driver = parseDriverId(agent);
  // An agent that this program doesn't know: nobody can read what it printed.
  if (driver === null) return { usd: 0, tokens: 0, priced: true, cursor: null };
  const description = driverOf({ driver, command: null, script: null }, "");
  const reader = description.readStream({ model, ...keptContinued(folder) });
  const ran = readKept(folder, reader, machine.now());
  return reportOf(ran, priceTable(machine), redactor(machine.env)).spent;
}
