import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { readTree } from "../src/system/tree/tree-digest.ts";
import { medians, report, write } from "./measure.ts";
import { createLargeProject } from "./large-project.ts";

/** What it costs to know on which tree a check ran, in a repository of 50,000 files. */
export async function benchTree(folder: string): Promise<void> {
  const { root, home, git } = createLargeProject(folder);
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
