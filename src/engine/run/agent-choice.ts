import * as v from "valibot";
import type { LoopId } from "../../core/loop/id.ts";
import { DRIVER_IDS, type Driver, type DriverId } from "../../agents/drivers/driver.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { join } from "node:path";
import { approvalFolder } from "../../storage/home/approval-record.ts";
import type { CommandLine } from "../../core/loop/criterion.ts";
import { UserError } from "../../core/user-error.ts";
import { acpDriver, namedAcpDriver } from "../../agents/drivers/acp/driver.ts";
import { ACP_AGENT_IDS } from "../../agents/drivers/acp/agents.ts";
import { claudeCode } from "../../agents/drivers/claude-code/driver.ts";
import { codex } from "../../agents/drivers/codex/driver.ts";
import { commandDriver } from "../../agents/drivers/command/driver.ts";
import { geminiCli } from "../../agents/drivers/gemini-cli/driver.ts";
import { opencode } from "../../agents/drivers/opencode/driver.ts";
import { rehearsalDriver } from "../../agents/drivers/rehearsal/driver.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { isDriven, type Loop } from "../../core/loop/loop.ts";

const text = v.nullable(v.string());

export const agentSchema = v.object({
  driver: v.picklist(DRIVER_IDS),
  model: text,
  permissionMode: text,
  /** Missing in choices stored by earlier versions. */
  allow: v.optional(v.array(v.string()), []),
  args: v.array(v.string()),
  /** Each iteration starts with a clean context. */
  fresh: v.boolean(),
  /** The command line of drivers `command` and `acp`. */
  command: text,
  /** The script of driver `rehearsal`. */
  script: text,
  /** How many agents of its own it may run at once; null: as many as it likes. Missing in choices of earlier versions. */
  subagents: v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))), null),
  hangLimitMs: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  /** Who reviews, if it isn't the agent that works. */
  reviewer: v.nullish(v.object({ driver: v.picklist(DRIVER_IDS), model: text })),
});

/** Which agent works on a loop, and how it is started. */
export type AgentChoice = Readonly<Omit<v.InferOutput<typeof agentSchema>, "allow" | "args">> & {
  readonly allow: readonly string[];
  readonly args: readonly string[];
};

/** Plays a script instead of asking an agent. */
export function rehearsalOf(script: string): AgentChoice {
  return {
    driver: "rehearsal",
    model: null,
    permissionMode: null,
    allow: [],
    args: [],
    fresh: false,
    command: null,
    script,
    subagents: null,
    hangLimitMs: 60_000,
  };
}

/** Kept outside the project, because it names programs to run, and a repository must not choose those. */
export function rememberAgent(home: string, root: string, id: LoopId, choice: AgentChoice): void {
  writePrivateJson(choicePath(home, root, id), choice);
}

export function lastAgent(home: string, root: string, id: LoopId): AgentChoice | null {
  return readJsonFile(choicePath(home, root, id), agentSchema);
}

function choicePath(home: string, root: string, id: LoopId): string {
  return join(approvalFolder({ home, root, loop: id }), "agent.json");
}

export const GIGABYTE = 1e9;
/** What the worktrees may take where nobody has said. */
export const USUAL_DISK_GIGABYTES = 20;

/** How a plan is worked on, besides by which agent. */
export interface PlanChoice {
  /** How many attempts at once; null: as many as the plan says. */
  readonly parallel: number | null;
  /** Commands that prepare each worktree; null: what the project's lock files ask for. */
  readonly setup: readonly CommandLine[] | null;
  /** Ignored files that each worktree gets a copy of. */
  readonly copies: readonly string[];
  /** Who works on while the chosen agent waits for a usage limit. */
  readonly fallbacks: readonly AgentChoice[];
  /** What the worktrees of the project's attempts may take on the disk together. */
  readonly diskBytes: number;
  /** When tasks were given up: `done` delivers what is finished; otherwise the work pauses. */
  readonly deliver: DeliveryPolicy;
  /** The database of the fleet that makes the attempts; null: they are made here. */
  readonly fleet: string | null;
  /** Only workers with it take them; null: any. */
  readonly label: string | null;
}

/** `all`: only when every task is done or left out by a person. */
export const DELIVERY_POLICIES = ["all", "done"] as const;
export type DeliveryPolicy = (typeof DELIVERY_POLICIES)[number];

const texts = v.array(v.string());

export const setupSchema = v.nullable(
  v.array(
    v.variant("kind", [
      v.object({ kind: v.literal("shell"), line: v.string() }),
      v.object({ kind: v.literal("argv"), argv: v.tupleWithRest([v.string()], v.string()) }),
    ]),
  ),
);

const planSchema = v.object({
  parallel: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))), null),
  setup: setupSchema,
  copies: texts,
  fallbacks: v.array(agentSchema),
  diskBytes: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  deliver: v.optional(v.picklist(DELIVERY_POLICIES), "all"),
  fleet: v.optional(text, null),
  label: v.optional(text, null),
});

/** Kept where the choice of agent is, and for the same reason. */
export function rememberPlan(home: string, root: string, id: LoopId, choice: PlanChoice): void {
  writePrivateJson(planPath(home, root, id), choice);
}

export function lastPlan(home: string, root: string, id: LoopId): PlanChoice | null {
  return readJsonFile(planPath(home, root, id), planSchema);
}

function planPath(home: string, root: string, id: LoopId): string {
  return join(approvalFolder({ home, root, loop: id }), "plan.json");
}

/** A command of the user's that hears how a run ended, and where it runs. */
export interface Notification {
  readonly command: string;
  readonly folder: string;
}

const notificationSchema = v.object({ command: v.string(), folder: v.string() });

/** Kept there too: whoever resumes the loop wants to hear of it as before. */
export function rememberNotification(home: string, root: string, id: LoopId, kept: Notification): void {
  writePrivateJson(notificationPath(home, root, id), kept);
}

export function lastNotification(home: string, root: string, id: LoopId): Notification | null {
  return readJsonFile(notificationPath(home, root, id), notificationSchema);
}

function notificationPath(home: string, root: string, id: LoopId): string {
  return join(approvalFolder({ home, root, loop: id }), "notify.json");
}

/** The agents to look for when none is named, in this order. */
const AGENTS: readonly Driver[] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  ...ACP_AGENT_IDS.map((id) => namedAcpDriver(id, acpHelper(""))),
];

function acpHelper(cli: string): readonly [string, ...string[]] {
  return [process.execPath, cli, "speak-acp"];
}

export function driverOf(choice: Pick<AgentChoice, "driver" | "command" | "script">, cli: string): Driver {
  switch (choice.driver) {
    case "claude-code":
      return claudeCode;
    case "codex":
      return codex;
    case "gemini-cli":
      return geminiCli;
    case "opencode":
      return opencode;
    case "qwen-code":
    case "copilot":
    case "droid":
    case "goose":
    case "kimi":
      return namedAcpDriver(choice.driver, acpHelper(cli));
    case "acp":
      return acpDriver(choice.command ?? "", acpHelper(cli));
    case "command":
      return commandDriver(choice.command ?? "");
    case "rehearsal":
      return rehearsalDriver({ script: choice.script ?? "", player: [process.execPath, cli, "rehearse"] });
  }
}

export function parseDriverId(text: string): DriverId | null {
  return DRIVER_IDS.find((id) => id === text) ?? null;
}

/** `codex`, or `acp:COMMAND` for an agent by the command line that starts it; null: there is no such agent. */
export function parseAgent(text: string): Pick<AgentChoice, "driver" | "command"> | null {
  const [, line] = /^acp:\s*(\S.*)$/s.exec(text) ?? [];
  if (line !== undefined) return { driver: "acp", command: line.trim() };
  const driver = parseDriverId(text);
  return driver === null ? null : { driver, command: null };
}

/** The named agent, otherwise the project's, otherwise the first one installed. */
export function chooseDriver(
  named: string | undefined,
  configured: string | undefined,
  env: NodeJS.ProcessEnv,
): DriverId {
  const wanted = named ?? configured;
  if (wanted !== undefined) {
    const id = parseDriverId(wanted);
    if (id !== null) return id;
    const where = named === undefined ? "loop.config.json names" : "There is no";
    throw new UserError(
      `${where} agent "${oneLine(wanted, 40)}"${named === undefined ? ", which there is not" : ""}; choose one of ${DRIVER_IDS.join(", ")}.`,
    );
  }
  const [installed] = installedAgents(env);
  if (installed !== undefined) return installed;
  const programs = AGENTS.map(({ title, program }) => `${title} (${program})`).join(", ");
  throw new UserError(
    `No agent is installed: none of ${programs} is on PATH. Install one. \`loop run\` also takes any program, with: --agent command --command 'PROGRAM'`,
  );
}

/** Checked before anything is opened or spent. */
export function expectInstalled(id: DriverId, env: NodeJS.ProcessEnv): void {
  const driver = AGENTS.find((each) => each.id === id);
  if (driver === undefined || driver.program === null || findOnPath(driver.program, env) !== null) return;
  throw new UserError(`${driver.title} is not installed: ${driver.program} is not on PATH.`);
}

/** A rule would allow nothing to an agent without rules. A rehearsal accepts rules, because its script stands in for an agent. */
export function expectRules(id: DriverId): void {
  const driver = AGENTS.find((each) => each.id === id);
  if (id === "command") throw new UserError("A command has no rules for --allow; leave it out.");
  if (driver?.exampleRule === null)
    throw new UserError(`${driver.title} has no rules for --allow; use --permission-mode.`);
}

/** The ids of the installed agents. */
export function installedAgents(env: NodeJS.ProcessEnv): readonly DriverId[] {
  return AGENTS.filter(({ program }) => program !== null && findOnPath(program, env) !== null).map(
    ({ id }) => id,
  );
}

/** The display name of the agent at work on the loop; null when there is none. */
export function agentOf(loop: Loop): string | null {
  if (!isDriven(loop)) return loop.binding?.host ?? null;
  const driver = parseDriverId(loop.driven.driver);
  return driver === null ? loop.driven.driver : driverOf({ driver, command: null, script: null }, "").title;
}
