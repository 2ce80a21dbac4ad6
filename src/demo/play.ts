import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { chooseLoop } from "../app/find-loop.ts";
import { signalDone } from "../app/lifecycle.ts";
import { setLimits } from "../app/limits.ts";
import type { Machine } from "../app/machine.ts";
import { createMachine } from "../app/machine.ts";
import { openLoop } from "../app/open-loop.ts";
import { UserError } from "../app/user-error.ts";
import type { SessionId } from "../core/id.ts";
import { parseSessionId } from "../core/id.ts";
import type { Loop } from "../core/loop.ts";
import { FIXED_CART, writeSampleProject } from "./sample-project.ts";

/** What a viewer of the demo is told, in order. */
export type Scene =
  | { readonly type: "project"; readonly folder: string }
  | { readonly type: "opened"; readonly loop: Loop }
  | { readonly type: "said"; readonly words: string }
  | { readonly type: "edited"; readonly path: string; readonly change: string }
  | { readonly type: "held"; readonly reason: string }
  | { readonly type: "let-go"; readonly loop: Loop };

const SESSION = parseSessionId("demo-session") as SessionId;

/**
 * Plays a loop on a sample project: real git, real checks, the real hook, real state. Only the agent is
 * played, because a real one would need a key.
 */
export async function playDemo(
  env: NodeJS.ProcessEnv,
  show: (scene: Scene) => void,
  keep: boolean,
): Promise<void> {
  const stage = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-demo-")));
  try {
    const folder = join(stage, "corner-shop");
    mkdirSync(folder);
    const machine = createMachine(environmentOf(env, stage), folder);
    writeSampleProject(folder);
    await commitAll(folder, machine.env);
    show({ type: "project", folder });
    await playTurns(machine, folder, show);
  } finally {
    if (!keep) rmSync(stage, { recursive: true, force: true });
  }
}

async function playTurns(machine: Machine, folder: string, show: (scene: Scene) => void): Promise<void> {
  const { loop } = await openLoop(machine, {
    spec: "Fix total() in src/cart.js: quantities are ignored. All tests pass. Do not change the tests.",
    criteria: [
      {
        name: "tests pass",
        check: { command: { kind: "shell", line: "npm test --silent" }, timeoutMs: 30_000, passEnv: [] },
      },
    ],
    steps: [],
    mustNots: [{ kind: "path", glob: "test/**" }],
    protects: [],
    exitRule: "criteria",
    mode: "loop",
    shape: "tool",
    limits: setLimits({}, {}, null, { kind: "person" }),
    redFirst: false,
    nested: false,
    binding: { session: SESSION, host: "claude-code" },
  });
  show({ type: "opened", loop });

  const lie = "I looked at the cart and everything works now. All done!";
  show({ type: "said", words: lie });
  await signalDone(machine, chooseLoop(machine, loop.id));
  const answer = await stop(machine, lie);
  if (answer.decision !== "block" || answer.reason === undefined)
    throw new UserError("The demo's hook did not hold; please report this.");
  show({ type: "held", reason: answer.reason });

  writeFileSync(join(folder, "src/cart.js"), FIXED_CART);
  show({ type: "edited", path: "src/cart.js", change: "item.price  →  item.price * item.quantity" });
  const truth = "The quantity was never multiplied in. Fixed, and the tests show it.";
  show({ type: "said", words: truth });
  await signalDone(machine, chooseLoop(machine, loop.id));
  await stop(machine, truth);
  show({ type: "let-go", loop: chooseLoop(machine, loop.id).standing.loop });
}

/** The agent tries to stop: its host calls the hook, as it would in a real session. */
async function stop(machine: Machine, message: string): Promise<{ decision?: string; reason?: string }> {
  const hook = join(dirname(realpathSync(process.argv[1] ?? "")), "hook.js");
  const payload = {
    hook_event_name: "Stop",
    session_id: SESSION,
    cwd: machine.cwd,
    stop_hook_active: false,
    last_assistant_message: message,
  };
  const child = spawn(process.execPath, [hook, "stop", "--host", "claude-code"], {
    cwd: machine.cwd,
    env: machine.env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(payload));
  let reply = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (reply += text));
  await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
  return reply === "" ? {} : (JSON.parse(reply) as { decision?: string; reason?: string });
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
    await git("init", "--quiet");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "A shop with a cart");
  } catch (error) {
    throw new UserError("The demo needs git; install it and try again.", { cause: error });
  }
}
