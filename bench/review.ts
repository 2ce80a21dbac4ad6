import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LoopEvent } from "../src/core/events/event.ts";
import { evolveAll } from "../src/core/events/evolve.ts";
import type { LoopId } from "../src/core/loop/id.ts";
import { encodeRecord } from "../src/storage/journal/record.ts";
import { createApproval } from "../src/storage/home/approval-record.ts";
import { createProjectFolder, loopFolder, projectAt } from "../src/storage/home/project.ts";
import { adopted, branchBegun, mergeBegun, planned, started } from "../test/support/workflow-builders.ts";
import { medians, node, report } from "./measure.ts";
import { openingOf } from "./opening.ts";
import { createBenchProject } from "./project.ts";

const CLI = resolve("dist/cli.js");
const TASKS = 300;

type Place = ReturnType<typeof createBenchProject>;

/** `loop review` of a plan whose tasks are all merged, each with a commit of its own and its attempt's journal. */
export async function benchReview(folder: string): Promise<void> {
  const place = createBenchProject(folder);
  const { root, env } = place;
  const tasks = Array.from({ length: TASKS }, (_, index) => `T-${index + 1}`);
  const [from = "", ...commits] = commitsFor(place, tasks);
  const attempts = tasks.map((task, index) => {
    const { loop } = started(task);
    const id = `${loop.slice(0, -4)}${String(index).padStart(4, "0")}` as LoopId;
    addLoop(place, id, [{ attemptOf: { loop: "plan", task, number: 1 } }, []]);
    return id;
  });
  const plan = adopted(tasks.map((task) => planned(task)));
  addLoop(place, "plan", [
    {},
    [
      plan,
      { ...branchBegun, from },
      ...tasks.flatMap((task, index): readonly LoopEvent[] => {
        const commit = commits[index] ?? "";
        const own = { task, number: 1 };
        return [
          { ...started(task), loop: attempts[index] as LoopId, base: from },
          { type: "attempt.finished", ...own, commit, confidence: "verified", doubts: [] },
          mergeBegun(index + 1, task),
          { type: "merge.ended", merge: index + 1, accepted: [{ task, commit }], setBack: [] },
        ];
      }),
    ],
  ]);
  const args = [CLI, "review", "--loop", "plan", "--json"];
  const shown = execFileSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
  if (!tasks.every((task) => shown.includes(`src/${task}.txt`))) throw new Error("not all of it is shown");
  const review = `loop review of ${TASKS} tasks`;
  const figures = await medians(
    [
      { name: "node alone", run: () => node(["-e", "0"], { cwd: root, env }) },
      { name: review, run: () => node(args, { cwd: root, env }) },
    ],
    5,
  );
  report("A large plan, reviewed", figures, "node alone", { [review]: "≤ 2,000 ms" });
}

/** The first commit, and one for each task, as the merge queue makes them. */
function commitsFor({ root, env }: Place, tasks: readonly string[]): readonly string[] {
  const author = "A <a@example.com> 1700000000 +0000";
  const commit = (message: string, files: string): string =>
    `commit refs/heads/main\nauthor ${author}\ncommitter ${author}\ndata ${Buffer.byteLength(message)}\n${message}\n${files}\n`;
  const file = (name: string, text: string): string =>
    `M 100644 inline ${name}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  const input = [
    commit("first\n", file("README.md", "A project\n")),
    ...tasks.map((task) =>
      commit(
        `Do ${task}\n\nLoop: plan\nLoop-Task: ${task}\nLoop-Attempt: 1\n`,
        file(`src/${task}.txt`, `${task}\n`.repeat(40)),
      ),
    ),
  ].join("");
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, env, input });
  const args = ["rev-list", "--reverse", "main"];
  return execFileSync("git", args, { cwd: root, env, encoding: "utf8" }).trim().split("\n");
}

function addLoop(
  { root, home }: Place,
  id: string,
  [part, events]: readonly [part: object, events: readonly LoopEvent[]],
): void {
  const project = projectAt(root);
  createProjectFolder(project);
  const opening = { ...openingOf(id), ...part };
  const folder = loopFolder(project, opening.id);
  mkdirSync(folder);
  let position = { seq: 0, sum: "" };
  let lines = "";
  for (const event of [opening, ...events]) {
    const { line, sum } = encodeRecord(position, Date.now(), "bench", [event]);
    position = { seq: position.seq + 1, sum };
    lines += `${line}\n`;
  }
  writeFileSync(join(folder, "journal.jsonl"), lines);
  const loop = evolveAll(null, [opening, ...events], Date.now());
  createApproval(home, loop, { root, worktree: null, protectedFiles: {}, mustNotFiles: {} });
}
