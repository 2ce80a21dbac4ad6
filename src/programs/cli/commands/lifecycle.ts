import { Option, type Command } from "commander";
import { planFromConfig } from "../../../engine/opening/config-plan.ts";
import { keptWork } from "../../../engine/plan/open-attempts.ts";
import { otherSessionOf } from "../../../engine/lifecycle/expect-person.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { callerLocationOf, isDrivenNow, livingDriver } from "../../../storage/loops/known-loop.ts";
import { callerNow } from "../../../storage/loops/caller-now.ts";
import {
  areSeveralOpen,
  chooseAllOpen,
  chooseLoop,
  chooseLoopIfAny,
} from "../../../storage/loops/choose-loop.ts";
import { halfDoneWork } from "../../../engine/run/commit-of-loop.ts";
import { lastAttempt } from "../../../core/plan/workflow.ts";
import { declareBlocked, continueLoop, pauseLoop, signalDone } from "../../../engine/lifecycle/lifecycle.ts";
import { otherHooksNotice } from "../../../engine/lifecycle/other-version.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import { isCommitDue } from "../../../core/loop/commit.ts";
import { expectPerson } from "../../../engine/lifecycle/expect-person.ts";
import { isMet, standardOf } from "../../../core/loop/criterion.ts";
import type { SessionId } from "../../../core/loop/id.ts";
import { isDriven, isWorkflow, topFrame, type Loop } from "../../../core/loop/loop.ts";
import { noteAbandoned } from "../../../engine/run/recover-turn.ts";
import { lastAgent } from "../../../engine/run/agent-choice.ts";
import { dollars } from "../../../views/cost.ts";
import { iterationLine, pausedText } from "../../../views/loop-lines.ts";
import { pausedInSession } from "../../../views/reply.ts";
import { findHost } from "../../../agents/hosts/hosts.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { driveCommand, nextAction } from "../../../views/next-action.ts";
import { statusView } from "../../../views/status.ts";
import { bindingOf, printJson, type Context } from "../context.ts";
import { acceptOption, parseAmount, parseCount, parseSession, type AcceptFlag } from "../options.ts";
import { withWholePaths } from "../run/typed-command.ts";
import { namesCommand, addAgentOptions, choiceToGoOn, type AgentFlags } from "../run/agent-options.ts";
import { findingsOption, type PlanFlags, commitNow } from "../run/task-options.ts";
import { cancelWhole, settleAbandoned } from "../run/cancel-loop.ts";
import { driveChosen, type ViewFlags } from "../run/drive-in-terminal.ts";
import { notificationOf } from "../run/endings.ts";

interface Chosen {
  readonly loop?: string;
  readonly json?: boolean;
}

interface ContinueFlags extends AgentFlags, ViewFlags, AcceptFlag, Pick<PlanFlags, "findings"> {
  readonly deliver?: "done";
  readonly budget?: number;
  readonly iterations?: number;
  readonly maxTokens?: number;
  readonly maxMinutes?: number;
  readonly session?: SessionId;
  readonly say?: string;
}

const WHICH = ["--loop <id>", "which loop, if several are open; the start of its id is enough"] as const;
const JSON_FLAG = ["--json", "print the loop as JSON"] as const;

export function addLifecycle(program: Command, context: Context): void {
  const { machine } = context;
  const resume = program
    .command("continue")
    .description(
      "Resumes a paused loop where it left off, and resets its breakers. In an agent's session, it binds the loop to that session. In a terminal, it drives a loop that `loop run` drove last, with the same agent.",
    )
    .option("--budget <dollars>", "add this much to the budget", parseAmount)
    .option("--iterations <n>", "add this many iterations", parseCount)
    .option("--max-tokens <n>", "add this many tokens", parseCount)
    .option("--max-minutes <n>", "add this many minutes", parseAmount)
    .option("--say <text>", "tell the agent this: an answer to what it asked")
    .addOption(
      new Option("--deliver <which>", "deliver what is done of a plan, and leave the rest out").choices([
        "done",
      ]),
    )
    .option("--session <id>", "bind it to this session", parseSession)
    .option(...WHICH)
    .option("--json", "print the loop as JSON; when it drives the loop, print each event as a line of JSON");
  addAgentOptions(resume)
    .option("--verbose", "show the agent's words too")
    .addOption(acceptOption())
    .addOption(findingsOption())
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop continue\n  $ loop continue --budget=25                 add $25 to the budget\n  $ loop continue --say 'the port is 8080'     answer a blocked agent\n  $ loop continue --iterations=10 --loop fix-the-tests\n  $ loop continue --deliver done              what a plan has finished, without the rest",
    )
    .action(async (given: Chosen & ContinueFlags) => {
      const flags = namesCommand(given) ? await withWholePaths(given, machine) : given;
      const chosen = await chooseLoop(machine, flags.loop, { anySession: true });
      if (isCommitDue(chosen.live.loop)) {
        await expectPerson(machine, "continue", chosen);
        return commitNow(context, chosen, flags);
      }
      const isOurs = callerNow(machine).kind === "person" && flags.session === undefined;
      // Before anything is added to it: an agent that is not there is found out now.
      const used = planFromConfig(machine, callerLocationOf(chosen));
      const choice =
        isOurs && isRuns(machine, chosen) && !isDrivenNow(chosen.live.loop)
          ? choiceToGoOn(machine, chosen, flags, used.config)
          : null;
      const ofRuns =
        flags.accept !== undefined ? "--accept" : flags.findings !== undefined ? "--findings" : null;
      if (choice === null && ofRuns !== null)
        throw new UserError(
          `${ofRuns} applies only to driven loops, and this command would not drive the loop; leave it out.`,
        );
      await noteAbandoned(chosen);
      if (choice === null) await settleAbandoned(machine, chosen);
      const binding = bindingOf(machine, flags.session);
      const otherHooks = otherHooksNotice(machine, binding);
      if (otherHooks !== null) context.terminal.complain(`loop: ${otherHooks}`);
      const other = binding === null ? null : otherSessionOf(machine, chosen.live.loop, binding.session);
      const loop = await continueLoop(machine, chosen, {
        usd: flags.budget ?? null,
        iterations: flags.iterations ?? null,
        tokens: flags.maxTokens ?? null,
        minutes: flags.maxMinutes ?? null,
        binding,
        say: flags.say ?? null,
        leaveOut: flags.deliver === "done",
      });
      if (loop.workflow !== null && flags.deliver === "done") {
        const { endAttemptsAt } = await import("../../../engine/plan/change-plan.ts");
        await endAttemptsAt(
          machine,
          chosen,
          loop.workflow.skipped.map(({ task }) => task),
        );
      }
      const added = addedText(loop, flags);
      const acceptsWeak = (flags.accept ?? used.config?.accept) === "weak";
      if (choice !== null) {
        if (added !== null && flags.json !== true) context.terminal.print(`[LOOP] ${added}`);
        const notification = notificationOf(machine, chosen, flags.notify, used);
        const ending = { ...flags, acceptsWeak, notification };
        return driveChosen(context, chosen, choice, ending);
      }
      // 0 would say that it is completed and verified.
      if (isDrivenNow(loop)) context.endWith(1);
      const taken = other === null ? "" : `\nTaken from ${other.text}, which is no longer held.`;
      const lines = [
        ...(isDrivenNow(loop) ? [] : [iterationLine(loop)]),
        ...(added === null ? [] : [added]),
        goesOnText(loop, added !== null),
      ];
      return report(context, flags, loop, `${lines.join("\n")}${taken}`);
    });

  program
    .command("pause")
    .description("Pauses a loop right away. It no longer holds its session, and nothing is lost.")
    .option(...WHICH)
    .option(...JSON_FLAG)
    .addHelpText("after", "\nExamples:\n  $ loop pause\n  $ loop pause --loop fix-the-tests")
    .action(async (flags: Chosen) => {
      const chosen = await chooseTyped(context, flags.loop);
      if (chosen === null) return;
      await noteAbandoned(chosen);
      const loop = await pauseLoop(machine, chosen);
      report(context, flags, loop, await haltText(context, chosen, loop));
    });

  program
    .command("cancel")
    .description("Ends a loop for good. Its record is kept, and its session is free.")
    .option(...WHICH)
    .addOption(new Option("--all", "every open loop of this project").conflicts(["loop"]))
    .addOption(new Option("-y, --yes", "it asks nothing anyway").hideHelp())
    .option(...JSON_FLAG)
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop cancel\n  $ loop cancel --loop fix-the-tests\n  $ loop cancel --all",
    )
    .action(async (flags: Chosen & { readonly all?: true }) => {
      const chosen =
        flags.all === true
          ? await chooseAllOpen(machine)
          : [await chooseTyped(context, flags.loop)].filter((each) => each !== null);
      for (const each of chosen) {
        // A worktree of its own goes with it.
        const tree = await machine.git.readTree(each.workingDirectory.root);
        const loop = await cancelWhole(context, each);
        const text = cancelledText(loop, tree?.digest ?? null);
        report(
          context,
          flags,
          loop,
          [text, ...(await halfDoneLines(each)), ...(await leftEdits(machine, each))].join("\n"),
        );
      }
    });

  program
    .command("done")
    .description(
      "The agent's claim that the work is finished. At its next stop the checks run, and it may stop only if they pass.",
    )
    .option(...WHICH)
    .option(...JSON_FLAG)
    .addHelpText("after", "\nExample:\n  $ loop done")
    .action(async (flags: Chosen) => {
      const loop = await signalDone(await chooseLoop(machine, flags.loop));
      report(context, flags, loop, doneText(loop));
    });

  program
    .command("blocked")
    .description(
      "The agent's way to say that it needs a person, or that it cannot honestly pass a check. The loop pauses and keeps everything.",
    )
    .argument("<reason...>", "what is needed, or what is wrong with the check")
    .option("--check <name>", "the criterion whose check contradicts the spec or cannot pass")
    .option(...WHICH)
    .option(...JSON_FLAG)
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop blocked needs the password of the staging database\n  $ loop blocked --check 'tests pass' 'cart.test.js expects 4, the spec says 5'",
    )
    .action(async (reason: readonly string[], flags: Chosen & { check?: string }) => {
      const chosen = await chooseLoop(machine, flags.loop);
      const loop = await declareBlocked(machine, chosen, {
        check: flags.check ?? null,
        reason: reason.join(" "),
      });
      report(context, flags, loop, await haltText(context, chosen, loop));
    });
}

/** In a session, the client runs what the user typed, and shows an error of ours as one of its own. */
async function chooseTyped(
  { machine, terminal }: Context,
  wanted: string | undefined,
): Promise<KnownLoop | null> {
  if (callerNow(machine).kind === "person" || wanted !== undefined) return chooseLoop(machine, wanted);
  const chosen = await chooseLoopIfAny(machine, wanted);
  if (chosen === null) terminal.print("No loop is open in this session.");
  return chosen;
}

/** Driven last by a run, or opened by a run that never got to drive it. */
function isRuns(machine: Machine, { id, live: { loop, project } }: KnownLoop): boolean {
  if (isDriven(loop)) return true;
  return loop.binding === null && lastAgent(machine.home, project.root, id) !== null;
}

function report(context: Context, flags: Chosen, loop: Loop, text: string): void {
  if (flags.json) printJson(context, statusView(loop, null));
  else context.terminal.print(text);
}

async function haltText({ machine }: Context, { live }: KnownLoop, loop: Loop): Promise<string> {
  if (loop.phase !== "paused") return loop.phase;
  const caller = callerNow(machine);
  const host = caller.kind === "person" ? null : findHost(caller.host);
  return host === null
    ? pausedText(loop, await areSeveralOpen(machine, live.project))
    : pausedInSession(loop, host);
}

/** What the limits are now; null: nothing was added to them. */
function addedText(loop: Loop, { budget, iterations, maxTokens, maxMinutes }: ContinueFlags): string | null {
  const { budgetUsd, tokens, minutes } = loop.limits;
  const attempts = loop.workflow?.attemptLimit;
  const most = attempts ?? topFrame(loop).iterationLimit;
  const unit = attempts === undefined ? "iterations" : "attempts a task";
  const now = [
    ...(budget === undefined ? [] : [budgetUsd === null ? "no budget" : `${dollars(budgetUsd)} of budget`]),
    ...(iterations === undefined ? [] : [`${most ?? "no limit of"} ${unit}`]),
    ...(maxTokens === undefined ? [] : [`${tokens ?? "no limit of"} tokens`]),
    ...(maxMinutes === undefined ? [] : [`${minutes ?? "no limit of"} minutes`]),
  ];
  return now.length === 0 ? null : `Limits now, in all: ${now.join(", ")}.`;
}

function goesOnText(loop: Loop, hasMore: boolean): string {
  if (isDrivenNow(loop))
    return `Process ${loop.driven?.process?.pid} already drives it${hasMore ? " and uses the new limits" : ""}; watch it with: loop status --watch`;
  if (loop.binding !== null)
    return `Resumed the loop ${loop.id}.${isWorkflow(loop) ? `\nNext: ${nextAction(loop, [])}` : ""}`;
  return `The loop ${loop.id} is active again, but not bound to a session: drive it with loop run --loop ${loop.id}, or bind a session with loop continue --session ID`;
}

function doneText(loop: Loop): string {
  if (loop.binding !== null) return "Recorded. The checks decide at the next stop.";
  return `Recorded, but nobody drives this loop; finish it with: ${driveCommand(loop)}`;
}

/** A check that passed on other files than these shows nothing. */
function cancelledText(loop: Loop, tree: string | null): string {
  const frame = topFrame(loop);
  const standard = standardOf(loop, tree);
  const taskNames = (isDone: boolean): readonly string[] =>
    frame.tasks
      .filter(({ status }) => (status === "completed") === isDone)
      .map(({ id, subject }) => (isWorkflow(loop) ? `${id} ${subject}` : subject));
  const done = [
    ...taskNames(true),
    ...frame.steps.filter((step) => step.done).map((step) => step.name),
    ...frame.criteria.filter((each) => isMet(each, standard)).map((each) => each.name),
  ];
  const left = [
    ...taskNames(false),
    ...frame.steps.filter((step) => !step.done).map((step) => step.name),
    ...frame.criteria.filter((each) => !isMet(each, standard)).map((each) => each.name),
  ];
  return [`[LOOP] Cancelled: ${loop.id}`, `Done: ${listed(done)}`, `Remaining: ${listed(left)}`].join("\n");
}

/** What attempts at tasks have left behind. */
async function halfDoneLines({ id, live }: KnownLoop): Promise<readonly string[]> {
  const { loop, project } = live;
  const { workflow } = loop;
  if (loop.commit?.branch != null) {
    const kept = await halfDoneWork({ id, live });
    return kept === null ? [] : [`Half-done: see what it did with: ${kept}`];
  }
  if (workflow === null) return [];
  const open = workflow.attempts.filter(({ state }) => ["running", "finished"].includes(state.type));
  // Its run keeps the files when it notices.
  const isRunning = livingDriver(loop) !== null;
  const { branch } = workflow;
  const lines: string[] =
    branch === null || branch.tip === branch.from
      ? []
      : [`Its work so far is on the branch ${branch.name}; see it with: loop review --loop ${id}`];
  for (const { task } of workflow.givenUp) {
    const last = lastAttempt(workflow, task);
    const kept = last === null ? null : await keptWork(project.root, id, last);
    if (kept !== null) lines.push(`Given up: ${task}, see what it left with: ${kept}`);
  }
  for (const attempt of open) {
    const { task } = attempt;
    const kept = await keptWork(project.root, id, attempt);
    const look = isRunning ? `loop task show ${task} --loop ${id}` : kept;
    lines.push(`Half-done: ${task}, ${look === null ? "without changes" : `see it with: ${look}`}`);
  }
  return lines;
}

/** What its iterations changed in the user's own files, from before the first of them. */
async function leftEdits(machine: Machine, known: KnownLoop): Promise<readonly string[]> {
  const { id, live, workingDirectory } = known;
  const { driven, workflow, commit } = live.loop;
  if (driven === null || workflow !== null || commit?.branch != null) return [];
  const { changesToUndo, checkpointsOf } = await import("../../../engine/lifecycle/undo.ts");
  const undoable = { id, root: workingDirectory.root, known };
  const [first] = await checkpointsOf(undoable);
  const changes = first === undefined ? null : await changesToUndo(machine, undoable, first);
  if (first === undefined || changes === null || changes.length === 0) return [];
  return [`Its edits stay in your files; take them back with: loop undo ${first.name} --loop ${id}`];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.map((name) => oneLine(name, 80)).join(", ");
}
