import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Copy, Installer } from "../../agents/hosts/install/installer.ts";
import type { Diagnosis } from "../../engine/lifecycle/doctor.ts";
import type { Context } from "./context.ts";

/** Where our hooks are, and whether they answer. Two copies are worse than none: every stop would be decided, and counted, twice. */
export function hooksHealth(installer: Installer, context: Context): Diagnosis {
  const copies = installer.findCopies(context.machine);
  const [first, ...others] = copies;
  if (first === undefined)
    return {
      what: "hooks",
      health: "good",
      finding: `none in ${installer.id}; loop run doesn't need them, loop install ${installer.id} adds them`,
      remedy: null,
    };
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
  { where, removal, hook, silencedBy }: Copy,
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
  if (hook === null) return { what: "hooks", health: "good", finding: `${id}: ${where}`, remedy: null };
  if (digestOf(hook) !== digestOf(join(dirname(cli), "hook.js")))
    return bad(
      `${hook} is not this program's hook: another version, overwritten, or gone`,
      `${removal}, then install it again`,
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
