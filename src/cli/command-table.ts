import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Commands that come with one module. Their summaries stand here, so that the overview of all needs none of the modules. */
export interface CommandModule {
  readonly group: string;
  readonly summaries: { readonly [name: string]: string };
  /** What the program starts itself as, and what shells and agents ask; not for people. */
  readonly hidden?: readonly string[];
  readonly load: () => Promise<(program: Command, context: Context) => void>;
}

const WORK = "Work:";
const PLAN = "Plan:";
const CARE = "Look after it:";

/** In the order of the overview. */
export const COMMAND_MODULES: readonly CommandModule[] = [
  {
    group: WORK,
    summaries: { run: "drive an agent from outside until the spec is shown to be satisfied" },
    load: async () => (await import("./commands/run.ts")).addRun,
  },
  {
    group: WORK,
    summaries: { start: "open a loop; the hooks then hold the session it is opened in" },
    load: async () => (await import("./commands/start.ts")).addStart,
  },
  {
    group: WORK,
    summaries: { status: "phase, criteria with their evidence, cost, what is next, why it stopped" },
    load: async () => (await import("./commands/status.ts")).addStatus,
  },
  {
    group: WORK,
    summaries: { check: "run checks now and record the evidence" },
    load: async () => (await import("./commands/check.ts")).addCheck,
  },
  {
    group: WORK,
    summaries: {
      continue: "resume a paused loop: in a session by binding it, in a terminal by driving it",
      pause: "stop holding, keep everything",
      cancel: "end a loop for good; says what is done and what remains",
      done: "say that the work is finished; the checks have the last word",
      blocked: "say that a person is needed or a check is wrong, and why; the loop pauses",
    },
    load: async () => (await import("./commands/lifecycle.ts")).addLifecycle,
  },
  {
    group: WORK,
    summaries: { undo: "bring the files back to what they were before an iteration of a run" },
    load: async () => (await import("./commands/undo.ts")).addUndo,
  },
  {
    group: PLAN,
    summaries: { criteria: "see and change what must be true at the end" },
    load: async () => (await import("./commands/criteria.ts")).addCriteria,
  },
  {
    group: PLAN,
    summaries: { step: "see and change the planned steps" },
    load: async () => (await import("./commands/step.ts")).addStep,
  },
  {
    group: PLAN,
    summaries: { plan: "see a plan's waves, checks and mistakes, and approve its commands" },
    load: async () => (await import("./commands/plan.ts")).addPlan,
  },
  {
    group: PLAN,
    summaries: { task: "see the tasks of a loop: state, wave, attempts, blockers" },
    load: async () => (await import("./commands/task.ts")).addTask,
  },
  {
    group: PLAN,
    summaries: { review: "the result of a plan as one list, riskiest first" },
    load: async () => (await import("./commands/review.ts")).addReview,
  },
  {
    group: PLAN,
    summaries: { worktrees: "see where attempts work: live, resumable or dead; remove dead ones" },
    load: async () => (await import("./commands/worktrees.ts")).addWorktrees,
  },
  {
    group: PLAN,
    summaries: { score: "how clear a spec is, with the words that earned each point" },
    load: async () => (await import("./commands/score.ts")).addScore,
  },
  {
    group: CARE,
    summaries: { log: "what happened, event by event" },
    load: async () => (await import("./commands/log.ts")).addLog,
  },
  {
    group: CARE,
    summaries: {
      trust: "see, then approve, commands that came with the project",
      approve: "accept changed tests, definitions and protected files",
    },
    load: async () => (await import("./commands/trust.ts")).addTrust,
  },
  {
    group: CARE,
    summaries: {
      install: "set the hooks up in an agent",
      uninstall: "take the hooks out of an agent",
    },
    load: async () => (await import("./commands/install.ts")).addInstall,
  },
  {
    group: CARE,
    summaries: { doctor: "is everything in order here, and what to do if not" },
    load: async () => (await import("./commands/doctor.ts")).addDoctor,
  },
  {
    group: CARE,
    summaries: { demo: 'watch a false "done" being caught, with no key and no service' },
    load: async () => (await import("./commands/demo.ts")).addDemo,
  },
  {
    group: CARE,
    summaries: { completion: "let a shell complete commands, options and loop ids" },
    hidden: ["complete"],
    load: async () => (await import("./commands/completion.ts")).addCompletion,
  },
  {
    group: CARE,
    summaries: {},
    hidden: ["hook"],
    load: async () => (await import("./commands/hook.ts")).addHook,
  },
  {
    group: CARE,
    summaries: {},
    hidden: ["guardian", "judge", "preflight", "rehearse"],
    load: async () => (await import("./commands/internal.ts")).addInternal,
  },
];

/** The group of what commander adds itself. */
export const HELP_GROUP = CARE;
