import type { Command } from "commander";
import { attemptIterations, keptWork } from "../../../engine/plan/open-attempts.ts";
import { lastAttempt } from "../../../core/plan/workflow.ts";
import { isAbandoned } from "../../../storage/loops/known-loop.ts";
import { chooseLoop, chooseLoopToRead } from "../../../storage/loops/choose-loop.ts";
import { UserError } from "../../../core/user-error.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { taskDetails, taskViews } from "../../../views/task.ts";
import { printJson, type Context } from "../context.ts";
import { addTaskChanges } from "./change-task.ts";
import type { Claimed } from "../../../views/terminal/task-text.ts";
import type { WorkflowContext } from "../../../engine/plan/take-workflow.ts";
import { ANSWER, answerText, howToRecord } from "../read-text.ts";
import { claimedText, failedText, taskText, tasksText } from "../../../views/terminal/task-text.ts";

interface Flags {
  readonly loop?: string;
  readonly json?: boolean;
}

/** For an agent in a session, which reads it when its work falls into tasks. */
const SIDE_BY_SIDE = `Tasks side by side, in an agent's session:
  1. Open the loop with a plan, the user's spec first. Each task is one sentence without "and".

     loop start --plan - -c 'tests pass=npm test' <<'END_OF_PLAN'
     SPEC

     ### T-001: Add the schema
     verify: npm test -- schema
     files: src/schema/**

     ### T-002: Validate tokens
     blocked by: T-001
     verify: npm test -- tokens
     END_OF_PLAN

     In a workflow (loop start --workflow), leave out SPEC and -c: it has both.
  2. loop task claim T-001 T-003, then a loop:worker subagent for each, all in one message, each
     with the text printed for it.
  3. When they are back, stop. What is said to be done is judged and merged then, and you read
     what is next, until you are let go. Leave the worktrees to the workers and the merging to loop.`;

export function addTask(program: Command, context: Context): void {
  const task = program
    .command("task")
    .description(
      "Shows the tasks of a loop: their state, wave, attempts and blockers. In a session, its agent claims tasks, says that they are done, gives them back, or has advice given on those that failed. A person adds, changes and skips tasks, or has one tried again, while a plan is worked on or paused.",
    )
    .argument("[id]", "show this task, as loop task show does")
    .option("--loop <id>", "which loop, if several are open")
    .option("--json", "print them as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ loop task
  $ loop task show T-001
  $ loop task claim T-001 T-002
  $ loop task done T-001
  $ loop task drop T-002 'needs the schema of T-001'
  $ loop task add 'Document the schema' --verify 'npm run docs' --blocked-by T-001
  $ loop task edit T-003 --verify 'npm test -- tokens'
  $ loop task skip T-004
  $ loop task retry T-003 --say 'the fixture is in test/data'

${SIDE_BY_SIDE}`,
    )
    .action(async (id: string | undefined, flags: Flags) =>
      id === undefined ? list(context, flags) : show(context, id, flags),
    );
  task
    .command("list")
    .description("Shows all tasks, as `loop task` does.")
    .option("--loop <id>", "which loop, if several are open")
    .option("--json", "print them as JSON")
    .action(async (_: Flags, command: Command) => list(context, command.optsWithGlobals<Flags>()));
  task
    .command("show")
    .description("Shows one task: what it says, its check, and what its attempts came to.")
    .argument("<id>", "the task, such as T-001")
    .option("--loop <id>", "which loop, if several are open")
    .option("--json", "print it as JSON")
    .action(async (id: string, _: Flags, command: Command) =>
      show(context, id, command.optsWithGlobals<Flags>()),
    );
  addSessionTasks(task, context);
  addTaskChanges(task, context);
}

/** What the agent of a session does with the tasks of its plan. */
function addSessionTasks(task: Command, context: Context): void {
  task
    .command("claim")
    .description("Begins an attempt at each task, in a worktree of its own, and prints where and what to do.")
    .argument("<ids...>", "tasks that are ready")
    .option("--json", "print them as JSON")
    .action(async (ids: readonly string[], _: Flags, command: Command) =>
      claim(context, ids, command.optsWithGlobals<Flags>()),
    );
  task
    .command("done")
    .description(
      "Says that a task is done: its check runs, and its result is judged and merged at the next stop.",
    )
    .argument("<id>", "the task, such as T-001")
    .action(async (id: string, _: Flags, command: Command) =>
      done(context, id, command.optsWithGlobals<Flags>()),
    );
  task
    .command("drop")
    .description("Gives a task back: its attempt ends, and the next one is told why.")
    .argument("<id>", "the task, such as T-001")
    .argument("<reason...>", "what was in the way")
    .action(async (id: string, reason: readonly string[], _: Flags, command: Command) =>
      drop(context, id, reason.join(" "), command.optsWithGlobals<Flags>()),
    );
  task
    .command("counsel")
    .description(
      "Prints what somebody has to know who advises on a task that failed, or records the advice; the next attempt is told.",
    )
    .argument("<id>", "the task, such as T-001")
    .argument("[answer]", ANSWER)
    .action(async (id: string, answer: string | undefined, _: Flags, command: Command) =>
      counsel(context, id, answer, command.optsWithGlobals<Flags>()),
    );
}

async function claim(context: Context, ids: readonly string[], flags: Flags): Promise<void> {
  const { terminal } = context;
  const { claimTask } = await import("../../../engine/plan/session/session-tasks.ts");
  const session = await ofSession(context, flags);
  const claimed: Claimed[] = [];
  try {
    for (const id of ids) claimed.push(await claimTask(session, taskId(session, id)));
  } finally {
    // One that can't be claimed takes nothing from those before it.
    if (flags.json) printJson(context, { claimed });
    else if (claimed.length > 0) terminal.print(claimed.map(claimedText).join("\n\n"));
  }
}

async function done(context: Context, id: string, flags: Flags): Promise<void> {
  const { claimDone } = await import("../../../engine/plan/session/session-tasks.ts");
  const session = await ofSession(context, flags);
  const task = taskId(session, id);
  const failed = await claimDone(session, task);
  if (failed.length === 0)
    return context.terminal.print(`Recorded. ${task} is judged and merged when the session stops.`);
  for (const criterion of failed) context.terminal.print(failedText(criterion));
  throw new UserError(
    `${task} isn't done: its check fails. Fix the cause, then run: loop task done ${task}. If you don't see the cause, come back and say so: a fresh reviewer finds another approach with loop task counsel ${task}`,
  );
}

async function drop(context: Context, id: string, reason: string, flags: Flags): Promise<void> {
  const { giveBack } = await import("../../../engine/plan/session/session-tasks.ts");
  const session = await ofSession(context, flags);
  const task = taskId(session, id);
  const isKept = await giveBack(session, task, reason);
  const kept = isKept ? "Its files are kept" : "Its worktree is gone, and nothing of it is kept";
  context.terminal.print(`${task} is given back. ${kept}; begin anew with: loop task claim ${task}`);
}

async function counsel(
  context: Context,
  id: string,
  answer: string | undefined,
  flags: Flags,
): Promise<void> {
  const { machine, terminal } = context;
  const { counselBrief, recordCounsel } = await import("../../../engine/plan/session/session-questions.ts");
  const chosen = await chooseLoop(machine, flags.loop);
  const task = taskId(chosen, id);
  if (answer === undefined) {
    terminal.print(await counselBrief(machine, chosen, task));
    return terminal.print(howToRecord(`loop task counsel ${task}`));
  }
  await recordCounsel(machine, chosen, task, answerText(context, answer));
  return terminal.print(`Recorded: the next attempt at ${task} is told. Stop now.`);
}

async function ofSession({ machine, terminal }: Context, flags: Flags): Promise<WorkflowContext> {
  const { sessionContext } = await import("../../../engine/plan/session/session-context.ts");
  return sessionContext(machine, await chooseLoop(machine, flags.loop), (news) => {
    if (news.type === "preparing") terminal.complain(`loop: ${news.what}`);
  });
}

/** As the plan writes it: people and agents type ids in any case. */
function taskId({ live }: Pick<WorkflowContext, "live">, id: string): string {
  const tasks = live.loop.workflow?.plan.tasks ?? [];
  return tasks.find((task) => task.id.toLowerCase() === id.toLowerCase())?.id ?? oneLine(id, 40);
}

async function list(context: Context, flags: Flags): Promise<void> {
  const { live } = await chooseLoopToRead(context.machine, flags.loop);
  const tasks = taskViews(live.loop, isAbandoned(live.loop));
  if (flags.json) return printJson(context, { tasks });
  if (tasks.length === 0) return context.terminal.print(`The loop ${live.loop.id} has no tasks.`);
  return context.terminal.print(tasksText(context.terminal, tasks));
}

async function show(context: Context, id: string, flags: Flags): Promise<void> {
  const { live } = await chooseLoopToRead(context.machine, flags.loop);
  const tasks = taskViews(live.loop, isAbandoned(live.loop));
  const view = tasks.find((each) => each.id.toLowerCase() === id.toLowerCase());
  if (view === undefined)
    throw new UserError(
      `The loop ${live.loop.id} has no task "${oneLine(id, 40)}"; see them with: loop task`,
    );
  const iterations = await attemptIterations(context.machine, live, view.id);
  const details = taskDetails(live.loop, view, iterations);
  const last = live.loop.workflow === null ? null : lastAttempt(live.loop.workflow, view.id);
  const kept = last === null ? null : await keptWork(live.project.root, live.id, last);
  if (flags.json) return printJson(context, { task: { ...details, kept } });
  return context.terminal.print(taskText(context.terminal, details, kept));
}
