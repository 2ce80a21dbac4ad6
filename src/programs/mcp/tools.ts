import { VERIFICATION_TYPES } from "../../core/loop/criterion.ts";

/** One of the agent's own commands as a tool. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly fields: { readonly [name: string]: Field };
  /** Whether it only looks. */
  readonly isReading?: true;
  /** The words behind `loop`. Values that begin like an option are never taken for one. */
  readonly words: (input: ToolInput) => readonly string[];
}

export interface Field {
  readonly type: "text" | "texts";
  readonly description: string;
  readonly isNeeded?: true;
  readonly choices?: readonly string[];
}

/** What a caller gave, checked against the fields of its tool. */
export interface ToolInput {
  text(name: string): string | null;
  texts(name: string): readonly string[];
}

const LOOP: Field = { type: "text", description: "The loop's id, if several are open." };
const TASK_ACTIONS = ["list", "show", "claim", "done", "drop"];
const STEP_CHANGES = ["add", "done", "reopen", "remove"];

/** The name of the tool whose checks are looked up first. */
export const START = "start";

/**
 * What an agent needs at work. Whatever loosens a loop isn't here: trust, approve, budgets, limits, cancel, continue, pause, and
 * commands of its own as checks.
 */
export const TOOLS: readonly Tool[] = [
  {
    name: "status",
    description:
      "Shows the loop: phase, criteria with their evidence, cost, the next step, and why it stopped.",
    fields: { loop: LOOP },
    isReading: true,
    words: (input) => ["status", ...loopOf(input)],
  },
  {
    name: "check",
    description: "Runs the loop's checks now and records the evidence. May take minutes.",
    fields: {
      criteria: { type: "texts", description: "Names of criteria; all of them if this is left out." },
      loop: LOOP,
    },
    words: (input) => ["check", "--wait", ...loopOf(input), "--", ...input.texts("criteria")],
  },
  {
    name: "done",
    description: "Claims that the work is finished. The checks decide at the next stop.",
    fields: { loop: LOOP },
    words: (input) => ["done", ...loopOf(input)],
  },
  {
    name: "blocked",
    description:
      "Says why a person is needed, or which check contradicts the spec or cannot pass. The loop pauses.",
    fields: {
      reason: {
        type: "text",
        description: "What is needed, or what is wrong with the check.",
        isNeeded: true,
      },
      check: { type: "text", description: "The criterion whose check is wrong." },
      loop: LOOP,
    },
    words: (input) => [
      "blocked",
      ...option("check", input),
      ...loopOf(input),
      "--",
      ...given("reason", input),
    ],
  },
  {
    name: "step",
    description: "Shows the planned steps, or changes one: add, done, reopen, remove.",
    fields: {
      change: { type: "text", description: "What to do with the step.", choices: STEP_CHANGES },
      name: { type: "text", description: "The step." },
      loop: LOOP,
    },
    words: (input) =>
      input.text("change") === null
        ? ["step", ...loopOf(input)]
        : ["step", ...given("change", input), ...loopOf(input), "--", ...given("name", input)],
  },
  {
    name: "task",
    description:
      "Shows the tasks of a plan, claims tasks that are ready, says that one is done, or gives one back with the reason.",
    fields: {
      action: { type: "text", description: "What to do; list if this is left out.", choices: TASK_ACTIONS },
      ids: { type: "texts", description: "The tasks, such as T-001." },
      reason: { type: "text", description: "With drop: what was in the way." },
      loop: LOOP,
    },
    words: (input) => [
      "task",
      input.text("action") ?? "list",
      ...loopOf(input),
      "--",
      ...input.texts("ids"),
      ...given("reason", input),
    ],
  },
  {
    name: "met",
    description: "Attests a criterion that has no check, and says how you know.",
    fields: {
      name: { type: "text", description: "The criterion.", isNeeded: true },
      by: { type: "text", description: "How you know.", isNeeded: true, choices: VERIFICATION_TYPES },
      note: { type: "text", description: "What you saw." },
      loop: LOOP,
    },
    words: (input) => [
      "criteria",
      "met",
      ...option("by", input),
      ...option("note", input),
      ...loopOf(input),
      "--",
      ...given("name", input),
    ],
  },
  {
    name: START,
    description:
      "Opens a loop for this session when the user asks for one: you are then held at your stops until the checks pass.",
    fields: {
      spec: { type: "text", description: "What the user wants, in their own words.", isNeeded: true },
      checks: {
        type: "texts",
        description:
          "Names of the project's own checks, such as tests pass; a wrong name is answered with those there are. Other commands are the user's to add.",
        isNeeded: true,
      },
    },
    words: (input) => [
      "start",
      ...input.texts("checks").flatMap((check) => ["--criterion", check]),
      "--",
      ...given("spec", input),
    ],
  },
];

function loopOf(input: ToolInput): readonly string[] {
  return option("loop", input);
}

function option(name: string, input: ToolInput): readonly string[] {
  const text = input.text(name);
  return text === null ? [] : [`--${name}=${text}`];
}

function given(name: string, input: ToolInput): readonly string[] {
  const text = input.text(name);
  return text === null ? [] : [text];
}
