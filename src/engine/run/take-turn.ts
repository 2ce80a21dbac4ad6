import { taskListOf } from "../compat/task-list-mirror.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { FileEdit, Spent } from "../../core/stop/facts.ts";
import type { Sighting, StreamReader, Turn, TurnReport } from "../../agents/drivers/driver.ts";
import { charge } from "./charge.ts";
import type { DeedKeeper } from "./deeds.ts";
import { keepDeeds } from "./deeds.ts";
import { watchForEnd } from "./end-watch.ts";
import { recordConversations } from "./record-conversations.ts";
import { redactSighting } from "./redact-turn.ts";
import type { RanAgent } from "./run-agent.ts";
import { runAgent } from "./run-agent.ts";
import type { RunContext } from "./run-context.ts";
import type { TurnFolder } from "./turn-folder.ts";
import { readKept, reportOf } from "./turn-report.ts";

/** A turn with everything known about it. */
export interface TakenTurn {
  readonly report: TurnReport;
  readonly spent: Spent;
  readonly edits: readonly FileEdit[];
  /** Whether the agent did anything. */
  readonly worked: boolean;
  /** It ended itself at its budget. */
  readonly cappedItself: boolean;
}

/** Starts the agent for one turn and reads its output to the end. */
export async function takeTurn(
  context: RunContext,
  loop: Loop,
  folder: TurnFolder,
  turn: Turn,
): Promise<TakenTurn> {
  const { machine, driver, run, live, workplace, redact } = context;
  const deeds = keepDeeds(workplace.folder);
  const conversations = recordConversations(context);
  const watch = watchForEnd(context, loop);

  const see = (sighting: Sighting): void => {
    deeds.see(sighting);
    watch.sees(sighting);
    const spent = sighting.type === "billed" ? charge(sighting.bill, context.prices) : null;
    if (spent !== null) watch.costs(spent);
    if (sighting.type === "conversation") conversations.named(sighting.id);
    context.tell({ type: "seen", sighting: redactSighting(sighting, redact), usd: spent?.usd ?? null });
  };
  const ran = await runAgent({
    machine,
    driver,
    turn,
    folder,
    cwd: workplace.folder,
    surroundings: {
      run,
      root: workplace.root,
      programs: context.programs,
      taskList: taskListOf(machine, live.project.root, loop),
    },
    redact,
    see,
    silenceLimitMs: context.choice.hangLimitMs,
    signal: watch.signal,
    cause: watch.cause,
    guardian: context.guardian,
  }).finally(() => watch.stop());
  await conversations.recorded();
  return outcomeOf(context, ran, deeds);
}

/** A turn of an earlier run, from what it left behind. The content of its edits is lost. */
export function recallTurn(context: Recalling, reader: StreamReader, folder: TurnFolder): TakenTurn {
  const deeds = keepDeeds(context.workplace.folder);
  const ran = readKept(folder, reader, context.machine.now(), (sighting) => deeds.see(sighting));
  return { ...outcomeOf(context, ran, deeds), edits: [] };
}

/** What is needed to settle a turn. */
export type Recalling = Pick<RunContext, "machine" | "live" | "workplace" | "prices" | "redact">;

function outcomeOf({ prices, redact }: Recalling, ran: RanAgent, deeds: DeedKeeper): TakenTurn {
  const { report, spent } = reportOf(ran, prices, redact);
  return {
    report,
    spent,
    edits: deeds.edits(),
    worked: deeds.worked(),
    cappedItself: report.trouble?.kind === "budget" && ran.kept.cause === null,
  };
}
