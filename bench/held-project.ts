import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Contender } from "./measure.ts";
import { node } from "./measure.ts";
import { createBenchProject } from "./project.ts";

const HOOK = resolve("dist/hook.js");
const CLI = resolve("dist/cli.js");

/** Nothing pauses a loop that is stopped again and again. */
export const UNLIMITED = [
  "--iterations",
  "none",
  "--budget",
  "none",
  "--no-progress-limit",
  "0",
  "--stuck-limit",
  "0",
];

interface Place {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A project with a loop that holds the session `bench`. */
export function createHeldProject(folder: string): Place {
  const { root, env } = createBenchProject(folder);
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "a.txt"), "a\n");
  node([CLI, "start", "Fix it", "-c", "ok=true", "--shape", "tool", "--session", "bench", ...UNLIMITED], {
    cwd: root,
    env,
  });
  return { root, env };
}

export function stopOf(name: string, session: string, { root, env }: Place): Contender {
  return { name, run: () => node([HOOK, "stop"], { cwd: root, env, input: stopInput(session) }) };
}

export function stopInput(session: string): string {
  return JSON.stringify({ hook_event_name: "Stop", session_id: session, stop_hook_active: true });
}
