import { createRequire as requireFrom } from "node:module";
import { UserError } from "../../../core/user-error.ts";
import { helpFor } from "../../../engine/fleet/database-trouble.ts";
import type { FleetEngine } from "../../../engine/fleet/fleet-engine.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import type * as Engine from "../../fleet-engine/main.ts";
import { shownUrl } from "./fleet-url.ts";

/** Whether the engine's libraries run on this Node. */
export function canLoadEngine(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 12);
}

/** Loaded here and nowhere else: whoever has no fleet needs none of it. */
export function engineModule(cli: string): typeof Engine {
  if (!canLoadEngine())
    throw new UserError(
      `A fleet needs Node 22.12 or newer, and this is Node ${process.versions.node}; everything else works with it.`,
    );
  return requireFrom(cli)("./fleet-engine.js") as typeof Engine;
}

export async function openEngine(
  cli: string,
  url: string,
  options: Engine.ConnectOptions = {},
): Promise<FleetEngine> {
  const { connectFleet, FleetProblem } = engineModule(cli);
  try {
    return await connectFleet(url, options);
  } catch (error) {
    if (error instanceof FleetProblem) throw new UserError(error.message);
    throw unreachable(url, error);
  }
}

export function unreachable(url: string, error: unknown): UserError {
  const why = error instanceof Error ? error.message : String(error);
  if (/password must be a (?:non-empty )?string/.test(why))
    return new UserError(
      `The fleet's database ${shownUrl(url)} asks for a password, and there is none: set LOOP_FLEET to the whole URL or to @FILE with it, or keep the password in ~/.pgpass.`,
    );
  const help = helpFor(error);
  return new UserError(
    `The fleet's database ${shownUrl(url)} can't be used: ${oneLine(why === "" ? "no answer" : why, 200)}${help === null ? "" : `; ${help}`}.`,
  );
}
