import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBenchProject } from "./project.ts";

const FOLDERS = 500;
const FILES_PER_FOLDER = 100;

/** A git project of 50,000 files, all committed. */
export function createLargeProject(folder: string): {
  readonly root: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly git: (...args: readonly string[]) => void;
} {
  const { root, home, env } = createBenchProject(folder);
  for (let each = 0; each < FOLDERS; each += 1) {
    const path = join(root, `package-${each % 20}`, `module-${each}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file += 1)
      writeFileSync(join(path, `file-${file}.txt`), `${each} ${file}\n`);
  }
  const git = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(
      "git",
      ["-c", "user.name=b", "-c", "user.email=b@example.invalid", ...args],
      { cwd: root, env, encoding: "utf8" },
    );
    if (status !== 0) throw new Error(stderr);
  };
  git("add", "-A");
  git("commit", "-qm", "all");
  return { root, home, env, git };
}
