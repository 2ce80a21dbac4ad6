import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { evolveAll } from "../../core/events/evolve.ts";
import { createLoopId, type LoopId, type SessionId } from "../../core/loop/id.ts";
import type { ForeignLoop } from "./foreign-formats.ts";
import type { ReplyForm } from "../../agents/hosts/reply.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import {
  rememberProject,
  createLoopFolder,
  createProjectFolder,
  findProject,
} from "../../storage/home/project.ts";
import { createApproval } from "../../storage/home/approval-record.ts";
import type { Project } from "../../storage/home/project.ts";
import { rememberSession, findStart } from "../../storage/home/session-files.ts";
import { inspectLoop, inspectLoops } from "../../storage/loops/known-loop.ts";
import { digestOfText, isAsLeft, isTracked, readStore, readTrace, writeTrace } from "./stores.ts";
import type { ForeignOrigin, Store } from "./stores.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { openingOf, type ScoredLoop } from "./foreign-frames.ts";
import { DEFAULT_LIMITS } from "../../core/loop/limits.ts";
import { isEnded, topFrame, type Loop } from "../../core/loop/loop.ts";
import type { Host } from "../../agents/hosts/host.ts";
import { isWrittenHere } from "./written-here.ts";

/**
 * Adopts a loop that another hook of this kind keeps in the project, as a loop of this session. Only for a session without a
 * loop. If there is a store that cannot be trusted, returns why nothing is held.
 */
export async function adoptStore(machine: Machine, stopping: StoppingSession): Promise<string | null> {
  if (!existsSync(stopping.folder)) return null;
  // Few stops get here, and the rubric is a quarter of the engine. Loaded first, so that what is read next stays fresh.
  const { scoreSpec } = await import("../../core/spec/score.ts");
  const project = findProject(stopping.folder);
  let warning: string | null = null;
  for (const origin of originsUnder(stopping.reply)) {
    try {
      const store = await readStore(machine, project, origin);
      const appraisal = await appraise(machine, project, stopping, store);
      if (appraisal.type === "adopt") {
        await adopt(machine, project, stopping, store, {
          ...appraisal.loop,
          score: scoreSpec(appraisal.loop.spec),
        });
        return null;
      }
      if (appraisal.type === "refuse") warning ??= appraisal.why;
    } catch (error) {
      warning ??= error instanceof Error ? error.message : String(error);
    }
  }
  return warning;
}

/** Each reply form belongs to an older hook, whose own store comes first. */
function originsUnder(reply: ReplyForm): readonly ForeignOrigin[] {
  switch (reply) {
    case "ok":
      return ["state-file", "task-list", "jwz", "idle-loop"];
    case "exit2":
      return ["jwz", "idle-loop", "state-file"];
    case "decision":
      return ["state-file", "jwz", "idle-loop"];
  }
}

/** In the order of every opening: first locked, then journaled, then noted for the session. */
async function adopt(
  machine: Machine,
  project: Project,
  stopping: StoppingSession,
  store: Store,
  foreign: ScoredLoop,
): Promise<void> {
  createProjectFolder(project);
  const at = machine.now();
  const { id, isOpen } = await idFor(machine, project, stopping.session, store, foreign);
  if (!isOpen) {
    const told = findStart(machine.home, stopping.session)?.transcriptPath ?? null;
    const transcriptPath = stopping.transcriptPath ?? told;
    const { transcript: format } = stopping.host;
    const transcript = transcriptPath === null || format === null ? null : { path: transcriptPath, format };
    const binding = { session: stopping.session, host: stopping.host.id };
    const events = openingOf(id, binding, transcript, store, foreign, at);
    const files = { root: project.root, worktree: null, protectedFiles: {}, mustNotFiles: {} };
    createApproval(machine.home, evolveAll(null, events, at), files);
    createLoopFolder(project, id);
    try {
      await machine.journals(project).create(id, at, events);
    } catch (error) {
      // Another stop of this session was faster, with the same loop.
      if (!(error instanceof JournalError) || error.code !== "exists") throw error;
    }
  }
  rememberSession(machine.home, stopping.session, { root: project.root, loop: id });
  // After the session's entry: a stop that finds the trace assumes that the store already has a loop.
  const digest = digestOfText(store.text);
  writeTrace(machine.home, project.root, store, { loop: id, digest, running: store.text, ended: false });
  rememberProject(machine.home, project.root, at);
}

/**
 * Derived from what was found, so two stops at once open one loop, not two. If the same text is written again after its loop
 * ended, that is another loop.
 */
async function idFor(
  machine: Machine,
  project: Project,
  session: SessionId,
  store: Store,
  foreign: ForeignLoop,
): Promise<{ readonly id: LoopId; readonly isOpen: boolean }> {
  const taken = new Set(await machine.journals(project).list());
  for (let attempt = 0; ; attempt += 1) {
    const key = [session, store.origin, store.text, store.writtenAt, attempt].join("\0");
    const suffix = BigInt(`0x${createHash("sha256").update(key).digest("hex").slice(0, 16)}`)
      .toString(36)
      .slice(-6);
    const id = createLoopId(foreign.spec, suffix);
    if (!taken.has(id)) return { id, isOpen: false };
    const found = await inspectLoop(machine, project, id);
    if (found.type === "loop" && found.live.loop.phase === "active") return { id, isOpen: true };
  }
}

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
async function appraise(
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
