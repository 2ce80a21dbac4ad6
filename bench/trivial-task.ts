import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { median, node, write } from "./measure.ts";
import { createBenchProject } from "./project.ts";

const CLI = resolve("dist/cli.js");
const ROUNDS = 3;
const FEW = 2;
const MANY = 10;
/** The kernel counts in hundredths of a second. */
const REPEATED = 20;
const AGENT = `sh -c 'for each in $(grep -o "out-[0-9]*.txt" | head -1); do echo done > $each; done'`;

/** The processor time of a task that takes an agent and a check no time, in a small repository: what is ours. */
export function benchTrivialTask(folder: string): void {
  if (process.platform !== "linux") return write("\n(no processor time of others here, so no trivial task)");
  const bare: number[] = [];
  const worktree: number[] = [];
  const task: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { root, env, git } = projectOf(join(folder, `trivial-${round}`), FEW);
    bare.push(processorMs(() => node(["-e", "0"], { cwd: root, env }), REPEATED));
    const place = join(folder, `bare-${round}`);
    const addAndRemove = (): void => {
      git("worktree", "add", "-q", "--detach", place, "HEAD");
      git("worktree", "remove", "--force", place);
    };
    worktree.push(processorMs(addAndRemove, REPEATED));
    const [few, many] = [FEW, MANY].map((count) => planMs(join(folder, `plan-${round}-${count}`), count));
    task.push(((many ?? 0) - (few ?? 0)) / (MANY - FEW));
  }
  const unit = median(bare);
  write("\nA trivial task of a plan: processor time of loop and all that it starts, over bare node");
  for (const [name, all] of [
    ["node -e 0", bare],
    ["git worktree add + remove", worktree],
    ["a task, tried, shown, merged", task],
  ] as const)
    write(
      `  ${name.padEnd(44)} ${(median(all) / unit).toFixed(2).padStart(7)}×  ${median(all).toFixed(0)} ms`,
    );
  write("  (aim: ≤ 300 ms a task)");
}

function planMs(folder: string, count: number): number {
  const { root, env, digest } = projectOf(folder, count);
  const approved = [
    "run",
    "--plan",
    "PLAN.md",
    "--plan-digest",
    digest,
    "--parallel",
    "2",
    "--shape",
    "tool",
  ];
  return processorMs(() =>
    node([CLI, ...approved, "--agent", "command", "--command", AGENT], { cwd: root, env }),
  );
}

function projectOf(
  folder: string,
  count: number,
): Pick<ReturnType<typeof createBenchProject>, "root" | "env"> & {
  readonly digest: string;
  readonly git: (...args: readonly string[]) => void;
} {
  const { root, env } = createBenchProject(folder);
  const git = (...args: readonly string[]): void => {
    const name = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
    const { status, stderr } = spawnSync("git", [...name, ...args], { cwd: root, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  };
  const tasks = Array.from({ length: count }, (_, index) => {
    const file = `out-${index + 1}.txt`;
    return `### T-${String(index + 1).padStart(3, "0")}: Write ${file}\nverify: test -f ${file}\n`;
  });
  const plan = `# Trivial\n\n${tasks.join("\n")}`;
  writeFileSync(join(root, "PLAN.md"), plan);
  for (let file = 1; file <= 20; file += 1) writeFileSync(join(root, `f${file}.txt`), `${file}\n`);
  git("add", "-A");
  git("commit", "-qm", "first");
  return { root, env, git, digest: createHash("sha256").update(plan).digest("hex") };
}

/** Of all processes below this one that were waited for. */
function processorMs(work: () => void, times = 1): number {
  const before = ticksBelow();
  for (let count = 0; count < times; count += 1) work();
  return ((ticksBelow() - before) * MS_PER_TICK) / times;
}

const MS_PER_TICK = 10;

function ticksBelow(): number {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[13]) + Number(fields[14]);
}
