import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** A git project and an environment of its own, below a temporary folder. */
export function createBenchProject(folder: string): {
  readonly root: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
} {
  const root = join(folder, "project");
  const home = join(folder, "state");
  mkdirSync(root, { recursive: true });
  const env = { PATH: process.env["PATH"], HOME: folder, XDG_STATE_HOME: home };
  spawnSync("git", ["init", "-q"], { cwd: root, env });
  return { root, home: join(home, "loopwright"), env };
}
