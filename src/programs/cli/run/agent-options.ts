import {
  GIGABYTE,
  USUAL_DISK_GIGABYTES,
  chooseDriver,
  expectInstalled,
  expectRules,
  lastAgent,
  lastPlan,
  parseAgent,
} from "../../../engine/run/agent-choice.ts";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { InvalidArgumentError, Option, type Command } from "commander";
import { UserError } from "../../../core/user-error.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { ASKABLE_IDS, DRIVER_IDS } from "../../../agents/drivers/driver.ts";
import type { AgentChoice, PlanChoice } from "../../../engine/run/agent-choice.ts";
import { readScript } from "../../../agents/rehearsal/script.ts";
import { FLEET_VARIABLE, fleetUrl } from "../fleet/fleet-url.ts";
import { collect, parseBreaker, parseDuration } from "../options.ts";
import type { CommandLine } from "../../../core/loop/criterion.ts";
import type { UsedConfig } from "../../../engine/opening/config-plan.ts";
import type { PlanFlags } from "./task-options.ts";
import { commandTyped } from "./typed-command.ts";

export interface AgentFlags {
  readonly agent?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  readonly allow?: readonly string[];
  readonly agentArg?: readonly string[];
  readonly command?: string;
  readonly script?: string;
  readonly fresh?: boolean;
  readonly hangLimit?: number;
  readonly subagents?: number;
  readonly notify?: string;
  readonly reviewer?: Reviewer;
}

/** Who reviews, if it isn't the agent that works. */
type Reviewer = NonNullable<AgentChoice["reviewer"]>;

const HANG_LIMIT_MS = 30 * 60_000;

export function addAgentOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "-a, --agent <agent>",
        "which agent does the work, also acp:COMMAND (default: the project's, otherwise an installed one)",
      )
        .choices(DRIVER_IDS)
        .argParser(expectAgent),
    )
    .option("-m, --model <name>", "the model, by the agent's own name for it")
    .option(
      "--permission-mode <mode>",
      "the agent's own permission mode (default: edit files here, run loop commands)",
    )
    .option(
      "--allow <rule>",
      "one more thing the agent may do, in the agent's own syntax (repeatable)",
      collect,
    )
    .option(
      "--agent-arg <arg>",
      "an extra argument for the agent, as --agent-arg=--flag (repeatable)",
      collect,
    )
    .option("--command <line>", "with --agent command: the program; it gets the prompt on standard input")
    .option("--script <file>", "with --agent rehearsal: the script to play")
    .option("--fresh", "start each iteration with a clean context instead of continuing the conversation")
    .option(
      "--hang-limit <time>",
      "end an agent that prints nothing for this long (default 30m)",
      parseDuration,
    )
    .option(
      "--reviewer <agent[:model]>",
      "another agent for reviews; it sees your code (default: the agent that works)",
      parseReviewer,
    )
    .option(
      "--subagents <n>",
      "how many agents of its own Claude Code is asked to run at once (0: none; default in a plan 3)",
      parseBreaker,
    )
    .option(
      "--notify <command>",
      "run this when the loop pauses or ends, with LOOP_ID, LOOP_PHASE and LOOP_REASON in its environment",
    );
}

/** The name of an agent, or `acp:COMMAND`. */
export function expectAgent(text: string): string {
  if (parseAgent(text) === null)
    throw new InvalidArgumentError(`Allowed choices are ${DRIVER_IDS.join(", ")}, acp:COMMAND.`);
  return text;
}

/** `codex`, `claude-code:opus`, `opencode:vendor/model:free` */
function parseReviewer(text: string): Reviewer {
  const [, name = "", model] = /^([^:]*)(?::(.+))?$/s.exec(text) ?? [];
  const driver = ASKABLE_IDS.find((id) => id === name);
  if (driver === undefined)
    throw new InvalidArgumentError(`Use an agent that can be asked, such as codex or claude-code:opus.`);
  return { driver, model: model ?? null };
}

/** Whether they have a line for a shell in them. */
export function namesCommand({ agent, command }: AgentFlags): boolean {
  return command !== undefined || agent?.startsWith("acp:") === true;
}

interface ConfiguredAgent {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

/** From the flags, otherwise what drove the loop last, otherwise the project's config, otherwise an installed agent. */
export function agentChoice(
  flags: AgentFlags,
  last: AgentChoice | null,
  configured: ConfiguredAgent | null,
  { env, cwd }: Machine,
  agentsAre: "here" | "on-workers" = "here",
): AgentChoice {
  const named =
    flags.agent ??
    (flags.command !== undefined ? "command" : flags.script !== undefined ? "rehearsal" : undefined);
  const asked = named === undefined ? null : parseAgent(named);
  const before = last !== null && (asked === null || isSame(asked, last)) ? last : null;
  const driver = before?.driver ?? chooseDriver(asked?.driver ?? named, configured?.agent, env);
  const typed = asked?.command ?? flags.command;
  const isConfigured = configured?.agent === undefined || configured.agent === driver;
  const choice: AgentChoice = {
    driver,
    model: flags.model ?? before?.model ?? (isConfigured ? configured?.model : undefined) ?? null,
    permissionMode: flags.permissionMode ?? before?.permissionMode ?? null,
    // It needs the permissions it had before again.
    allow: [...new Set([...(before?.allow ?? []), ...(flags.allow ?? [])])],
    args: flags.agentArg ?? before?.args ?? [],
    fresh: flags.fresh ?? before?.fresh ?? false,
    command: typed === undefined ? (before?.command ?? null) : commandTyped(typed, { env, cwd }),
    script: flags.script === undefined ? (before?.script ?? null) : resolve(cwd, flags.script),
    subagents: flags.subagents ?? before?.subagents ?? null,
    hangLimitMs: flags.hangLimit ?? before?.hangLimitMs ?? HANG_LIMIT_MS,
    reviewer: flags.reviewer ?? last?.reviewer ?? null,
  };
  if (driver === "command" && choice.command === null)
    throw new UserError("Say which program: --agent command --command 'PROGRAM'");
  if (driver === "acp" && choice.command === null)
    throw new UserError("Say how the agent is started: --agent 'acp:COMMAND', such as 'acp:gemini --acp'");
  if (driver === "rehearsal") expectScript(choice.script);
  if (choice.allow.length > 0) expectRules(driver);
  if (agentsAre === "here") expectInstalled(driver, env);
  if (choice.reviewer != null) expectInstalled(choice.reviewer.driver, env);
  return choice;
}

/** Of a loop that goes on. */
export function choiceToGoOn(
  machine: Machine,
  { id, live }: KnownLoop,
  flags: AgentFlags & PlanFlags,
  configured: ConfiguredAgent | null,
): AgentChoice {
  const { root } = live.project;
  const agentsAre =
    live.loop.workflow === null ? "here" : agentsOf(flags, machine, lastPlan(machine.home, root, id));
  return agentChoice(flags, lastAgent(machine.home, root, id), configured, machine, agentsAre);
}

function isSame(asked: Pick<AgentChoice, "driver" | "command">, last: AgentChoice): boolean {
  return asked.driver === last.driver && [null, last.command].includes(asked.command);
}

function expectScript(script: string | null): void {
  if (script === null)
    throw new UserError(
      "Say what to play: --agent rehearsal --script FILE, or a folder with a script for each attempt of a plan",
    );
  // Of a plan: a script an attempt.
  if (statSync(script, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const found = readScript(script);
  if (found.type === "unreadable")
    throw new UserError(`The script ${script} cannot be played: ${found.why}.`);
}

/** From the flags, otherwise how the plan was worked on last, otherwise the project's config. */
export function planChoice(
  machine: Machine,
  flags: PlanFlags & AgentFlags,
  {
    choice,
    last,
    used,
  }: { choice: AgentChoice | null; last: PlanChoice | null; used: Pick<UsedConfig, "setup" | "config"> },
): PlanChoice {
  const maxDisk = flags.maxDisk ?? null;
  return {
    parallel: flags.parallel ?? last?.parallel ?? null,
    setup: flags.setup === undefined ? (last?.setup ?? used.setup) : [shellLine(flags.setup)],
    copies: flags.copy ?? last?.copies ?? [],
    fallbacks:
      flags.fallback === undefined || choice === null
        ? (last?.fallbacks ?? [])
        : fallbacksOf(machine, flags, choice),
    diskBytes:
      maxDisk === null
        ? (last?.diskBytes ?? (used.config?.limits?.maxDisk ?? USUAL_DISK_GIGABYTES) * GIGABYTE)
        : maxDisk * GIGABYTE,
    deliver: flags.deliver ?? last?.deliver ?? "all",
    fleet: namedFleet(flags, machine, last),
    label: flags.label ?? last?.label ?? null,
  };
}

/** Where the agents of a plan have to be installed. */
export function agentsOf(
  flags: Pick<PlanFlags, "fleet">,
  machine: Machine,
  last: PlanChoice | null,
): "here" | "on-workers" {
  return namedFleet(flags, machine, last) === null ? "here" : "on-workers";
}

function namedFleet(
  flags: Pick<PlanFlags, "fleet">,
  { env }: Machine,
  last: Pick<PlanChoice, "fleet"> | null,
): string | null {
  const named = flags.fleet ?? env[FLEET_VARIABLE] ?? last?.fleet ?? "none";
  return named === "none" || named === "" ? null : fleetUrl(named);
}

function shellLine(line: string): CommandLine {
  return { kind: "shell", line };
}

/** Only what isn't in the chosen agent's own terms: it has another model, and other rules. */
function fallbacksOf(
  machine: Machine,
  flags: PlanFlags & AgentFlags,
  { driver }: AgentChoice,
): readonly AgentChoice[] {
  const { command, script, fresh, hangLimit } = flags;
  const common = Object.fromEntries(
    Object.entries({ command, script, fresh, hangLimit }).filter(([, value]) => value !== undefined),
  );
  return [...new Set(flags.fallback)].map((agent) => {
    if (parseAgent(agent)?.driver === driver)
      throw new UserError(
        `--fallback ${agent} names the agent that already does the work; name another one.`,
      );
    return agentChoice({ ...common, agent }, null, null, machine, agentsOf(flags, machine, null));
  });
}
