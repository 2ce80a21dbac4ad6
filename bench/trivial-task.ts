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

/**
 * The processor time of a task whose agent and check take none, in a small repository. Told apart: what the agent and the runs of the check
 * take when they are started by themselves, as often as in the plan, and the rest, which is ours.
 */
export function benchTrivialTask(folder: string): void {
  if (process.platform !== "linux") return write("\n(no processor time of others here, so no trivial task)");
  const times = new Map<string, number[]>();
  const note = (name: string, ms: number): void => void times.set(name, [...(times.get(name) ?? []), ms]);
  const runs = (checksRun(join(folder, "many"), MANY) - checksRun(join(folder, "few"), FEW)) / (MANY - FEW);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { root, env, git } = projectOf(join(folder, `trivial-${round}`), FEW);
    const shell = (line: string): void =>
      void spawnSync("/bin/sh", ["-c", line], { cwd: root, env, input: ASKED });
    const place = join(folder, `bare-${round}`);
    note(
      NODE,
      processorMs(() => node(["-e", "0"], { cwd: root, env }), REPEATED),
    );
    const addAndRemove = (): void => {
      git("worktree", "add", "-q", "--detach", place, "HEAD");
      git("worktree", "remove", "--force", place);
    };
    note("git worktree add + remove", processorMs(addAndRemove, REPEATED));
    const [few, many] = [FEW, MANY].map((count) => planMs(join(folder, `plan-${round}-${count}`), count));
    const task = ((many ?? 0) - (few ?? 0)) / (MANY - FEW);
    const checks = runs * processorMs(() => shell("test -f out-1.txt"), REPEATED);
    const agent = processorMs(() => shell(AGENT), REPEATED);
    note(`a task of ${MANY}, tried, shown, merged`, task);
    note(`  of that ${runs.toFixed(1)} runs of its check`, checks);
    note("  of that its agent", agent);
    note("  ours (aim: ≤ 300 ms)", task - checks - agent);
  }
  const unit = median(times.get(NODE) ?? []);
  write("\nA trivial task of a plan: processor time of loop and all that it starts, over bare node");
  for (const [name, all] of times)
    write(
      `  ${name.padEnd(44)} ${(median(all) / unit).toFixed(2).padStart(7)}×  ${median(all).toFixed(0)} ms`,
    );
}

const NODE = "node -e 0";
/** What an agent is asked names the file. */
const ASKED = "out-1.txt";

/** How often a plan runs the checks of its tasks, all in all. */
function checksRun(folder: string, count: number): number {
  const notes = join(folder, "runs");
  planMs(folder, count, `echo >> ${notes}; `);
  return readFileSync(notes, "utf8").length;
}

function planMs(folder: string, count: number, before = ""): number {
  const { root, env, digest } = projectOf(folder, count, before);
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

/** `before`: what each check does first. */
function projectOf(
  folder: string,
  count: number,
  before = "",
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
    return `### T-${String(index + 1).padStart(3, "0")}: Write ${file}\nverify: ${before}test -f ${file}\n`;
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
