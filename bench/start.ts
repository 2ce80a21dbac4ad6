import { resolve } from "node:path";
import { createHeldProject, stopOf } from "./held-project.ts";
import type { Contender } from "./measure.ts";
import { medians, node, report } from "./measure.ts";

const CLI = resolve("dist/cli.js");

/** What people and agents wait for before anything happens: the programs, over Node without one. */
export async function benchStart(folder: string): Promise<void> {
  const { root, env } = createHeldProject(folder);
  const loop = (...words: readonly string[]): Contender => ({
    name: `loop ${words.join(" ")}`,
    run: () => node([CLI, ...words], { cwd: root, env }),
  });
  const bare = { name: "node -e 0", run: () => node(["-e", "0"], { cwd: root, env }) };
  const off = { root, env: { ...env, LOOP_DISABLE: "1" } };
  const contenders = [
    bare,
    stopOf("hook.js, switched off", "bench", off),
    stopOf("hook.js, a session without a loop", "other", { root, env }),
    stopOf("hook.js, an active loop, held", "bench", { root, env }),
    loop("--version"),
    loop("--help"),
    loop("status"),
  ];
  report("Start over bare node", await medians(contenders, 41), bare.name, {
    "hook.js, a session without a loop": "≤ 1.15",
    "hook.js, an active loop, held": "≤ 1.80",
    "loop --help": "≤ 1.60",
    "loop status": "≤ 2.00",
  });
}
