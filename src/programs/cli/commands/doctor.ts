import type { Command } from "commander";
import { diagnose, type Diagnosis } from "../../../engine/lifecycle/doctor.ts";
import { INSTALLERS } from "../../../agents/hosts/installers.ts";
import { installedAgents } from "../../../engine/run/agent-choice.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { printJson, type Context } from "../context.ts";
import { padded } from "../../../system/text/display-width.ts";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Copy, Installer } from "../../../agents/hosts/install/installer.ts";

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
        ...hooksOfAll(context),
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

/** Of each agent that has our hooks, and of all others together. */
function hooksOfAll(context: Context): readonly Diagnosis[] {
  const found = INSTALLERS.map((installer) => ({
    id: installer.id,
    health: hooksHealth(installer, context),
  }));
  const without = found.filter(({ health }) => health === null).map(({ id }) => id);
  const rest: Diagnosis = {
    what: "hooks",
    health: "good",
    finding: `none in ${without.join(", ")}; loop run doesn't need them, loop install adds them`,
    remedy: null,
  };
  return [...found.flatMap(({ health }) => health ?? []), ...(without.length === 0 ? [] : [rest])];
}

/**
 * Where our hooks are, and whether they answer; null: nowhere. Two copies are worse than none: every stop would be decided, and
 * counted, twice.
 */
export function hooksHealth(installer: Installer, context: Context): Diagnosis | null {
  const copies = installer.findCopies(context.machine);
  const [first, ...others] = copies;
  if (first === undefined) return null;
  if (others.length === 0) return copyHealth(installer, first, context);
  return {
    what: "hooks",
    health: "warning",
    finding: `${installer.id} has them ${copies.length} times, so each stop is decided more than once: ${copies.map(({ where }) => where).join("; ")}`,
    remedy: `keep one: ${others.map(({ removal }) => removal).join("; ")}`,
  };
}

function copyHealth(
  { id }: Installer,
  { where, removal, hook, node, silencedBy, untrusted }: Copy,
  { machine, cli }: Context,
): Diagnosis {
  const bad = (finding: string, remedy: string): Diagnosis => ({
    what: "hooks",
    health: "bad",
    finding: `${id}: ${finding}`,
    remedy,
  });
  if (silencedBy !== null)
    return bad(
      `${silencedBy} switches off ${where}, so no session is held`,
      `remove disableAllHooks from it, or enable the plugin there`,
    );
  if (untrusted !== undefined) return bad(`${where}: ${untrusted.why}`, untrusted.remedy);
  if (hook === null) return { what: "hooks", health: "good", finding: `${id}: ${where}`, remedy: null };
  if (digestOf(hook) !== digestOf(join(dirname(cli), "hook.js")))
    return bad(
      `${hook} is not this program's hook: another version, overwritten, or gone`,
      `${removal}, then install it again`,
    );
  if (node !== null && isAbsolute(node) && !existsSync(node))
    return bad(
      `${where} starts the hook with ${node}, which is gone, so no session is held`,
      `loop install ${id}`,
    );
  return isAnswering(hook, machine.env)
    ? { what: "hooks", health: "good", finding: `${id}: ${where}, which answers`, remedy: null }
    : bad(`${hook} doesn't answer`, `run it yourself: echo x | node ${hook} stop --host ${id}`);
}

function digestOf(path: string): string | null {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return null;
  }
}

const PATIENCE_MS = 10_000;

/** Called as the host calls it, with an input that it has to complain about. Only our own program is started. */
function isAnswering(hook: string, env: NodeJS.ProcessEnv): boolean {
  const { status, stdout } = spawnSync(process.execPath, [hook, "stop"], {
    env: { ...env, LOOP_DISABLE: "", IDLE_LOOP_DISABLE: "" },
    input: "is anybody there?",
    encoding: "utf8",
    timeout: PATIENCE_MS,
  });
  return status === 0 && stdout.includes("[LOOP]");
}
