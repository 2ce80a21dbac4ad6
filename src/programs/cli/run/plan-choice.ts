import type { CommandLine } from "../../../core/loop/criterion.ts";
import type { UsedConfig } from "../../../engine/opening/config-plan.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import type { AgentChoice, PlanChoice } from "../../../engine/run/agent-choice.ts";
import { GIGABYTE, USUAL_DISK_GIGABYTES } from "../../../engine/run/agent-choice.ts";
import type { AgentFlags } from "./agent-options.ts";
import { agentChoice } from "./agent-options.ts";
import type { PlanFlags } from "./plan-options.ts";

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
  };
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
    if (agent === driver)
      throw new UserError(
        `--fallback ${agent} names the agent that already does the work; name another one.`,
      );
    return agentChoice({ ...common, agent }, null, null, machine);
  });
}
