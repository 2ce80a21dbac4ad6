import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { evolveAll } from "../../core/evolve.ts";
import type { LoopId, SessionId } from "../../core/id.ts";
import { createLoopId } from "../../core/id.ts";
import type { ForeignLoop } from "./foreign-loop.ts";
import type { ReplyForm } from "../../agents/hosts/reply.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import { rememberProject, createLoopFolder, createProjectFolder, findProject } from "../../storage/home/project.ts";
import { createLock } from "../../storage/home/loop-lock.ts";
import type { Project } from "../../storage/home/project.ts";
import { rememberSession, findStart } from "../../storage/home/session-files.ts";
import { inspectLoop } from "../../storage/loops/locked-loop.ts";
import type { ForeignOrigin, Store } from "./find-stores.ts";
import { readStore } from "./find-stores.ts";
import { digestOfText, writeTrace } from "./trace.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { StoppingSession } from "./appraise-store.ts";
import { appraise } from "./appraise-store.ts";
import type { ScoredLoop } from "./foreign-opening.ts";
import { openingOf } from "./foreign-opening.ts";

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
