import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { medians, node, report } from "./measure.ts";
import { createBenchProject } from "./project.ts";

const HOOK = resolve("dist/hook.js");
const CLI = resolve("dist/cli.js");

/** What a stop costs the session: starting the program, finding nothing, and deciding about an active loop. */
export async function benchHook(folder: string): Promise<void> {
  const { root, env } = createBenchProject(folder);
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "a.txt"), "a\n");
  const limits = ["--iterations", "none", "--no-progress-limit", "0", "--stuck-limit", "0"];
  node([CLI, "start", "Fix it", "-c", "ok=true", "--shape", "tool", "--session", "bench", ...limits], {
    cwd: root,
    env,
  });
  const stop = (session: string): string =>
    JSON.stringify({ hook_event_name: "Stop", session_id: session, stop_hook_active: true });
  const figures = await medians(
    [
      { name: "node -e 0", run: () => node(["-e", "0"], { cwd: root, env }) },
      {
        name: "hook.js, switched off (start-up alone)",
        run: () => node([HOOK, "stop"], { cwd: root, env: { ...env, LOOP_DISABLE: "1" } }),
      },
      {
        name: "hook.js, a session without a loop",
        run: () => node([HOOK, "stop"], { cwd: root, env, input: stop("other") }),
      },
      {
        name: "hook.js, an active loop, held",
        run: () => node([HOOK, "stop"], { cwd: root, env, input: stop("bench") }),
      },
    ],
    31,
  );
  report("Hook over bare node", figures, "node -e 0", "start-up ≤ 1.15");
}
