import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { expectPerson } from "../lifecycle/expect-person.ts";
import { expectActive } from "../lifecycle/lifecycle.ts";
import { livingDriver } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { priceTable, spentSince, transcriptOf } from "../stop/spending.ts";
import { expectNobodyUndoes } from "../lifecycle/undo.ts";
import { UserError } from "../../core/user-error.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import type { SessionId } from "../../core/loop/id.ts";
import { parseSessionId } from "../../core/loop/id.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { isActiveFor, topFrame } from "../../core/loop/loop.ts";
import { eventsOfSpending } from "../../core/stop/limits.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import { startGuardian } from "../../system/process/guardian.ts";
import { ownMark } from "../../system/process/process-facts.ts";
import { markWithRun } from "../../system/process/run-processes.ts";
import { forgetSession, rememberSession } from "../../storage/home/session-files.ts";
import { endOfAbandoned } from "./abandoned-run.ts";
import type { AgentChoice } from "./agent-choice.ts";
import { rememberAgent } from "./agent-choice.ts";
import { driverOf } from "./agents.ts";
import type { Interrupts } from "./interrupts.ts";
import type { RunNews } from "../../views/news/news.ts";
import { outputQuota } from "./output-quota.ts";
import { redactor } from "../../system/secrets/redact.ts";
import type { Person, RunContext } from "./run-context.ts";

export interface RunRequest {
  readonly choice: AgentChoice;
  /** The program itself, which also plays the guardian and rehearsals. */
  readonly cli: string;
  readonly interrupts: Interrupts;
  readonly person: Person | null;
  readonly tell: (news: RunNews) => void;
  /** Until when the agent waits for a usage limit that somebody else met; null: it doesn't. */
  readonly waitsUntil?: () => number | null;
  /** What a turn of others that share a budget with it has cost at most; null: it shares none. */
  readonly turnUsd?: number | null;
}

/** One driver per loop at a time: of two runs that begin at once, the journal accepts only one after the same record. */
export async function takeOver(
  machine: Machine,
  chosen: LockedLoop,
  request: RunRequest,
): Promise<RunContext> {
  const { choice, cli, tell } = request;
  const { live, workplace } = chosen;
  const { project, loop: before } = live;
  const run = parseSessionId(`run-${randomUUID()}`) as SessionId;
  const driver = driverOf(choice, cli);
  // This would release a held session, which only a person may do.
  if (before.binding !== null) await expectPerson(machine, "run", chosen);
  // Before the journal names it, so our own agent is always recognized.
  rememberSession(machine.home, run, { root: project.root, loop: chosen.id });
  let loop: Loop;
  try {
    loop = await live.record((now) => {
      expectActive(now);
      expectUndriven(now);
      expectNobodyUndoes(machine, project, now.id);
      return [
        ...endOfAbandoned(project, now),
        ...spentBySession(machine, now),
        { type: "run.began", run, driver: choice.driver, model: choice.model, process: ownMark() },
      ];
    });
  } catch (error) {
    forgetSession(machine.home, run, chosen.id);
    throw error;
  }
  // Only now: a run that already drives the loop keeps its own agent.
  rememberAgent(machine.home, project.root, chosen.id, choice);
  if (before.binding !== null) forgetSession(machine.home, before.binding.session, before.id);
  const guardian = startGuardian({ program: [process.execPath, cli, "guardian"], runId: run });
  tell({
    type: "began",
    loop,
    agent: driver.title,
    permits: driver.permits(choice),
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
    workplace,
    driver,
    choice,
    programs: join(dirname(cli), "bin"),
    guardian,
    outputQuota: outputQuota(project, chosen.id),
    prices: priceTable(machine),
    redact: redactor(machine.env),
    interrupts: request.interrupts,
    person: request.person,
    waitsUntil: request.waitsUntil ?? (() => null),
    turnUsd: driver.capsItself ? null : (request.turnUsd ?? null),
    tell,
  };
}

/** Charges what the previous session spent since its last stop; nobody would charge it later. */
function spentBySession(machine: Machine, loop: Loop): readonly LoopEvent[] {
  const transcript = loop.binding === null ? null : transcriptOf(machine, loop.binding.session);
  return transcript === null ? [] : eventsOfSpending(spentSince(machine, loop.transcriptCursor, transcript));
}

export function expectUndriven(loop: Loop): void {
  const driver = livingDriver(loop);
  if (driver === null) return;
  throw new UserError(
    `Process ${driver.pid} is already driving the loop ${loop.id}; watch it with: loop status --watch --loop ${loop.id}`,
  );
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

/** Runs however the run ended. The guardian ends processes that survive a sudden stop. */
export async function release(context: RunContext): Promise<void> {
  const { machine, run, live, guardian } = context;
  forgetSession(machine.home, run, live.id);
  try {
    await live.record((loop) => (isDrivenBy(loop, run) ? [{ type: "run.ended", run }] : []));
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
  if (!context.interrupts.now.aborted) await guardian.dismiss();
}

function isDrivenBy({ driven }: Loop, run: SessionId): boolean {
  return driven?.run === run && driven.process !== null;
}
