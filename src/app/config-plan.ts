import { CHECK_TIERS, DEFAULT_TIMEOUT_MS } from "../core/check-tier.ts";
import type { Check } from "../core/criterion.ts";
import type { MustNot } from "../core/loop.ts";
import type { ProjectConfig } from "../store/project-config.ts";
import { readConfig } from "../store/project-config.ts";
import { findProject } from "../store/project.ts";
import type { Machine } from "./machine.ts";
import { commandOf } from "./trust.ts";
import { UserError } from "./user-error.ts";

/** What `loop.config.json` adds to a loop. Nothing, until a person approved it. */
export interface ConfigPlan {
  readonly config: ProjectConfig | null;
  readonly criteria: readonly { readonly name: string; readonly check: Check }[];
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
  readonly notices: readonly string[];
}

const NOTHING: ConfigPlan = { config: null, criteria: [], mustNots: [], protects: [], notices: [] };

export function planFromConfig(machine: Machine): ConfigPlan {
  const found = readConfig(machine.home, findProject(machine.cwd));
  switch (found.type) {
    case "none":
      return NOTHING;
    case "unreadable":
      return { ...NOTHING, notices: [`loop.config.json is not used: ${found.why}.`] };
    case "untrusted":
      return {
        ...NOTHING,
        notices: [
          "loop.config.json is not used: nobody has approved it on this machine; see it with: loop trust",
        ],
      };
    case "trusted":
      return {
        config: found.config,
        criteria: Object.entries(found.config.checks ?? {}).map(([name, check]) => ({
          name,
          check: checkOf(check),
        })),
        mustNots: (found.config.mustNot ?? []).map(mustNotOf),
        protects: found.config.protect ?? [],
        notices: [],
      };
  }
}

type ConfigCheck = NonNullable<ProjectConfig["checks"]>[string];

function checkOf(check: ConfigCheck): Check {
  if (typeof check === "string" || Array.isArray(check)) {
    return { command: commandOf(check), timeoutMs: DEFAULT_TIMEOUT_MS, passEnv: [] };
  }
  return { command: commandOf(check.run), timeoutMs: timeoutOf(check.timeout), passEnv: check.passEnv ?? [] };
}

function timeoutOf(timeout: number | keyof typeof CHECK_TIERS | undefined): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT_MS;
  return typeof timeout === "number" ? timeout * 1000 : CHECK_TIERS[timeout];
}

/** `path:GLOB` stays unchanged; `run:COMMAND` keeps passing. */
function mustNotOf(text: string): MustNot {
  if (text.startsWith("path:")) return { kind: "path", glob: text.slice("path:".length) };
  if (text.startsWith("run:")) {
    const check = {
      command: commandOf(text.slice("run:".length)),
      timeoutMs: DEFAULT_TIMEOUT_MS,
      passEnv: [],
    };
    return { kind: "run", check };
  }
  throw new UserError(
    `loop.config.json: mustNot takes path:GLOB or run:COMMAND, not "${text.slice(0, 60)}".`,
  );
}
