import { taskListOf } from "../compat/task-list-mirror.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { FileEdit, Spent } from "../../core/stop/facts.ts";
import type { Sighting, StreamReader, Turn, TurnReport } from "../../agents/drivers/driver.ts";
import { charge, redactSighting, readKept, reportOf } from "./turn-report.ts";
import { watchForEnd } from "./end-watch.ts";
import type { RanAgent } from "./run-agent.ts";
import { runAgent } from "./run-agent.ts";
import type { RunContext } from "./run-context.ts";
import type { TurnFolder } from "./turn-folder.ts";
import { isAbsolute, join } from "node:path";
import { errorSignature } from "../../core/stop/error-signature.ts";
import type { Deed } from "../../storage/home/session-files.ts";
import { activityOf } from "../../storage/home/session-files.ts";
import { digestOfEdited } from "../../system/tree/file-version.ts";
import { parseSessionId } from "../../core/loop/id.ts";
import { isEnded } from "../../core/loop/loop.ts";

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

export interface DeedKeeper {
  readonly see: (sighting: Sighting) => void;
  readonly edits: () => readonly FileEdit[];
  /** Whether the agent did anything at all, in words or deeds. */
  readonly worked: () => boolean;
}

const KEPT_DEEDS = 10_000;

/** What an agent edits in a turn, and which failures come in between. */
export function keepDeeds(root: string): DeedKeeper {
  const deeds: Deed[] = [];
  const seen = new Map<string, string>();
  let worked = false;
  return {
    see: (sighting) => {
      worked ||= sighting.type === "said" || sighting.type === "used";
      if (deeds.length >= KEPT_DEEDS) return;
      if (sighting.type === "failed") {
        seen.clear();
        deeds.push({ type: "failed", failure: errorSignature("agent", sighting.output) });
      }
      if (sighting.type !== "edited") return;
      const path = isAbsolute(sighting.path) ? sighting.path : join(root, sighting.path);
      const contentDigest = digestOfEdited(path);
      // Edits may come faster than we read them. Reading the same content twice doesn't mean a return to it.
      if (contentDigest === null || seen.get(path) === contentDigest) return;
      seen.set(path, contentDigest);
      deeds.push({ type: "edited", path, contentDigest });
    },
    edits: () => activityOf(deeds).edits,
    worked: () => worked,
  };
}

type Conversing = Pick<RunContext, "live" | "run">;

/** An agent has one or a few conversations per turn; beyond this, new ones are ignored. */
const MOST_CONVERSATIONS = 10;

/** Records the agent's name for its conversation right away, so it is known even if nobody sees the end of the turn. */
function recordConversations(context: Conversing): {
  readonly named: (id: string) => void;
  /** Rejects with the first error of the background writes. */
  readonly recorded: () => Promise<void>;
} {
  const failures: unknown[] = [];
  let last: string | null = null;
  let count = 0;
  let done: Promise<unknown> = Promise.resolve();
  return {
    named: (id) => {
      if (id === last || count >= MOST_CONVERSATIONS) return;
      last = id;
      count += 1;
      done = done.then(() => recordConversation(context, id)).catch((error) => failures.push(error));
    },
    recorded: async () => {
      await done;
      if (failures.length > 0) throw failures[0];
    },
  };
}

export async function recordConversation(context: Conversing, id: string): Promise<void> {
  const conversation = parseSessionId(id);
  if (conversation === null) return;
  await context.live.record((loop) => {
    const isNews = loop.driven?.run === context.run && loop.driven.conversation?.id !== conversation;
    return isNews && !isEnded(loop) ? [{ type: "conversation.opened", conversation }] : [];
  });
}
