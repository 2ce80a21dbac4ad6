import { DEFAULT_LIMITS } from "../../core/defaults.ts";
import type { SessionId } from "../../core/id.ts";
import type { Loop } from "../../core/loop.ts";
import { isEnded, topFrame } from "../../core/loop.ts";
import type { ForeignLoop } from "./foreign-loop.ts";
import type { Host } from "../../agents/hosts/host.ts";
import type { ReplyForm } from "../../agents/hosts/reply.ts";
import type { Project } from "../../storage/home/project.ts";
import { findStart } from "../../storage/home/session-files.ts";
import { inspectLoops } from "../../storage/loops/locked-loop.ts";
import type { ForeignOrigin, Store } from "./find-stores.ts";
import { isTracked } from "./find-stores.ts";
import { isWrittenHere } from "./written-here.ts";
import { isAsLeft, readTrace } from "./trace.ts";
import type { Machine } from "../../storage/loops/machine.ts";

export interface StoppingSession {
  readonly host: Host;
  readonly session: SessionId;
  /** The folder the session works in. */
  readonly folder: string;
  readonly reply: ReplyForm;
  /** null or left out: as reported at the session's start. */
  readonly transcriptPath?: string | null;
}

const STALE_MS = DEFAULT_LIMITS.ttlMs;
const CLOCK_SLACK_MS = 5 * 60_000;

type Appraisal =
  | { readonly type: "adopt"; readonly loop: ForeignLoop }
  | { readonly type: "refuse"; readonly why: string }
  | { readonly type: "pass" };

const PASS: Appraisal = { type: "pass" };

/** Whether a store holds a loop of this session, and one that can be trusted. */
export async function appraise(
  machine: Machine,
  project: Project,
  stopping: StoppingSession,
  store: Store,
): Promise<Appraisal> {
  const { state } = store;
  if (state.type === "none" || state.type === "over") return PASS;
  if (store.origin === "task-list") {
    // Its id was set on purpose for this session, and it lasts for days, so neither age nor session matters.
    const isGivenUp = state.type !== "running" || (await wasCancelled(machine, project, store));
    return isGivenUp ? PASS : { type: "adopt", loop: state.loop };
  }
  if (!isOfSession(machine, project, stopping, store) || isTracked(project, store.origin)) return PASS;
  if (isAsLeft(readTrace(machine.home, project.root, store), store)) return PASS;
  if (await isOfAnother(machine, project, stopping.session, store.origin)) return PASS;
  if (state.type === "corrupt") return { type: "refuse", why: `${state.why}; repair or delete it` };
  const age = store.writtenAt === null ? 0 : machine.now() - store.writtenAt;
  if (age < -CLOCK_SLACK_MS) return { type: "refuse", why: `${store.name} is dated in the future` };
  if (age > STALE_MS) {
    return {
      type: "refuse",
      why: `${store.name} is stale: it was written ${Math.floor(age / 60_000)} minutes ago`,
    };
  }
  return { type: "adopt", loop: state.loop };
}

/** Written by the session after it began. If that is unknown, only the reply forms of older hooks adopt such stores. */
function isOfSession(
  machine: Machine,
  project: Project,
  { session, reply, host, transcriptPath }: StoppingSession,
  store: Store,
): boolean {
  const start = findStart(machine.home, session);
  if (start === null) return reply !== "decision";
  // In whole seconds, because some stores have no finer times.
  if (store.writtenAt === null || store.writtenAt < Math.floor(start.startedAt / 1000) * 1000) return false;
  const path = transcriptPath ?? start.transcriptPath;
  // Without a transcript, nothing more is known. Only its own program writes a topic.
  if (path === null || store.origin === "jwz") return true;
  return isWrittenHere(project, store.name, start, { path, host });
}

/** Another session's loop uses it; a session that has been silent for long no longer counts. */
async function isOfAnother(
  machine: Machine,
  project: Project,
  session: SessionId,
  origin: ForeignOrigin,
): Promise<boolean> {
  return (await loopsFrom(machine, project, origin)).some(
    (loop) =>
      !isEnded(loop) && loop.binding?.session !== session && machine.now() - loop.updatedAt <= STALE_MS,
  );
}

/** A person cancelled the loop of exactly these tasks; only a new task makes a new loop. */
async function wasCancelled(machine: Machine, project: Project, store: Store): Promise<boolean> {
  const pending = store.tasks.filter((task) => task.status !== "completed");
  return (await loopsFrom(machine, project, "task-list")).some((loop) => {
    const known = new Set(topFrame(loop).tasks.map((task) => task.id));
    return loop.phase === "cancelled" && pending.every((task) => known.has(task.id));
  });
}

async function loopsFrom(
  machine: Machine,
  project: Project,
  origin: ForeignOrigin,
): Promise<readonly Loop[]> {
  return (await inspectLoops(machine, project)).flatMap((each) =>
    each.type === "loop" && each.live.loop.origin === origin ? [each.live.loop] : [],
  );
}
