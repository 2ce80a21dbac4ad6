import type { Command } from "commander";
import type { Context } from "./context.ts";

/** The commands of one module. Their summaries live here, so the overview loads none of the modules. */
export interface CommandModule {
  readonly group: string;
  readonly summaries: { readonly [name: string]: string };
  /** Commands for the program itself, for shells and for agents; not for people. */
  readonly hidden?: readonly string[];
  readonly load: () => Promise<(program: Command, context: Context) => void>;
}

const WORK = "Work:";
const PLAN = "Plan:";
const CARE = "Maintenance:";

/** In the order the overview shows them. */
export const COMMAND_MODULES: readonly CommandModule[] = [
  {
    group: WORK,
    summaries: { run: "drive an agent until checks show that the spec is satisfied" },
    load: async () => (await import("./commands/run.ts")).addRun,
  },
  {
    group: WORK,
    summaries: { start: "open a loop; the hooks then hold the session it was opened in" },
    load: async () => (await import("./commands/start.ts")).addStart,
  },
  {
    group: WORK,
    summaries: { answer: "say what the vague spec of a session's workflow means" },
    load: async () => (await import("./commands/answer.ts")).addAnswer,
  },
  {
    group: WORK,
    summaries: { status: "show phase, criteria with their evidence, cost, the next step and why it stopped" },
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
      continue: "resume a paused loop: binds it to a session, or drives it from a terminal",
      pause: "stop holding the agent and keep everything",
      cancel: "end a loop for good and show what is done and what remains",
      done: "claim that the work is finished; the checks decide",
      blocked: "say why a person is needed or a check is wrong; the loop pauses",
    },
    load: async () => (await import("./commands/lifecycle.ts")).addLifecycle,
  },
  {
    group: WORK,
    summaries: { tell: "say something to the agent of a running loop or task, for its next turn" },
    load: async () => (await import("./commands/tell.ts")).addTell,
  },
  {
    group: WORK,
    summaries: { undo: "restore the files as they were before an iteration of a run" },
    load: async () => (await import("./commands/undo.ts")).addUndo,
  },
  {
    group: PLAN,
    summaries: { criteria: "show and change what must be true at the end" },
    load: async () => (await import("./commands/criteria.ts")).addCriteria,
  },
  {
    group: PLAN,
    summaries: { step: "show and change the planned steps" },
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
    summaries: { worker: "make attempts at tasks of plans that are driven on other machines" },
    load: async () => (await import("./commands/worker.ts")).addWorker,
  },
  {
    group: PLAN,
    summaries: { fleet: "many machines for one plan: set it up, accept workers, see who works where" },
    load: async () => (await import("./commands/fleet.ts")).addFleet,
  },
  {
    group: PLAN,
    summaries: { score: "rate how clear a spec is, with the words that earned each point" },
    load: async () => (await import("./commands/score.ts")).addScore,
  },
  {
    group: PLAN,
    summaries: { recall: "see what earlier loops learned about a spec, and say what applies" },
    load: async () => (await import("./commands/recall.ts")).addRecall,
  },
  {
    group: PLAN,
    summaries: { learn: "keep something for later loops; list, forget or export what is kept" },
    load: async () => (await import("./commands/learn.ts")).addLearn,
  },
  {
    group: PLAN,
    summaries: { init: "write loop.config.json from what the project's own tools can show" },
    load: async () => (await import("./commands/init.ts")).addInit,
  },
  {
    group: CARE,
    summaries: { dashboard: "open a page with all loops of this machine: what needs you, what was shown" },
    load: async () => (await import("./commands/dashboard.ts")).addDashboard,
  },
  {
    group: CARE,
    summaries: { export: "write a loop into one HTML file or as Markdown, for a pull request" },
    load: async () => (await import("./commands/export.ts")).addExport,
  },
  {
    group: CARE,
    summaries: { log: "show what happened, event by event" },
    load: async () => (await import("./commands/log.ts")).addLog,
  },
  {
    group: CARE,
    summaries: {
      trust: "review and approve commands that came with the project",
      approve: "accept changed tests, definitions and protected files",
    },
    load: async () => (await import("./commands/trust.ts")).addTrust,
  },
  {
    group: CARE,
    summaries: {
      install: "add the hooks to an agent",
      uninstall: "remove the hooks from an agent",
    },
    load: async () => (await import("./commands/install.ts")).addInstall,
  },
  {
    group: CARE,
    summaries: { mcp: "serve the agent's own commands as MCP tools, for a shell that cannot run loop" },
    load: async () => (await import("./commands/mcp.ts")).addMcp,
  },
  {
    group: CARE,
    summaries: { plugin: "where Claude Code finds the plugin of this program" },
    load: async () => (await import("./commands/install.ts")).addPlugin,
  },
  {
    group: CARE,
    summaries: { doctor: "check this setup and say how to fix what is wrong" },
    load: async () => (await import("./commands/doctor.ts")).addDoctor,
  },
  {
    group: CARE,
    summaries: { demo: 'watch loop catch a false "done"; needs no key and no service' },
    load: async () => (await import("./commands/demo.ts")).addDemo,
  },
  {
    group: CARE,
    summaries: { completion: "set up shell completion for commands, options and loop ids" },
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
    hidden: ["judge", "preflight", "settle"],
    load: async () => (await import("./commands/internal.ts")).addInternal,
  },
];

/** The group for what commander adds itself. */
export const HELP_GROUP = CARE;
