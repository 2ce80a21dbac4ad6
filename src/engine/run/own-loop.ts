import { mirrorTaskList } from "../compat/task-list-mirror.ts";
import { topFrame } from "../../core/loop/loop.ts";
import type { LockedLoop, SessionLoop } from "../../storage/loops/locked-loop.ts";
import { appraiseLoop } from "../../storage/loops/locked-loop.ts";
import { readLock } from "../../storage/home/loop-lock.ts";
import { findSession } from "../../storage/home/session-files.ts";
import type { RunContext } from "./run-context.ts";

/** The run's own loop, for a decision. Reads the lock again, since somebody may have changed or deleted it. */
export function ownLoop({ machine, live, workplace, run }: RunContext): SessionLoop {
  const entry = findSession(machine.home, run);
  if (entry === null) return { type: "none" };
  const lock = readLock({ home: machine.home, root: live.project.root, loop: live.id });
  if (lock === null) return { type: "untrusted", entry };
  return { type: "loop", entry, locked: { id: live.id, live, lock, workplace } };
}

/** null if it is no longer trusted or damaged; the decision says why. */
export async function trustedOwnLoop(context: RunContext): Promise<LockedLoop | null> {
  const own = ownLoop(context);
  const found = own.type === "loop" ? await appraiseLoop(own.locked) : null;
  return found?.type === "loop" ? found : null;
}

/** Reads the task list into the loop, if it has one. */
export async function mirrorTasks(context: RunContext): Promise<void> {
  if (topFrame(context.live.loop).exitRule !== "tasks") return;
  if ((await trustedOwnLoop(context)) !== null) await mirrorTaskList(context.machine, context.live);
}
