import type { Command } from "commander";
import type { UsedConfig } from "../../app/config-plan.ts";
import { freshTaskList, isTaskList, taskLists } from "../../app/task-lists.ts";
import { DEFAULT_ITERATIONS, DEFAULT_LIMITS } from "../../core/defaults.ts";
import { UserError } from "../../loops/user-error.ts";
import { oneLine } from "../../text/plain-text.ts";
import { isAttended } from "../attended.ts";
import type { Context } from "../context.ts";
import type { OpeningFlags } from "../opening.ts";
import { parseAmountOrNone, parseCountOrNone } from "../options.ts";
import type { Choices } from "../questions/choose.ts";
import { choose } from "../questions/choose.ts";
import { readAnswer } from "../questions/read-answer.ts";

type Limit = number | "none";

export interface StartFlags {
  /** `new`, `session`, or the id of a list that exists. */
  readonly taskList?: string;
  readonly startFresh?: boolean;
}

/** What is decided once, when a workflow starts. */
export interface StartSettings {
  /** null: its tasks are in no list of Claude Code's. `isNew`: nobody has it yet. */
  readonly taskList: { readonly id: string; readonly isNew: boolean } | null;
  /** undefined: the environment, the config or the default says. */
  readonly iterations: Limit | undefined;
  readonly budget: Limit | undefined;
}

export function addStartOptions(command: Command): Command {
  return command
    .option(
      "--task-list <id>",
      "mirror a workflow's tasks in this list of Claude Code; new: one of its own, session: none",
    )
    .option("--start-fresh", "cancel the unfinished workflow of this project, and start a new one");
}

/** Asks in a terminal what neither flags nor environment nor config say. Elsewhere nothing is asked. */
export async function askStart(
  context: Context,
  flags: StartFlags & Pick<OpeningFlags, "iterations" | "budget"> & { readonly json?: boolean },
  config: UsedConfig["config"],
): Promise<StartSettings> {
  const { env } = context.machine;
  const attended = isAttended(context, flags);
  const isSet = (name: string): boolean => (env[name] ?? "").trim() !== "";
  const asksIterations =
    attended &&
    flags.iterations === undefined &&
    !isSet("LOOP_MAX_ITERATIONS") &&
    config?.limits?.iterations === undefined;
  const asksBudget =
    attended && flags.budget === undefined && !isSet("LOOP_BUDGET") && config?.limits?.budget === undefined;
  return {
    taskList: await taskListFor(context, flags.taskList, attended),
    iterations: asksIterations ? await ask(context, ITERATIONS) : flags.iterations,
    budget: asksBudget ? await ask(context, BUDGET) : flags.budget,
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

const SHOWN_LISTS = 5;
const WHICH_LIST =
  "Which task list: a new one for this project, resume an existing one, or none beyond this session?";
const LIST_MODES: Choices<"new" | "resume" | "session"> = {
  words: { new: ["new"], resume: ["resume", "existing"], session: ["session", "none"] },
  usual: "new",
  atEnd: "new",
};

async function taskListFor(
  context: Context,
  given: string | undefined,
  attended: boolean,
): Promise<StartSettings["taskList"]> {
  const { machine, terminal, answers } = context;
  const fresh = (): StartSettings["taskList"] => ({ id: freshTaskList(machine), isNew: true });
  if (given === "session") return null;
  if (given !== undefined) return given === "new" ? fresh() : existing(context, given);
  const ofSession = machine.env["CLAUDE_CODE_TASK_LIST_ID"] ?? "";
  if (ofSession !== "" && isTaskList(machine, ofSession)) return { id: ofSession, isNew: false };
  if (!attended) return fresh();
  const mode = await choose(terminal, WHICH_LIST, LIST_MODES);
  if (mode === "new") return fresh();
  if (mode === "session") {
    answers.addFlags("--task-list", "session");
    return null;
  }
  return existing(context, await nameOfList(context));
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

function existing({ machine }: Context, list: string): StartSettings["taskList"] {
  if (isTaskList(machine, list)) return { id: list, isNew: false };
  throw new UserError(
    `Claude Code has no task list "${oneLine(list, 80)}"; start a new one with: --task-list new`,
  );
}
