import { UserError } from "../../core/user-error.ts";
import { claudeCode } from "../../agents/drivers/claude-code/driver.ts";
import { codex } from "../../agents/drivers/codex/driver.ts";
import { commandDriver } from "../../agents/drivers/command/driver.ts";
import type { Driver, DriverId } from "../../agents/drivers/driver.ts";
import { DRIVER_IDS } from "../../agents/drivers/driver.ts";
import { geminiCli } from "../../agents/drivers/gemini-cli/driver.ts";
import { opencode } from "../../agents/drivers/opencode/driver.ts";
import { rehearsalDriver } from "../../agents/drivers/rehearsal/driver.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { AgentChoice } from "./agent-choice.ts";

/** The agents to look for when none is named, in this order. */
const AGENTS: readonly Driver[] = [claudeCode, codex, geminiCli, opencode];

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
    case "command":
      return commandDriver(choice.command ?? "");
    case "rehearsal":
      return rehearsalDriver({ script: choice.script ?? "", player: [process.execPath, cli, "rehearse"] });
  }
}

export function parseDriverId(text: string): DriverId | null {
  return DRIVER_IDS.find((id) => id === text) ?? null;
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
