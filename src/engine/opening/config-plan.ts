import { join } from "node:path";
import { DEFAULT_TIMEOUT_MS, type Check, type CommandLine } from "../../core/loop/criterion.ts";
import { globFrom } from "../../core/loop/folder.ts";
import type { MustNot } from "../../core/loop/loop.ts";
import type { ProofMode } from "../../core/loop/proof.ts";
import { checkOf, commandOf, configName, findConfig } from "../../storage/home/project-config.ts";
import type { ProjectConfig } from "../../storage/home/project-config.ts";
import type { CallerLocation } from "../../storage/home/project.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { durationMs } from "../../system/text/quantities.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { UserError } from "../../core/user-error.ts";

/** What `loop.config.json` asks for. */
export interface ConfigPlan {
  readonly criteria: readonly { readonly name: string; readonly check: Check }[];
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
  readonly mayChange: readonly string[];
  readonly proof: ProofMode;
  readonly proofBudgetMs: number | null;
  /** Prepares the worktrees of a plan's attempts; null: it doesn't say. */
  readonly setup: readonly CommandLine[] | null;
}

/** What it adds to a loop: nothing until a person approves it. */
export interface UsedConfig extends ConfigPlan {
  readonly config: ProjectConfig | null;
  /** The config's own folder, as a whole path; null where none is used. */
  readonly path: string | null;
  readonly notices: readonly string[];
  /** Why nobody can tell what it asks for; null: it can be read, or isn't there. */
  readonly unreadable: string | null;
}

const NOTHING: UsedConfig = {
  config: null,
  path: null,
  criteria: [],
  mustNots: [],
  protects: [],
  mayChange: [],
  proof: "standard",
  proofBudgetMs: null,
  setup: null,
  notices: [],
  unreadable: null,
};

/** What the nearest config asks of a loop that works in a folder. */
export function planFromConfig({ home }: Pick<Machine, "home">, callerLocation: CallerLocation): UsedConfig {
  const found = findConfig(home, callerLocation);
  switch (found.type) {
    case "none":
      return NOTHING;
    case "unreadable": {
      const unreadable = `${configName(found.folder)}: ${found.why}`;
      return { ...NOTHING, notices: [`Ignoring ${unreadable}.`], unreadable };
    }
    case "untrusted":
      return {
        ...NOTHING,
        notices: [
          `Ignoring ${configName(found.folder)}: it is not approved on this machine; review it with: loop trust`,
        ],
      };
    case "trusted":
      return {
        ...planOf(found.config, found.folder, callerLocation.folder),
        config: found.config,
        path: join(callerLocation.project.root, found.folder),
        notices: [],
        unreadable: null,
      };
  }
}

/** The one reading of a config, by its own folder, for a loop that works in another one: what is approved is what is used. */
export function planOf(config: ProjectConfig, folder: string, loopFolder = folder): ConfigPlan {
  const glob = (text: string): string => globFrom(folder, text);
  const check = (each: Check): Check => (folder === loopFolder ? each : { ...each, folder });
  const mustNot = (text: string): MustNot => {
    const parsed = parseMustNot(text, DEFAULT_TIMEOUT_MS, folder);
    return parsed.kind === "run" ? { ...parsed, check: check(parsed.check) } : parsed;
  };
  return {
    criteria: Object.entries(config.checks ?? {}).map(([name, each]) => ({
      name,
      check: check(checkOf(each)),
    })),
    mustNots: (config.mustNot ?? []).map(mustNot),
    protects: (config.protect ?? []).map(glob),
    mayChange: (config.mayChange ?? []).map(glob),
    proof: config.proof ?? "standard",
    proofBudgetMs: config.proofBudget === undefined ? null : durationMs(config.proofBudget),
    setup: config.worktreeSetup?.map(commandOf) ?? null,
  };
}

/** `path:GLOB` stays unchanged; `run:COMMAND` keeps passing. The glob is one of the folder in which it was written. */
export function parseMustNot(text: string, timeoutMs: number, folder: string): MustNot {
  const [, kind, rest = ""] = /^(path|run):([\s\S]+)$/.exec(text) ?? [];
  if (kind === "path") return { kind: "path", glob: globFrom(folder, rest) };
  if (kind === "run")
    return { kind: "run", check: { command: { kind: "shell", line: rest }, timeoutMs, passEnv: [] } };
  throw new UserError(
    `A must-not is path:GLOB (must stay unchanged) or run:COMMAND (must keep passing), not "${oneLine(text, 60)}".`,
  );
}
