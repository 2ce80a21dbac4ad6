import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cursorAtEnd } from "../cost/read-transcript.ts";
import { encodeCursor } from "../cost/spend-cursor.ts";
import { DEFAULT_ITERATIONS, DEFAULT_LIMITS, ITERATIONS_BOUND } from "../core/defaults.ts";
import type { LoopEvent, OpenedGoal } from "../core/event.ts";
import { evolveAll } from "../core/evolve.ts";
import type { LoopId, SessionId } from "../core/id.ts";
import { createLoopId } from "../core/id.ts";
import type { Binding, Limits, Loop } from "../core/loop.ts";
import { isEnded, topFrame } from "../core/loop.ts";
import { eventsOfTaskList } from "../core/mirror-tasks.ts";
import type { SpecScore } from "../rubric/score.ts";
import type { ForeignFrame, ForeignLoop } from "./foreign-loop.ts";
import type { Transcript } from "../cost/transcript.ts";
import type { Host } from "../hosts/host.ts";
import type { ReplyForm } from "../hosts/reply.ts";
import { JournalError } from "../journal/journal-error.ts";
import { rememberProject } from "../store/known-projects.ts";
import { createLock } from "../store/loop-lock.ts";
import type { Project } from "../store/project.ts";
import { createLoopFolder, createProjectFolder, findProject } from "../store/project.ts";
import { rememberSession } from "../store/session-index.ts";
import { findStart } from "../store/session-start.ts";
import { inspectLoop, inspectLoops } from "../loops/find-loop.ts";
import type { ForeignOrigin, Store } from "./find-stores.ts";
import { isTracked, readStore } from "./find-stores.ts";
import { isWrittenHere } from "./written-here.ts";
import { digestOfText, isAsLeft, readTrace, writeTrace } from "./trace.ts";
import type { Machine } from "../loops/machine.ts";

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

/**
 * The other hooks had no such breaker; their own counters end them. It only has to act before a host overrides the holds:
 * Claude Code does so after eight in a row.
 */
const ADOPTED_LIMITS: Limits = { ...DEFAULT_LIMITS, noProgress: 7 };

/**
 * Adopts a loop that another hook of this kind keeps in the project, as a loop of this session. Only for a session without a
 * loop. If there is a store that cannot be trusted, returns why nothing is held.
 */
export async function adoptStore(machine: Machine, stopping: StoppingSession): Promise<string | null> {
  if (!existsSync(stopping.folder)) return null;
  // Few stops get here, and the rubric is a quarter of the engine. Loaded first, so that what is read next stays fresh.
  const { scoreSpec } = await import("../rubric/score.ts");
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

type Appraisal =
  | { readonly type: "adopt"; readonly loop: ForeignLoop }
  | { readonly type: "refuse"; readonly why: string }
  | { readonly type: "pass" };

const PASS: Appraisal = { type: "pass" };

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

type ScoredLoop = ForeignLoop & { readonly score: SpecScore };

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
    createLock(machine.home, evolveAll(null, events, at), files);
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

function openingOf(
  id: LoopId,
  binding: Binding,
  transcript: Transcript | null,
  store: Store,
  foreign: ScoredLoop,
  at: number,
): readonly LoopEvent[] {
  const [outer, ...inner] = foreign.frames;
  const opened: LoopEvent = {
    type: "loop.opened",
    id,
    by: "agent",
    origin: foreign.origin,
    folder: "",
    goal: { ...goalOf(foreign, outer), criteria: namesOnly(foreign.criteria), steps: foreign.steps },
    score: foreign.score,
    shape: "tool",
    limits: ADOPTED_LIMITS,
    mustNots: [],
    protects: [],
    protectedDigest: null,
    redFirst: false,
    proof: "standard",
    mayChange: [],
    start: { tree: null, head: null },
    binding,
    attemptOf: null,
  };
  const events: LoopEvent[] = [
    opened,
    ...counterOf(outer),
    ...inner.flatMap((frame) => eventsOfFrame(foreign, frame)),
  ];
  // The loop isn't charged for what the session spent before.
  if (transcript !== null)
    events.push({ type: "transcript.read", cursor: encodeCursor(cursorAtEnd(transcript)) });
  return [...events, ...eventsOfTaskList(evolveAll(null, events, at), store.tasks)];
}

/** An inner frame, with its counter. */
export function eventsOfFrame(foreign: ForeignLoop, frame: ForeignFrame): readonly LoopEvent[] {
  return [{ type: "frame.pushed", goal: goalOf(foreign, frame), by: "agent" }, ...counterOf(frame)];
}

function counterOf({ iteration }: ForeignFrame): readonly LoopEvent[] {
  return iteration === 0 ? [] : [{ type: "iteration.adopted", iteration }];
}

function goalOf({ origin, spec, exitRule }: ForeignLoop, { mode, iterationLimit }: ForeignFrame): OpenedGoal {
  return {
    spec: spec === "" && origin !== "state-file" ? "Complete the task" : spec,
    exitRule,
    mode,
    iterationLimit: iterationLimit ?? (origin === "task-list" ? ITERATIONS_BOUND : DEFAULT_ITERATIONS),
    criteria: [],
    steps: [],
  };
}

function namesOnly(names: readonly string[]): OpenedGoal["criteria"] {
  return names.map((name) => ({ name, check: null }));
}
