import { statSync } from "node:fs";
import type { Loop } from "../core/loop.ts";
import { JournalError } from "../journal/journal-error.ts";
import { loadLoop } from "../loops/loop-store.ts";
import { journalPath } from "../store/project.ts";
import type { RunContext } from "./run-context.ts";

export interface OwnLoopWatch {
  /** Somebody paused, ended, deleted or took the loop; the reason says which. */
  readonly lost: AbortSignal;
  readonly stop: () => void;
}

const LOOK_MS = 500;

/** Looks, every now and then, whether the loop is still this run's to work on, and as it was. */
export function watchOwnLoop(context: RunContext, onChange: (loop: Loop) => void = () => {}): OwnLoopWatch {
  const lost = new AbortController();
  const isChanged = changeWatch(journalPath(context.project, context.loop));
  const timer = setInterval(() => {
    const found = isChanged() ? look(context) : null;
    if (found?.type === "lost") lost.abort(found.detail);
    if (found?.type === "ours") onChange(found.loop);
  }, LOOK_MS);
  return { lost: lost.signal, stop: () => clearInterval(timer) };
}

/** Whether a file grew, or went away, since the last look. */
function changeWatch(path: string): () => boolean {
  let last = -1;
  return () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === last) return false;
    last = size;
    return true;
  };
}

type Found =
  | { readonly type: "ours"; readonly loop: Loop }
  | { readonly type: "lost"; readonly detail: string };

/** null: it cannot be told. */
function look({ project, run, loop: id }: RunContext): Found | null {
  try {
    const { loop } = loadLoop(project, id);
    if (loop.phase !== "active") return { type: "lost", detail: `the loop is ${loop.phase}` };
    if (loop.binding?.session === run) return { type: "ours", loop };
    return { type: "lost", detail: "another session has taken the loop" };
  } catch (error) {
    const isGone = error instanceof JournalError && error.code === "missing";
    return isGone ? { type: "lost", detail: "the loop was deleted" } : null;
  }
}
