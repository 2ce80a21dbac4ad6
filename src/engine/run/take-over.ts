import { dirname, join } from "node:path";
import { appraiseLoop, type KnownLoop, type SessionLoop } from "../../storage/loops/known-loop.ts";
import { expectPerson } from "../lifecycle/expect-person.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { priceTable } from "../stop/spending.ts";
import { isActiveFor, topFrame, type Loop } from "../../core/loop/loop.ts";
import { startGuardian } from "../../system/process/guardian.ts";
import { markWithRun } from "../../system/process/run-processes.ts";
import { driverOf } from "./agent-choice.ts";
import { outputQuota } from "./turn-folder.ts";
import { readApproval } from "../../storage/home/approval-record.ts";
import { findSession } from "../../storage/home/session-files.ts";
import { redactor } from "../../system/secrets/redact.ts";
import { mirrorTaskList } from "../compat/task-list-mirror.ts";
import { INTERRUPTED, type RunContext, type RunRequest } from "./run-context.ts";
import { isDrivenBy, leaveLoop, recordOurs, takeLoop, watchForLoss } from "./take-loop.ts";

/** Takes a plain loop over, with a guardian beside the run. */
export async function takeOver(
  machine: Machine,
  chosen: KnownLoop,
  request: RunRequest,
): Promise<RunContext> {
  const { choice, cli, tell } = request;
  const { live, workingDirectory } = chosen;
  const before: Loop = live.loop;
  const driver = driverOf(choice, cli);
  // This would release a held session, which only a person may do.
  if (before.binding !== null) await expectPerson(machine, "run", chosen);
  const { run } = await takeLoop(machine, chosen, choice);
  const start = request.guardians?.start ?? startGuardian;
  const guardian = start({ program: [process.execPath, cli, "guardian"], runId: run });
  tell({
    type: "began",
    loop: live.loop,
    agent: driver.title,
    permits: driver.permits(choice),
    hasRules: driver.exampleRule !== null,
    resumed: topFrame(before).iteration > 0,
  });
  return {
    machine: {
      ...machine,
      env: markWithRun(machine.env, run),
      progress: {
        checkBegins: (name) => tell({ type: "checking", name }),
        checkEnds: (name, passed) => tell({ type: "checked", name, passed }),
      },
    },
    run,
    live,
    workingDirectory,
    driver,
    choice,
    programs: join(dirname(cli), "bin"),
    guardian,
    outputQuota: outputQuota(live.project, chosen.id),
    prices: priceTable(machine),
    redact: redactor(machine.env),
    interrupts: request.interrupts,
    person: request.person,
    advise: request.advise ?? (async () => null),
    waitsUntil: request.waitsUntil ?? (() => null),
    turnUsd: driver.capsItself ? null : (request.turnUsd ?? null),
    tell,
  };
}

/** Records that this run no longer drives the loop, unless somebody just resumed it and was told that this run has it. */
export async function recordRunEnd(context: RunContext): Promise<boolean> {
  const { run, interrupts } = context;
  const loop = await context.live.record((now) => {
    const isContinued = isActiveFor(now, run) && !interrupts.asked();
    return isContinued || !isDrivenBy(now, run) ? [] : [{ type: "run.ended", run }];
  });
  return !isDrivenBy(loop, run);
}

/** Runs however the run ended. The guardian ends processes that survive a sudden stop, and doesn't stay with this run: a plan has many. */
export async function release(context: RunContext): Promise<void> {
  const { interrupts, guardian } = context;
  await leaveLoop(context);
  if (interrupts.now.aborted) guardian.sweep();
  else await guardian.dismiss();
}

/** The run's own loop, for a decision. Reads the approval record again, since somebody may have changed or deleted it. */
export function ownLoop({ machine, live, workingDirectory, run }: RunContext): SessionLoop {
  const entry = findSession(machine.home, run);
  if (entry === null) return { type: "none" };
  const approval = readApproval({ home: machine.home, root: live.project.root, loop: live.id });
  if (approval === null) return { type: "untrusted", entry };
  return { type: "loop", entry, known: { id: live.id, live, approval, workingDirectory } };
}

/** null if it is no longer trusted or damaged; the decision says why. */
export async function trustedOwnLoop(context: RunContext): Promise<KnownLoop | null> {
  const own = ownLoop(context);
  const found = own.type === "loop" ? await appraiseLoop(own.known) : null;
  return found?.type === "loop" ? found : null;
}

/** Reads the task list into the loop, if it has one. */
export async function mirrorTasks(context: RunContext): Promise<void> {
  if (topFrame(context.live.loop).exitRule !== "tasks") return;
  if ((await trustedOwnLoop(context)) !== null) await mirrorTaskList(context.machine, context.live);
}

/**
 * Runs checks that may take long. Stopping the run, or pausing, ending or taking its loop, ends them right away. null: they were
 * cut off, and the reason is recorded.
 */
export async function untilStopped<Value>(
  context: RunContext,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | null> {
  const { now } = context.interrupts;
  const own = watchForLoss(context);
  const signal = AbortSignal.any([now, own.lost]);
  try {
    signal.throwIfAborted();
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    if (now.aborted) await recordOurs(context, [INTERRUPTED]);
    return null;
  } finally {
    own.stop();
  }
}
