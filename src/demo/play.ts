import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { setLimits } from "../app/limits.ts";
import type { Machine } from "../loops/machine.ts";
import { createMachine } from "../loops/machine.ts";
import { openLoop } from "../app/open-loop.ts";
import { UserError } from "../loops/user-error.ts";
import type { Check } from "../core/criterion.ts";
import type { Loop } from "../core/loop.ts";
import { rehearsalOf } from "../run/agent-choice.ts";
import { driveLoop } from "../run/drive.ts";
import type { Interrupts } from "../run/interrupts.ts";
import type { RunNews } from "../run/news.ts";
import { DEMO_SCRIPT } from "./demo-script.ts";
import { writeSampleProject } from "./sample-project.ts";

export const DEMO_SPEC =
  "Fix total() in src/cart.js: quantities and the rebate (10 % off from 100 on) are ignored. All tests pass, no TODO is left.";

export const DEMO_CHECKS = [
  ["tests pass", "npm test --silent"],
  ["no TODO left", "! grep -rn TODO src"],
] as const;

export interface Demo {
  readonly env: NodeJS.ProcessEnv;
  readonly cli: string;
  /** Keeps the folder, to show what a loop leaves behind. */
  readonly keep: boolean;
  readonly interrupts: Interrupts;
  readonly onProject: (folder: string) => void;
  readonly tell: (news: RunNews) => void;
}

/**
 * Plays a whole loop on a sample project with real git, checks, engine and state. Only the agent is scripted, because a real
 * one would need a key.
 */
export async function playDemo(demo: Demo): Promise<Loop> {
  const stage = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-demo-")));
  try {
    const folder = join(stage, "corner-shop");
    mkdirSync(folder);
    const machine = createMachine(environmentOf(demo.env, stage), folder);
    writeSampleProject(folder);
    await commitAll(folder, machine.env);
    demo.onProject(folder);
    return await play(machine, stage, demo);
  } finally {
    if (!demo.keep) rmSync(stage, { recursive: true, force: true });
  }
}

async function play(machine: Machine, stage: string, { cli, interrupts, tell }: Demo): Promise<Loop> {
  const script = join(stage, "script.json");
  writeFileSync(script, JSON.stringify(DEMO_SCRIPT));
  const loop = await openLoop(machine, {
    spec: DEMO_SPEC,
    criteria: DEMO_CHECKS.map(([name, line]) => ({ name, check: shellCheck(line) })),
    steps: [],
    mustNots: [],
    protects: [],
    exitRule: "criteria",
    mode: "loop",
    shape: null,
    limits: setLimits({}, {}, null, { kind: "person" }),
    redFirst: true,
    proof: "standard",
    mayChange: [],
    nested: false,
    binding: null,
  });
  return driveLoop(machine, loop, {
    choice: rehearsalOf(script),
    cli,
    interrupts,
    person: null,
    tell,
  });
}

function shellCheck(line: string): Check {
  return { command: { kind: "shell", line }, timeoutMs: 30_000, passEnv: [] };
}

/** The demo leaves nothing in the user's own state and sees no variables of an agent. */
function environmentOf(env: NodeJS.ProcessEnv, stage: string): NodeJS.ProcessEnv {
  const kept = ["PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "LANG"].flatMap((name) =>
    env[name] === undefined ? [] : [[name, env[name]]],
  );
  return {
    ...Object.fromEntries(kept),
    HOME: stage,
    XDG_STATE_HOME: join(stage, "state"),
    NO_COLOR: "1",
    NO_UPDATE_NOTIFIER: "1",
  };
}

async function commitAll(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const git = async (...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)("git", ["-c", "user.name=Demo", "-c", "user.email=demo@example.invalid", ...args], {
      cwd: folder,
      env,
    });
  try {
    await git("init", "--quiet");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "A shop with a cart");
  } catch (error) {
    throw new UserError("The demo needs git; install it and try again.", { cause: error });
  }
}
