import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTree } from "../src/tree/tree-digest.ts";
import { medians, report, write } from "./measure.ts";
import { createBenchProject } from "./project.ts";

const FOLDERS = 500;
const FILES_PER_FOLDER = 100;

/** What it costs to know on which tree a check ran, in a repository of 50,000 files. */
export async function benchTree(folder: string): Promise<void> {
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
  const start = performance.now();
  await readTree({ root, stateHome: home });
  const first = performance.now() - start;
  let edits = 0;
  const figures = await medians(
    [
      { name: "git status", run: () => git("status", "--porcelain") },
      { name: "tree digest, unchanged", run: async () => void (await readTree({ root, stateHome: home })) },
      {
        name: "tree digest, one file changed",
        run: async () => {
          appendFileSync(join(root, "package-0", "module-0", "file-0.txt"), `${(edits += 1)}\n`);
          await readTree({ root, stateHome: home });
        },
      },
    ],
    9,
  );
  report("Tree digest in a repository of 50,000 files", figures, "git status");
  write(`  the very first digest of it, once: ${(first / 1000).toFixed(1)} s`);
}
