import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { startGuardian, type Guardian } from "../../system/process/guardian.ts";
import { createMachine, type Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import type { Interrupts } from "../../engine/run/run-context.ts";

/** What every scene of the demo is given. */
export interface DemoStage {
  readonly env: NodeJS.ProcessEnv;
  readonly cli: string;
  /** The folder stays, to look at what a loop leaves behind. */
  readonly keep: boolean;
  readonly interrupts: Interrupts;
  readonly onProject: (folder: string) => void;
}

/** Plays on a project with these files, committed, in a folder that is gone afterwards. `stage` is for what isn't part of the project. */
export async function onStage<Result>(
  { env, cli, keep, onProject }: DemoStage,
  files: { readonly [path: string]: string },
  play: (machine: Machine, stage: string, guardian: Guardian) => Promise<Result>,
): Promise<Result> {
  const stage = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-demo-")));
  const guardian = startGuardian({ program: [process.execPath, cli, "guardian"], runId: "" });
  if (!keep) guardian.guardFolder(stage);
  const clear = (): void => {
    if (!keep) rmSync(stage, { recursive: true, force: true, maxRetries: 5 });
  };
  // `loop demo | head` ends the process where it stands.
  process.once("exit", clear);
  try {
    const folder = join(stage, "corner-shop");
    const machine = createMachine(environmentOf(env, stage), folder);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    await commitAll(folder, machine.env);
    onProject(folder);
    return await play(machine, stage, guardian);
  } finally {
    process.off("exit", clear);
    clear();
    await guardian.dismiss();
  }
}

/** The demo leaves nothing behind in the user's own state, and sees none of an agent's variables. */
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
    await git("-c", "init.defaultBranch=main", "init", "--quiet");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "A shop with a cart");
  } catch (error) {
    throw new UserError("The demo needs git; install it and try again.", { cause: error });
  }
}
