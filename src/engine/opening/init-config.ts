import { lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProposedCheck } from "../../verify/checks/discovery.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { callerNow } from "../../storage/loops/caller-now.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import type { ProjectConfig } from "../../storage/home/project-config.ts";
import { approveConfig, CONFIG_FILE, digestOfConfig } from "../../storage/home/project-config.ts";
import { openingCallerLocation } from "../../storage/home/project.ts";
import { expectPerson } from "../lifecycle/expect-person.ts";
import { discoverHere, folderName, obstaclesOf } from "./propose-checks.ts";

/** A config as discovery would write it, with what each line rests on. */
export interface ConfigDraft {
  /** The config's own: where the tools are. */
  readonly folder: string;
  /** The name of that folder, if it is above the one where somebody stands. */
  readonly above: string | null;
  readonly path: string;
  readonly config: ProjectConfig;
  readonly text: string;
  readonly checks: readonly ProposedCheck[];
  /** What would be in it, too, were it installed. */
  readonly obstacles: readonly string[];
}

const THERE_ALREADY =
  "loop.config.json is there already; to replace it with what is found here now: loop init --force";

export async function draftConfig(machine: Machine, replaces: boolean): Promise<ConfigDraft> {
  const { project, folder: below } = openingCallerLocation(machine.cwd);
  const found = await discoverHere(machine);
  const { checks } = found;
  const folder = join(project.root, found.above ?? below);
  const path = join(folder, CONFIG_FILE);
  if (!replaces && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new UserError(THERE_ALREADY);
  const obstacles = obstaclesOf(found);
  if (checks.length === 0) throw new UserError(whyNothing(obstacles));
  const config = { checks: Object.fromEntries(checks.map(({ name, command }) => [name, command])) };
  const above = found.above === null ? null : folderName(found.above);
  return { folder, above, path, config, text: `${JSON.stringify(config, null, 2)}\n`, checks, obstacles };
}

function whyNothing(obstacles: readonly string[]): string {
  if (obstacles.length > 0) return `Nothing here can be run yet. ${obstacles.join(" ")}`;
  return `No tool of this project is known here; write loop.config.json yourself, for example: {"checks": {"tests pass": "./test.sh"}}`;
}

/**
 * Writes what was shown. Who saw it has approved it by that; an agent may write it, which nothing uses until a person has looked, but
 * not replace one.
 */
export async function writeConfig(
  machine: Machine,
  { folder, path, text }: ConfigDraft,
  replaces: boolean,
): Promise<{ readonly approved: boolean }> {
  if (replaces) {
    await expectPerson(machine, "init", null, ["--force"]);
    writeAtomically(path, text, { mode: 0o644 });
  } else {
    writeNew(path, text);
  }
  const approved = callerNow(machine).kind === "person";
  if (approved) approveConfig(machine.home, folder, digestOfConfig(folder, text));
  return { approved };
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o644 });
  } catch (error) {
    throw errnoOf(error) === "EEXIST" ? new UserError(THERE_ALREADY) : error;
  }
}
