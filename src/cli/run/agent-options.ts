import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { Option } from "commander";
import { UserError } from "../../loops/user-error.ts";
import type { Machine } from "../../loops/machine.ts";
import { DRIVER_IDS } from "../../drivers/driver.ts";
import type { AgentChoice } from "../../run/agent-choice.ts";
import { readScript } from "../../rehearsal/script.ts";
import { chooseDriver, expectInstalled, expectRules } from "../../run/agents.ts";
import { collect, parseDuration } from "../options.ts";

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
  readonly notify?: string;
}

const HANG_LIMIT_MS = 30 * 60_000;

export function addAgentOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "-a, --agent <agent>",
        "who does the work (default: the project's, else what is installed)",
      ).choices(DRIVER_IDS),
    )
    .option("-m, --model <name>", "the agent's model, in its own words")
    .option(
      "--permission-mode <mode>",
      "what the agent may do, in its own words (default: edit files here, run loop commands)",
    )
    .option("--allow <rule>", "one more thing that the agent may do, in its own words (repeatable)", collect)
    .option(
      "--agent-arg <arg>",
      "a further argument for the agent, as --agent-arg=--flag (repeatable)",
      collect,
    )
    .option("--command <line>", "with --agent command: the program; the prompt is its standard input")
    .option("--script <file>", "with --agent rehearsal: what is played")
    .option("--fresh", "begin each iteration with a clean context, instead of going on with the conversation")
    .option(
      "--hang-limit <time>",
      "end an agent that says nothing for this long (default 30m)",
      parseDuration,
    )
    .option(
      "--notify <command>",
      "run this when the loop pauses or ends, with LOOP_ID, LOOP_PHASE and LOOP_REASON in its environment",
    );
}

interface ConfiguredAgent {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

/** What flags say, else what drove the loop last, else the project's config, else what is installed. */
export function agentChoice(
  flags: AgentFlags,
  last: AgentChoice | null,
  configured: ConfiguredAgent | null,
  { env, cwd }: Machine,
): AgentChoice {
  const named =
    flags.agent ??
    (flags.command !== undefined ? "command" : flags.script !== undefined ? "rehearsal" : undefined);
  const before = last !== null && (named === undefined || named === last.driver) ? last : null;
  const driver = before?.driver ?? chooseDriver(named, configured?.agent, env);
  const isConfigured = configured?.agent === undefined || configured.agent === driver;
  const choice: AgentChoice = {
    driver,
    model: flags.model ?? before?.model ?? (isConfigured ? configured?.model : undefined) ?? null,
    permissionMode: flags.permissionMode ?? before?.permissionMode ?? null,
    // What it was allowed before it needs again.
    allow: [...new Set([...(before?.allow ?? []), ...(flags.allow ?? [])])],
    args: flags.agentArg ?? before?.args ?? [],
    fresh: flags.fresh ?? before?.fresh ?? false,
    command: flags.command ?? before?.command ?? null,
    script: flags.script === undefined ? (before?.script ?? null) : resolve(cwd, flags.script),
    hangLimitMs: flags.hangLimit ?? before?.hangLimitMs ?? HANG_LIMIT_MS,
  };
  if (driver === "command" && choice.command === null)
    throw new UserError("Say which program: --agent command --command 'PROGRAM'");
  if (driver === "rehearsal") expectScript(choice.script);
  if (choice.allow.length > 0) expectRules(driver);
  expectInstalled(driver, env);
  return choice;
}

function expectScript(script: string | null): void {
  if (script === null) throw new UserError("Say what to play: --agent rehearsal --script FILE");
  // Of a plan: a script an attempt.
  if (statSync(script, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const found = readScript(script);
  if (found.type === "unreadable")
    throw new UserError(`The script ${script} cannot be played: ${found.why}.`);
}
