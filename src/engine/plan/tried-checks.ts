import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isAboutTests, MISSING_FILE, namesIn } from "../../verify/checks/cannot-run.ts";
import type { Examination } from "../../verify/checks/run-checks.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import { listed } from "../../core/listed.ts";
import { isFinalTask, type Plan, type PlannedTask } from "../../core/plan/plan.ts";
import { runGit } from "../../system/git/run-git.ts";
import { oneLine, shellWord } from "../../system/text/plain-text.ts";
import { mayTouch } from "./conflict-forecast.ts";
import type { BlindCheck } from "../../verify/proofs/break-sources.ts";
import { pauseBlocked, type WorkflowContext } from "./take-workflow.ts";
import { recordOurs } from "../run/take-loop.ts";

const MOST_NAMED = 5;

/**
 * Says what trying every check before the work has shown, and whether the plan may start. If not, a loop that was opened for this very
 * run is cancelled, so that nothing is left of a typo; any other one is paused.
 */
export async function mayStart(
  context: WorkflowContext,
  plan: Plan,
  looked: Pick<Examination, "evidence" | "unrun">,
  root: string,
): Promise<boolean> {
  const { tell, isFirstRun } = context;
  const say = (what: string): void => tell({ type: "preparing", what });
  const passing = alreadyPassing(plan, looked);
  if (passing !== null) say(passing);
  const all = unrunChecks(plan, looked);
  const unrun = isFirstRun ? all : all.filter(({ why }) => !isAboutOwnFile(why));
  const [first] = unrun;
  if (first === undefined) return true;
  for (const { task, why } of unrun) {
    const where = await foundElsewhere(root, why);
    const hint = where === null ? "" : `; ${oneLine(where, 80)} has it: start there`;
    say(`The check of ${nameOf(task)} can't run: ${why}${hint}`);
  }
  for (const path of new Set(unrun.flatMap(({ task, why }) => uncommittedIn(context, task, why)))) {
    say(
      `Your checkout has ${oneLine(path, 80)}, and git doesn't: worktrees have only what is committed. Make it there with --setup COMMAND or --copy FILE.`,
    );
  }
  if (!isFirstRun)
    return pauseBlocked(
      context,
      `a check can't run in a fresh worktree: ${first.task.id}: ${oneLine(first.why, 100)}. Resume when it can`,
    );
  const flags = unrun.map(({ task }) => `--not-yet ${shellWord(flagName(task))}`).join(" ");
  say(
    `Nothing was started. Mend the plan and run it again; if the work creates what the check calls, run it with: ${flags}`,
  );
  await recordOurs(context, [{ type: "loop.cancelled", by: "machine" }]);
  return false;
}

const PYTHON = /pytest|unittest|nose|tox/;
const NODE = /vitest|jest|mocha|ava|jasmine|uvu|tape|node|bun|deno/;

/** What lets tests see the worktree that they run in. */
function recipeFor(runner: string): string {
  if (PYTHON.test(runner))
    return "put env PYTHONPATH=src before its command (PYTHONPATH=. without a src folder), or give each worktree its own environment with --setup 'python3 -m venv .venv && .venv/bin/pip install -e .' and a check that uses it";
  if (NODE.test(runner))
    return "install in each worktree with --setup 'npm ci', link workspaces by relative paths, and build in the check if its tests are of built files";
  return "use relative paths in workspaces and replacements, and build in the check if its tests are of built files";
}

/** A right fix would fail, and a wrong one pass. */
export function blindText({ tasks }: Pick<Plan, "tasks">, { name, runner }: BlindCheck): string {
  const task = tasks.find(({ id }) => id === name);
  const whose = task === undefined ? `"${oneLine(name, 60)}"` : nameOf(task);
  return `The tests of ${whose} pass as before although every source file of a worktree is broken: they test another checkout, so nothing that an agent does in a worktree changes them. To mend it, ${recipeFor(runner)}. More: docs/python-and-worktrees.md`;
}

/** By the name that the user gave it. */
function nameOf({ id, subject }: PlannedTask): string {
  return isFinalTask(id) ? `"${oneLine(subject, 60)}"` : id;
}

function flagName({ id, subject }: PlannedTask): string {
  return isFinalTask(id) ? subject : id;
}

/** A check that can't run, by the task that has it first. */
interface UnrunCheck {
  readonly task: PlannedTask;
  readonly why: string;
}

/** What a check says when the file that it names is missing, which the work may be about to write. */
const OWN_FILE = [/^Error: Cannot find module/, /^\S+: can't open file/, /^Could not open input file/];

/** The checks that keep a plan from starting: those that can't run, but not for a file that a task says it writes. */
function unrunChecks({ tasks }: Plan, { unrun }: Pick<Examination, "unrun">): readonly UnrunCheck[] {
  return tasks.flatMap((task) => {
    const why = unrun.get(task.id);
    return why === undefined || isToBeWritten(tasks, task, why) ? [] : [{ task, why }];
  });
}

/** A plan that a model made can't be told with a flag what its tasks write. */
function isAboutOwnFile(why: string): boolean {
  return isAboutTests(why) || OWN_FILE.some((words) => words.test(why));
}

/** Whether a task names the missing file among its files, or in its own words. */
function isToBeWritten(tasks: readonly PlannedTask[], { check }: PlannedTask, why: string): boolean {
  if (check === null || !isAboutOwnFile(why)) return false;
  const names = namesIn(check.command).filter((name) => /[./]/.test(name) && why.includes(baseOf(name)));
  return tasks.some((task) =>
    names.some(
      (name) => mayTouch(task, name) || `${task.subject}\n${task.description}`.includes(baseOf(name)),
    ),
  );
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Where else the project has a file that a check can't find; null: nowhere, or it isn't about a file. */
async function foundElsewhere(root: string, why: string): Promise<string | null> {
  if (!isAboutTests(why)) return null;
  const name = why.slice(MISSING_FILE.length);
  const { ok, stdout } = await runGit({ root, args: ["ls-files", "-z", "--", `:(glob)**/${name}`] });
  const [path] = ok ? stdout.toString("utf8").split("\0") : [];
  return path === undefined || !path.endsWith(`/${name}`) ? null : path.slice(0, -name.length - 1);
}

/** What a check calls and can't find in a worktree, although it is in the user's checkout. */
function uncommittedIn({ live }: WorkflowContext, { check }: PlannedTask, why: string): readonly string[] {
  const folder = join(live.project.root, live.loop.folder);
  const names = check === null ? [] : namesIn(check.command);
  return names
    .filter((name) => name.includes("/") && !isAbsolute(name) && why.includes(name))
    .filter((name) => existsSync(join(folder, name)));
}

/** Tasks whose check passes before anybody has worked: it can't show that they are done. A criterion of the whole may only guard. */
function alreadyPassing({ tasks }: Plan, { evidence }: Pick<Examination, "evidence">): string | null {
  const lines = new Map(
    tasks.flatMap(({ id, check }) => (check === null ? [] : [[id, describeCheck(check)]])),
  );
  const passing = new Set([...evidence].flatMap(([id, { passed }]) => (passed ? [lines.get(id)] : [])));
  const ids = tasks
    .filter(({ id }) => !isFinalTask(id) && lines.has(id) && passing.has(lines.get(id)))
    .map(({ id }) => id);
  if (ids.length === 0) return null;
  return `${listed(ids, MOST_NAMED)}: the check already passes before any work, so it cannot show that the work is done unless the work changes what it tests.`;
}
