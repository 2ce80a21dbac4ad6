import { statSync } from "node:fs";
import type { Loop } from "../../core/loop/loop.ts";
import { SAID_NOTHING, type Said } from "../../core/stop/facts.ts";
import { writeIdleLoopFile } from "./foreign-formats.ts";
import { postToTopic, continuedMessage, endedMessage, type JwzMessage } from "./jwz.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { projectAt, type Project } from "../../storage/home/project.ts";
import { digestOfText, foreignFile, isAsLeft, jwzOf, readStore, readTrace, writeTrace } from "./stores.ts";
import type { Store, Trace } from "./stores.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { showLoopTask, writeBackTasks } from "./task-list-mirror.ts";

/**
 * After a decision, writes the result to the other hook's store, in its own format. Only over what we last saw there: what was
 * deleted stays deleted, and what somebody wrote meanwhile waits for the next stop. If the store cannot be written, nothing is
 * lost, since the journal has it.
 */
export async function writeBackForeign(
  machine: Machine,
  root: string,
  loop: Loop,
  said: Said = SAID_NOTHING,
): Promise<void> {
  await writeBackTasks(machine, root, loop, said);
  await showLoopTask(machine, root, loop);
  if (loop.origin !== "idle-loop" && loop.origin !== "jwz") return;
  try {
    const project = projectAt(root);
    const store = await readStore(machine, project, loop.origin);
    const trace = readTrace(machine.home, root, store);
    if (trace === null || trace.loop !== loop.id || !isAsLeft(trace, store)) return;
    const end = endOf(loop);
    const text =
      loop.origin === "jwz" ? nextMessage(machine, loop, store, trace, end) : nextFile(loop, store, end);
    if (text === null || text === store.text) return;
    const running = end === null ? text : trace.running;
    // Before writing: a stop at this moment sees either our text or the one it knows.
    writeTrace(machine.home, root, store, {
      ...trace,
      digest: digestOfText(text),
      running,
      ended: end !== null,
    });
    try {
      await write(machine, project, loop.origin, text);
    } catch {
      writeTrace(machine.home, root, store, trace);
    }
  } catch {
    // see above
  }
}

interface End {
  readonly event: "DONE" | "ABORT";
  readonly reason: string;
}

/** A temporary pause, or one that waits for a person in the middle of the work, isn't an end. */
function endOf(loop: Loop): End | null {
  switch (loop.phase) {
    case "active":
      return null;
    case "completed":
      return { event: "DONE", reason: "COMPLETE" };
    case "cancelled":
      return { event: "ABORT", reason: "USER_CANCELLED" };
    case "paused":
      switch (loop.reason) {
        case "iterations":
          return { event: "DONE", reason: "MAX_ITERATIONS" };
        case "stuck":
        case "same-error":
        case "thrashing":
        case "no-progress":
          return { event: "DONE", reason: "STUCK" };
        case "stale":
          return { event: "DONE", reason: "STALE" };
        case "budget":
          return { event: "DONE", reason: "BUDGET" };
        case "rate-limit":
        case "blocked":
        case "must-not":
        case "unknown-error":
        case "user":
          return null;
      }
  }
}

function nextFile(loop: Loop, store: Store, end: End | null): string {
  return writeIdleLoopFile(store.text, { active: end === null, iteration: loop.frames[0].iteration });
}

/** null: nothing new for the topic. */
function nextMessage(
  machine: Machine,
  loop: Loop,
  store: Store,
  trace: Trace,
  end: End | null,
): string | null {
  const message = JSON.parse(trace.running) as JwzMessage;
  if (end !== null) {
    return store.state.type === "over" ? null : endedMessage(message, end.event, end.reason, machine.now());
  }
  const iterations = loop.frames.map((frame) => frame.iteration);
  const isSaid =
    store.state.type === "running" &&
    store.state.loop.frames.length <= iterations.length &&
    store.state.loop.frames.every((frame, index) => frame.iteration === iterations[index]);
  return isSaid ? null : continuedMessage(message, iterations, machine.now());
}

async function write(
  machine: Machine,
  project: Project,
  origin: "idle-loop" | "jwz",
  text: string,
): Promise<void> {
  if (origin === "jwz") {
    const jwz = jwzOf(machine, project);
    if (jwz !== null) await postToTopic(jwz, text);
    return;
  }
  const path = foreignFile(project, "idle-loop");
  writeAtomically(path, text, { mode: statSync(path).mode & 0o777 });
}
