import { DEFAULT_TIMEOUT_MS } from "../core/check-tier.ts";
import type { Check } from "../core/criterion.ts";
import type { MustNot } from "../core/loop.ts";
import type { ProofMode } from "../core/proof.ts";
import { checkOf } from "../store/config-check.ts";
import type { ProjectConfig } from "../store/project-config.ts";
import { readConfig } from "../store/project-config.ts";
import { findProject } from "../store/project.ts";
import type { Machine } from "../loops/machine.ts";
import { parseMustNot } from "./must-not-text.ts";

/** What `loop.config.json` asks for. */
export interface ConfigPlan {
  readonly criteria: readonly { readonly name: string; readonly check: Check }[];
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
  readonly mayChange: readonly string[];
  readonly proof: ProofMode;
}

/** What it adds to a loop: nothing until a person approves it. */
export interface UsedConfig extends ConfigPlan {
  readonly config: ProjectConfig | null;
  readonly notices: readonly string[];
}

const NOTHING: UsedConfig = {
  config: null,
  criteria: [],
  mustNots: [],
  protects: [],
  mayChange: [],
  proof: "standard",
  notices: [],
};

export function planFromConfig(machine: Machine): UsedConfig {
  const found = readConfig(machine.home, findProject(machine.cwd));
  switch (found.type) {
    case "none":
      return NOTHING;
    case "unreadable":
      return { ...NOTHING, notices: [`Ignoring loop.config.json: ${found.why}.`] };
    case "untrusted":
      return {
        ...NOTHING,
        notices: [
          "Ignoring loop.config.json: it is not approved on this machine; review it with: loop trust",
        ],
      };
    case "trusted":
      return { ...planOf(found.config), config: found.config, notices: [] };
  }
}

/** The config is read once, so what is approved is what is used. */
export function planOf(config: ProjectConfig): ConfigPlan {
  return {
    criteria: Object.entries(config.checks ?? {}).map(([name, check]) => ({ name, check: checkOf(check) })),
    mustNots: (config.mustNot ?? []).map((text) => parseMustNot(text, DEFAULT_TIMEOUT_MS)),
    protects: config.protect ?? [],
    mayChange: config.mayChange ?? [],
    proof: config.proof ?? "standard",
  };
}
