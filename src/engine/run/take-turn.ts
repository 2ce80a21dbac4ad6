import { taskListOf } from "../compat/task-list-mirror.ts";
import { isEnded, type Loop } from "../../core/loop/loop.ts";
import type { FileEdit, Spent } from "../../core/stop/facts.ts";
import type { AgentEvent, StreamReader, Turn, TurnReport } from "../../agents/drivers/driver.ts";
import { charge, redactAgentEvent, readKept, reportOf } from "./turn-report.ts";
import { watchForEnd } from "./end-watch.ts";
import { runAgent, type RanAgent } from "./run-agent.ts";
import type { RunContext } from "./run-context.ts";
import type { TurnFolder } from "./turn-folder.ts";
import { isAbsolute, join } from "node:path";
import { errorSignature } from "../../core/stop/error-signature.ts";
import { activityOf, type ToolEvent } from "../../storage/home/session-files.ts";
import { digestOfEdited } from "../../system/tree/file-version.ts";
import { parseSessionId } from "../../core/loop/id.ts";

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
  const { machine, driver, run, live, workingDirectory, redact } = context;
  const toolEvents = keepToolEvents(workingDirectory.folder);
  const conversations = recordConversations(context);
  const watch = watchForEnd(context, loop);

  const see = (agentEvent: AgentEvent): void => {
    toolEvents.see(agentEvent);
    watch.sees(agentEvent);
    const spent = agentEvent.type === "billed" ? charge(agentEvent.bill, context.prices) : null;
    if (spent !== null) watch.costs(spent);
    if (agentEvent.type === "conversation") conversations.named(agentEvent.id);
    context.tell({ type: "seen", agentEvent: redactAgentEvent(agentEvent, redact), usd: spent?.usd ?? null });
  };
  const ran = await runAgent({
    machine,
    driver,
    turn,
    folder,
    cwd: workingDirectory.folder,
    surroundings: {
      run,
      root: workingDirectory.root,
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
  return outcomeOf(context, ran, toolEvents);
}

/** A turn of an earlier run, from what it left behind. The content of its edits is lost. */
export function recallTurn(context: Recalling, reader: StreamReader, folder: TurnFolder): TakenTurn {
  const toolEvents = keepToolEvents(context.workingDirectory.folder);
  const ran = readKept(folder, reader, context.machine.now(), (agentEvent) => toolEvents.see(agentEvent));
  return { ...outcomeOf(context, ran, toolEvents), edits: [] };
}

/** What is needed to settle a turn. */
export type Recalling = Pick<RunContext, "machine" | "live" | "workingDirectory" | "prices" | "redact">;

function outcomeOf({ prices, redact }: Recalling, ran: RanAgent, toolEvents: ToolEventKeeper): TakenTurn {
  const { report, spent } = reportOf(ran, prices, redact);
  return {
    report,
    spent,
    edits: toolEvents.edits(),
    worked: toolEvents.worked(),
    cappedItself: report.trouble?.kind === "budget" && ran.kept.cause === null,
  };
}

export interface ToolEventKeeper {
  readonly see: (agentEvent: AgentEvent) => void;
  readonly edits: () => readonly FileEdit[];
  /** Whether the agent did anything at all, in words or tool events. */
  readonly worked: () => boolean;
}

const KEPT_TOOL_EVENTS = 10_000;

/** What an agent edits in a turn, and which failures come in between. */
export function keepToolEvents(root: string): ToolEventKeeper {
  const toolEvents: ToolEvent[] = [];
  const seen = new Map<string, string>();
  let worked = false;
  return {
    see: (agentEvent) => {
      worked ||= agentEvent.type === "said" || agentEvent.type === "used";
      if (toolEvents.length >= KEPT_TOOL_EVENTS) return;
      if (agentEvent.type === "failed") {
        seen.clear();
        toolEvents.push({ type: "failed", failure: errorSignature("agent", agentEvent.output) });
      }
      if (agentEvent.type !== "edited") return;
      const path = isAbsolute(agentEvent.path) ? agentEvent.path : join(root, agentEvent.path);
      const contentDigest = digestOfEdited(path);
      // Edits may come faster than we read them. Reading the same content twice doesn't mean a return to it.
      if (contentDigest === null || seen.get(path) === contentDigest) return;
      seen.set(path, contentDigest);
      toolEvents.push({ type: "edited", path, contentDigest });
    },
    edits: () => activityOf(toolEvents).edits,
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
