import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LoopEvent } from "../src/core/events/event.ts";
import { evolveAll } from "../src/core/events/evolve.ts";
import { loadJournal } from "../src/storage/journal/file/load.ts";
import { encodeRecord } from "../src/storage/journal/record.ts";
import { createApproval } from "../src/storage/home/approval-record.ts";
import { createProjectFolder, loopFolder, projectAt } from "../src/storage/home/project.ts";
import { medians, node, report } from "./measure.ts";
import { openingOf } from "./opening.ts";
import { createBenchProject } from "./project.ts";

const CLI = resolve("dist/cli.js");
const AGES = [100, 10_000, 1_000_000] as const;

/** `loop status` of a young loop and of very old ones. */
export async function benchStatus(folder: string): Promise<void> {
  const contenders = AGES.map((age) => {
    const { root, env } = projectOfAge(join(folder, String(age)), age);
    return {
      name: `status, a journal of ${age.toLocaleString("en")} events`,
      run: () => node([CLI, "status"], { cwd: root, env }),
    };
  });
  const [first, last] = [contenders[0], contenders.at(-1)];
  if (first === undefined || last === undefined) return;
  report("Status by the age of the loop", await medians(contenders, 15), first.name, { [last.name]: "≤ 2" });
}

function projectOfAge(
  folder: string,
  age: number,
): { readonly root: string; readonly env: NodeJS.ProcessEnv } {
  const { root, home, env } = createBenchProject(folder);
  const project = projectAt(root);
  createProjectFolder(project);
  const opening = openingOf(`age-${age}`);
  const path = join(loopFolder(project, opening.id), "journal.jsonl");
  mkdirSync(join(project.folder, "loops", opening.id));
  writeJournal(path, [opening], age);
  createApproval(home, evolveAll(null, [opening], Date.now()), {
    root,
    worktree: null,
    protectedFiles: {},
    mustNotFiles: {},
  });
  // A journal that grew record by record has its snapshot; one that was made at once gets it from the first load.
  loadJournal(path);
  return { root, env };
}

function writeJournal(path: string, opening: readonly LoopEvent[], age: number): void {
  const file = openSync(path, "wx");
  const at = Date.now();
  let position = { seq: 0, sum: "" };
  let lines = "";
  for (let count = 0; count < age; count += 1) {
    const events: readonly LoopEvent[] =
      count === 0 ? opening : [{ type: "cost.charged", usd: 0, tokens: 1, priced: true }];
    const { line, sum } = encodeRecord(position, at, "bench", events);
    position = { seq: position.seq + 1, sum };
    lines += `${line}\n`;
    if (lines.length > 1_000_000 || count === age - 1) {
      writeSync(file, lines);
      lines = "";
    }
  }
  closeSync(file);
}
