import type { Command } from "commander";
import type { Diagnosis } from "../../../engine/lifecycle/doctor.ts";
import { diagnose } from "../../../engine/lifecycle/doctor.ts";
import { INSTALLERS } from "../../../agents/hosts/installers.ts";
import { installedAgents } from "../../../engine/run/agent-choice.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import type { Context } from "../context.ts";
import { printJson } from "../context.ts";
import { hooksHealth } from "../hooks-health.ts";
import { padded } from "../../../system/text/display-width.ts";

export function addDoctor(program: Command, context: Context): void {
  program
    .command("doctor")
    .description(
      "Checks this machine, the project and its loops, and says how to fix what it finds. Exits with 1 when something is broken.",
    )
    .option("--json", "print the findings as JSON")
    .addHelpText("after", "\nExample:\n  $ loop doctor")
    .action(async (flags: { json?: boolean }) => {
      const { terminal } = context;
      const findings = [
        ...(await diagnose(context.machine)),
        agentsHealth(context.machine.env),
        ...INSTALLERS.map((installer) => hooksHealth(installer, context)),
      ];
      if (findings.some((each) => each.health === "bad")) context.endWith(1);
      if (flags.json) return printJson(context, { findings });
      for (const { what, health, finding, remedy } of findings) {
        const mark = {
          good: terminal.paint("green", "✓"),
          warning: terminal.paint("yellow", "!"),
          bad: terminal.paint("red", "✗"),
        }[health];
        terminal.print(
          `${mark} ${padded(what, 12)} ${oneLine(finding, 200)}${remedy === null ? "" : `\n    → ${remedy}`}`,
        );
      }
      return undefined;
    });
}

function agentsHealth(env: NodeJS.ProcessEnv): Diagnosis {
  const agents = installedAgents(env);
  if (agents.length > 0)
    return { what: "agents", health: "good", finding: `${agents.join(", ")}, for loop run`, remedy: null };
  return {
    what: "agents",
    health: "warning",
    finding: "none found on PATH",
    remedy: "install one for loop run, or use any program with: --agent command --command 'PROGRAM'",
  };
}
