import type { Command } from "commander";
import {
  freshTaskList,
  hasOpenTasks,
  isTaskList,
  listOfSession,
  taskLists,
} from "../../../engine/opening/task-lists.ts";
import { taskListId } from "../../../engine/compat/stores.ts";
import { taskListName } from "../../../engine/compat/task-list.ts";
import type { OpeningFlags } from "../../../engine/opening/opener.ts";
import { standHere, type Standing } from "../../../engine/opening/resolve-opening.ts";
import type { DriverId } from "../../../agents/drivers/driver.ts";
import { DEFAULT_ITERATIONS, DEFAULT_LIMITS } from "../../../core/loop/limits.ts";
import { UserError } from "../../../core/user-error.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import type { Binding } from "../../../core/loop/loop.ts";
import { isAttended, type Context } from "../context.ts";
import { parseAmountOrNone, parseCountOrNone } from "../options.ts";
import { choose, readAnswer, type Choices } from "../questions/choose.ts";
import type { AgentChoice } from "../../../engine/run/agent-choice.ts";
import { agentChoice, type AgentFlags } from "./agent-options.ts";
import { taskListOption, type PlanFlags } from "./task-options.ts";

type Limit = number | "none";

export interface StartFlags {
  /** `new`, `session`, or the id of a list that exists. */
  readonly taskList?: string;
  readonly startFresh?: boolean;
}

/** What is decided once, when a workflow starts. */
export interface StartSettings {
  /** The list of Claude Code's in which its tasks are mirrored; null: none was chosen. */
  readonly taskList: string | null;
  /** What the answers would have been as flags. The tasks of a list that has some are the plan. */
  readonly flags: Pick<OpeningFlags, "iterations" | "budget"> & Pick<PlanFlags, "plan">;
  /** What had to be known to ask. */
  readonly known?: { readonly standing: Standing; readonly choice: AgentChoice };
}

export function addStartOptions(command: Command): Command {
  return command
    .addOption(taskListOption())
    .option(
      "--start-fresh",
      "cancel the unfinished workflow of this project, or the open loop of this plan, and start a new one",
    );
}

/** Asks in a terminal what neither flags nor environment nor config say. Elsewhere nothing is asked. */
export async function askStart(
  context: Context,
  flags: StartFlags & OpeningFlags & AgentFlags & { readonly json?: boolean },
): Promise<StartSettings> {
  const { machine } = context;
  const attended = isAttended(context, flags);
  const standing = standHere(machine, { here: flags.here === true });
  const { config } = standing.used;
  const limits = config?.limits;
  // Before anything is asked: an agent that is not there is found out now.
  const choice = agentChoice(flags, null, config, machine);
  const asks = (flag: Limit | undefined, name: string, configured: number | undefined): boolean =>
    attended && flag === undefined && (machine.env[name] ?? "").trim() === "" && configured === undefined;
  const list = await taskListFor(context, flags.taskList, attended && !HAS_NO_LISTS.has(choice.driver));
  const asksIterations = asks(flags.iterations, "LOOP_MAX_ITERATIONS", limits?.iterations);
  const asksBudget = asks(flags.budget, "LOOP_BUDGET", limits?.budget);
  return {
    taskList: list,
    known: { standing, choice },
    flags: {
      ...(list !== null && hasOpenTasks(machine, list) ? { plan: `tasks:${list}` } : {}),
      ...(asksIterations ? { iterations: await ask(context, ITERATIONS) } : {}),
      ...(asksBudget ? { budget: await ask(context, BUDGET) } : {}),
    },
  };
}

interface LimitQuestion {
  readonly text: string;
  readonly usual: number;
  /** What people call no limit here. */
  readonly unlimited: RegExp;
  readonly parse: (text: string) => Limit;
  readonly flag: string;
}

const ITERATIONS: LimitQuestion = {
  text: "How many iterations at most: 10 (quick task), 25 (medium feature), 50 (large refactor) or unlimited?",
  usual: DEFAULT_ITERATIONS,
  unlimited: /^(u|unlimited|none)$/i,
  parse: parseCountOrNone,
  flag: "--iterations",
};

const BUDGET: LimitQuestion = {
  text: "How many dollars at most: 10, 25, 50 or none?",
  usual: DEFAULT_LIMITS.budgetUsd ?? 0,
  unlimited: /^(n|none|no limit|unlimited)$/i,
  parse: parseAmountOrNone,
  flag: "--budget",
};

async function ask({ terminal, answers }: Context, question: LimitQuestion): Promise<Limit> {
  const { text, usual, unlimited, parse, flag } = question;
  for (;;) {
    const answer = await readAnswer(terminal, { text, hint: String(usual), usual: String(usual) });
    if (answer === null || answer === "") return usual;
    try {
      const limit = unlimited.test(answer) ? "none" : parse(answer.replace(/^\$/, ""));
      answers.addFlags(flag, String(limit));
      return limit;
    } catch {
      terminal.print("  Please answer with a number above 0, or none.");
    }
  }
}

/** Agents that never look at a task list of Claude Code's. A program of one's own, or a script, may play it. */
const HAS_NO_LISTS: ReadonlySet<string> = new Set<DriverId>(["codex", "gemini-cli", "opencode"]);
const SHOWN_LISTS = 5;
const WHICH_LIST =
  "Which task list of Claude Code's shows the tasks, too: a new one for this project, resume an existing one, or none beyond this session?";
const LIST_MODES: Choices<"new" | "resume" | "session"> = {
  words: { new: ["new"], resume: ["resume", "existing"], session: ["session", "none"] },
  usual: "new",
  atEnd: "new",
};

/** The list that was chosen by a flag, the environment, or in the terminal. */
export async function taskListFor(
  context: Context,
  given: string | undefined,
  asks: boolean,
): Promise<string | null> {
  const { machine, terminal, answers } = context;
  if (given === "session") return null;
  if (given !== undefined) return given === "new" ? freshTaskList(machine) : existing(context, given);
  // Whoever named one there means it, also before it has a task.
  const ofEnvironment = taskListId(machine.env);
  if (ofEnvironment !== null) return taskListName(ofEnvironment);
  if (!asks) return null;
  const mode = await choose(terminal, WHICH_LIST, LIST_MODES);
  if (mode === "new") return freshTaskList(machine);
  if (mode === "session") {
    answers.addFlags("--task-list", "session");
    return null;
  }
  return existing(context, await nameOfList(context));
}

/** Which of its host's task lists shows the work, too: the one before the user's eyes, if they didn't choose. */
export async function listInSession(
  context: Context,
  { taskList }: Pick<StartFlags, "taskList">,
  binding: Binding | null,
): Promise<string | null> {
  return taskList === undefined
    ? listOfSession(context.machine, binding)
    : taskListFor(context, taskList, false);
}

async function nameOfList({ machine, terminal, answers }: Context): Promise<string> {
  const known = taskLists(machine, SHOWN_LISTS);
  const [latest] = known;
  if (latest === undefined)
    throw new UserError("Claude Code has no task list yet; start with: --task-list new");
  terminal.print(`  Task lists: ${known.join(", ")}`);
  const answer = await readAnswer(terminal, { text: "Which one?", hint: latest, usual: latest });
  const chosen = answer === null || answer === "" ? latest : answer;
  answers.addFlags("--task-list", chosen);
  return chosen;
}

function existing({ machine }: Context, list: string): string {
  if (isTaskList(machine, list)) return list;
  throw new UserError(
    `Claude Code has no task list "${oneLine(list, 80)}"; start a new one with: --task-list new`,
  );
}
