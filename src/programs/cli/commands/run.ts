import type { Command } from "commander";
import { isCommitDue } from "../../../core/loop/commit.ts";
import { UserError } from "../../../core/user-error.ts";
import { expectPerson } from "../../../engine/lifecycle/expect-person.ts";
import { continueLoop, NO_MORE } from "../../../engine/lifecycle/lifecycle.ts";
import type { Shape } from "../../../core/loop/loop.ts";
import { planFromConfig, type UsedConfig } from "../../../engine/opening/config-plan.ts";
import { openForRun } from "../../../engine/opening/open-plain.ts";
import { openPlan, openWorkflow } from "../../../engine/opening/open-tasks.ts";
import type { OpeningFlags } from "../../../engine/opening/opener.ts";
import { openingNotices, otherLoopNotices } from "../../../engine/opening/clear-spec.ts";
import type { NamedPlan } from "../../../engine/opening/plan-source.ts";
import { resolveAllowed } from "../../../engine/opening/resolve-opening.ts";
import { expectCommittable } from "../../../engine/opening/wanted-commit.ts";
import { expectStartable } from "../../../engine/plan/drive-workflow.ts";
import type { AgentChoice } from "../../../engine/run/agent-choice.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import { callerLocationOf, type KnownLoop } from "../../../storage/loops/known-loop.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { expectOutside, type Context } from "../context.ts";
import { soundPlan } from "../find-plan.ts";
import { openerOf } from "../opener.ts";
import { addOpeningOptions, specOf, acceptOption, type AcceptFlag } from "../options.ts";
import {
  type CommitFlags,
  addCommitOptions,
  commitNow,
  expectCommitFlags,
  type WorkflowFlags,
  type PlanFlags,
  addWorkflowOptions,
  addPlanOptions,
} from "../run/task-options.ts";
import { withWholePaths } from "../run/typed-command.ts";
import {
  namesCommand,
  addAgentOptions,
  agentChoice,
  agentsOf,
  choiceToGoOn,
  planChoice,
  type AgentFlags,
} from "../run/agent-options.ts";
import type { StartFlags, StartSettings } from "../run/ask-start.ts";
import { addStartOptions, taskListFor, askStart } from "../run/ask-start.ts";
import { driveChosen, type ViewFlags } from "../run/drive-in-terminal.ts";
import { notificationOf, isTooVague, refuseLoop, tellUnclear } from "../run/endings.ts";
import { meetIdle, meetUnfinished } from "../run/meet-unfinished.ts";

interface Flags
  extends OpeningFlags, AgentFlags, ViewFlags, AcceptFlag, PlanFlags, WorkflowFlags, StartFlags, CommitFlags {
  readonly loop?: string;
}

export function addRun(program: Command, context: Context): void {
  const command = program
    .command("run")
    .description(
      "Runs an agent headless, turn by turn. After each turn it runs the checks, until they show that the spec is satisfied or a limit pauses the loop. Without a spec, it resumes the loop that is open here.",
    )
    .argument("[spec...]", "what you want, in your own words");
  addOpeningOptions(command);
  addAgentOptions(command.optionsGroup("Agent:"));
  addCommitOptions(command.optionsGroup("Commits:"));
  addStartOptions(addWorkflowOptions(command.optionsGroup("Workflow:")));
  addPlanOptions(command.optionsGroup("Plan:"));
  command
    .optionsGroup("Options:")
    .option("--loop <id>", "resume this loop instead of opening one")
    .addOption(acceptOption())
    .option("--verbose", "show the agent's words too")
    .option("--json", "print each event as a line of JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ loop run "Fix the failing tests in src/cart.js" -c "tests pass=npm test" --shape tool
  $ loop run -f spec.md -c "builds=make" --agent codex --budget 5 --iterations 20
  $ loop run "Fix the failing tests" -c "tests pass=npm test" --agent "acp:gemini --acp"
  $ loop run "Tidy the docs" --agent command --command "my-agent --stdin"
  $ loop run "Fix total() in src/cart.js" -c "tests pass=npm test" --worktree
  $ loop run "Add e2e tests" -c "e2e=npm run e2e" --not-yet e2e
  $ loop run "Release 2.1" -c "tests pass=npm test" -c "deploy=./deploy.sh staging" --once deploy
  $ loop run "Add a /health endpoint with tests" --workflow
  $ loop run --plan PLAN.md --parallel 4 -c "tests pass=npm test"
  $ loop run --plan PLAN.md --fleet postgres://localhost/fleet     on many machines
  $ loop run --loop fix-the-tests --agent codex      resume a loop, with another agent

Exit codes: 0 completed and verified, 1 error or cancelled, 2 budget, 3 iterations,
            4 another pause, 5 spec too vague, 6 finished but weak or unverified
            (0 with --accept weak), 130 interrupted`,
    )
    .action(async (words: readonly string[], given: Flags) => {
      expectOutside(context);
      const flags = namesCommand(given) ? await withWholePaths(given, context.machine) : given;
      if (flags.accept !== undefined)
        await expectPerson(context.machine, "run", null, [`--accept=${flags.accept}`]);
      if (flags.findings === "skip") await expectPerson(context.machine, "run", null, ["--findings=skip"]);
      const chosen =
        words.length > 0 || flags.file !== undefined || flags.plan !== undefined
          ? await open(context, words.join(" "), flags)
          : await goOn(context, flags);
      if (chosen === null) return;
      const { loop, choice, used } = chosen;
      const acceptsWeak = (flags.accept ?? used.config?.accept) === "weak";
      const notification = notificationOf(context.machine, loop, flags.notify, used);
      const ending = { ...flags, acceptsWeak, notification };
      await driveChosen(context, loop, choice, ending);
    });
}

interface Drivable {
  readonly loop: KnownLoop;
  readonly choice: AgentChoice;
  readonly used: Pick<UsedConfig, "config" | "path">;
}

const ANYWAY = "Did not run. To run it anyway: --shape tool";

async function open(context: Context, words: string, given: Flags): Promise<Drivable | null> {
  expectOneWay(words, given);
  const { machine, answers } = context;
  const isStaged = given.workflow === true;
  const hasTasks = isStaged || given.plan !== undefined;
  expectCommitFlags(given, hasTasks);
  if (hasTasks) await expectStartable(machine);
  const isCommitted = given.worktree === true || given.commit === true;
  if (isCommitted) await expectCommittable(machine, given);
  const ownPlan = given.plan === undefined ? null : soundPlan(context, given.plan, words);
  const met = hasTasks ? await meetUnfinished(context, given, ownPlan) : await meetIdle(context, given);
  if (met.type === "resume") return resume(context, met.loop, given);
  const begun = isStaged ? await askStart(context, given) : await planSettings(context, given, ownPlan);
  const flags = { ...given, ...begun.flags };
  // The open tasks of a list that a workflow takes up are its plan.
  const plan = ownPlan ?? (flags.plan === undefined ? null : soundPlan(context, flags.plan, words));
  const opener = openerOf(context, flags);
  const { wanted, used, notices } = await resolveAllowed(opener, {
    command: "run",
    flags,
    plan,
    readSpec: () => specOf(context, words, flags.file),
    ...(begun.known === undefined ? {} : { standing: begun.known.standing }),
  });
  // Before anything is opened: an agent that is not there is found out now.
  const agentsAre = flags.plan === undefined ? "here" : agentsOf(flags, machine, null);
  const choice = begun.known?.choice ?? agentChoice(flags, null, used.config, machine, agentsAre);
  for (const notice of notices) opener.tell(notice);
  const opening = {
    wanted,
    flags,
    worker: { type: "run", choice } as const,
    how: () => planChoice(machine, flags, { choice, last: null, used }),
    taskList: begun.taskList,
  };
  const commit = isCommitted
    ? {
        worktree: flags.worktree === true,
        commit: flags.commit === true,
        acceptsWeak: (flags.accept ?? used.config?.accept) === "weak",
        how: opening.how,
      }
    : null;
  const opened =
    plan !== null
      ? { type: "opened" as const, loop: await openPlan(opener, opening, plan, words) }
      : isStaged
        ? await openWorkflow(opener, opening)
        : await openForRun(opener, { wanted }, { flags, choice, commit });
  if (opened.type !== "opened") return tellUnclear(context, opened, { json: flags.json, anyway: ANYWAY });
  answers.forget();
  const { loop } = opened;
  const warnings = plan === null ? openingNotices : otherLoopNotices;
  for (const notice of await warnings(machine, loop)) opener.tell(notice);
  const { shape } = loop.live.loop;
  const when = opener.person === null ? null : whenItAsks(shape, { isPlan: plan !== null, hasTasks });
  if (when !== null)
    opener.tell(`It asks you ${when} and waits for the answer; to run without questions: --shape tool`);
  return { loop, choice, used };
}

/** null: it asks nothing, or a workflow that has no plan yet says so in its stages. */
function whenItAsks(
  shape: Shape,
  { isPlan, hasTasks }: { readonly isPlan: boolean; readonly hasTasks: boolean },
): string | null {
  if (shape === "colleague" && isPlan) return "after each wave";
  if (hasTasks) return null;
  if (shape === "colleague") return "after each iteration";
  return shape === "tool-review" ? "when something major is done" : null;
}

/** A spec, a workflow of one, a plan, or a loop that is there: one of them says what the work is. */
function expectOneWay(words: string, given: Flags): void {
  if (given.loop !== undefined)
    throw new UserError("Give a spec to open a loop, or --loop to resume one, not both.");
  if (given.workflow === true && given.plan !== undefined)
    throw new UserError(
      "--workflow makes a plan of a spec, and --plan names one that is there; leave one of them out.",
    );
  if (given.plan !== undefined && (words !== "" || given.file !== undefined))
    throw new UserError(
      "--plan says what the work is; write what you have to add into the plan, and leave out the spec.",
    );
  const hasTasks = given.workflow === true || given.plan !== undefined;
  if (!hasTasks && (given.startFresh === true || given.taskList !== undefined))
    throw new UserError(
      "--start-fresh and --task-list are for a new workflow; add --workflow or --plan, or leave them out.",
    );
}

/** Of a plan nothing is asked. Its list is the one that a flag names. */
async function planSettings(context: Context, flags: Flags, plan: NamedPlan | null): Promise<StartSettings> {
  const { taskList } = flags;
  if (taskList === undefined) return { taskList: null, flags: {} };
  if (plan?.name.startsWith("tasks:") === true)
    throw new UserError(
      `The tasks of ${oneLine(plan.name, 80)} are in a task list already; leave out --task-list.`,
    );
  return { taskList: await taskListFor(context, taskList, false), flags: {} };
}

/** Options that only apply when a loop is opened. */
const OF_AN_OPENING: { readonly [Name in keyof OpeningFlags]?: string } = {
  criterion: "-c (add one with: loop criteria add)",
  step: "-s (add one with: loop step add)",
  budget: "--budget (add to it with: loop continue --budget)",
  iterations: "--iterations (add to them with: loop continue --iterations)",
  maxTokens: "--max-tokens (add to them with: loop continue --max-tokens)",
  maxMinutes: "--max-minutes (add to them with: loop continue --max-minutes)",
  mustNot: "--must-not",
  protect: "--protect",
  shape: "--shape",
  stuckLimit: "--stuck-limit",
  sameErrorLimit: "--same-error-limit",
  sameFileLimit: "--same-file-limit",
  noProgressLimit: "--no-progress-limit",
  ttl: "--ttl",
  notYet: "--not-yet",
  once: "--once",
  mayChange: "--may-change",
  proof: "--proof",
  proofBudget: "--proof-budget",
  holdoutFrom: "--holdout-from",
  here: "--here",
};

const OF_A_COMMIT = { worktree: "--worktree", commit: "--commit" } as const;

async function goOn(context: Context, flags: Flags): Promise<Drivable | null> {
  const { machine } = context;
  const given = Object.entries(OF_AN_OPENING).find(
    ([name]) => flags[name as keyof OpeningFlags] !== undefined,
  );
  const flag =
    given?.[1] ?? Object.entries(OF_A_COMMIT).find(([name]) => flags[name as keyof CommitFlags])?.[1];
  if (flag !== undefined) throw new UserError(`Resuming a loop doesn't accept ${flag}.`);
  return resume(context, await chooseLoop(machine, flags.loop, { anySession: true }), flags);
}

async function resume(context: Context, chosen: KnownLoop, flags: Flags): Promise<Drivable | null> {
  const { machine } = context;
  if (isCommitDue(chosen.live.loop)) {
    await commitNow(context, chosen, flags);
    return null;
  }
  const used = planFromConfig(machine, callerLocationOf(chosen));
  const choice = choiceToGoOn(machine, chosen, flags, used.config);
  if (isTooVague(chosen.live.loop)) return refuseLoop(context, chosen.live.loop, flags);
  if (chosen.live.loop.phase === "paused") await continueLoop(machine, chosen, NO_MORE);
  return { loop: chosen, choice, used };
}
