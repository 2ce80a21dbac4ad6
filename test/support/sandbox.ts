import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import type { StatusView } from "../../src/views/status.ts";
import { commitInto } from "./first-commit.ts";
import { inProcess } from "./in-process.ts";
import type { Outcome } from "./in-process.ts";

export type Ran = Outcome;

const CLI = resolve("dist/cli.js");
const HOOK = resolve("dist/hook.js");

interface CallOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string;
}

const TRIES = 20;

/** A check that goes on in the background may write once more, into a folder that was just emptied. */
function removeWhole(folder: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

/** A project of its own, a state home of its own, and the built programs in a clean environment. */
export class Sandbox {
  readonly root: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(files: { readonly [path: string]: string } = {}) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-test-")));
    // A process that looks at checks behind a session may be writing its last line.
    onTestFinished(() => removeWhole(folder));
    this.root = join(folder, "project");
    this.home = join(folder, "home");
    mkdirSync(this.root);
    mkdirSync(this.home);
    this.env = {
      PATH: process.env["PATH"],
      HOME: this.home,
      XDG_STATE_HOME: join(this.home, "state"),
      GIT_AUTHOR_NAME: "Test",
      GIT_AUTHOR_EMAIL: "test@example.invalid",
      GIT_COMMITTER_NAME: "Test",
      GIT_COMMITTER_EMAIL: "test@example.invalid",
    };
    this.write(files);
  }

  write(files: { readonly [path: string]: string }): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
      if (text.startsWith("#!")) chmodSync(join(this.root, path), 0o755);
    }
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  git(...args: readonly string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(cwd: string, ...words: readonly string[]): string {
    const { code, out, err } = inProcess({ program: "git", words, cwd, env: this.env, input: "" });
    if (code !== 0) throw new Error(`git ${words.join(" ")}: ${err}`);
    return out;
  }

  commitAll(): void {
    commitInto(this.root, (...args) => this.git(...args));
  }

  /** `loop` in a process that stays; `spawnLoop` where the process itself is the point. */
  loop(...args: readonly string[]): Ran {
    return this.loopWith({}, ...args);
  }

  loopWith({ env, cwd, input }: CallOptions, ...args: readonly string[]): Ran {
    return inProcess({
      program: "loop",
      words: args,
      cwd: cwd ?? this.root,
      env: { ...this.env, ...env },
      input: input ?? "",
    });
  }

  /** The built program, as users start it. */
  spawnLoop(...args: readonly string[]): Ran {
    return this.spawnLoopWith({}, ...args);
  }

  spawnLoopWith(options: CallOptions, ...args: readonly string[]): Ran {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
      cwd: options.cwd ?? this.root,
      env: { ...this.env, ...options.env },
      input: options.input ?? "",
      encoding: "utf8",
    });
    return { code: status, out: stdout, err: stderr };
  }

  /** As an agent in a session would call it. */
  agentLoop(session: string, ...args: readonly string[]): Ran {
    return this.loopWith({ env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session } }, ...args);
  }

  start(session: string | null, ...args: readonly string[]): StatusView {
    const bound = session === null ? [] : ["--session", session];
    const ran = this.loop("start", ...args, ...bound, "--json");
    if (ran.code !== 0) throw new Error(`loop start: ${ran.err}`);
    return JSON.parse(ran.out) as StatusView;
  }

  status(): readonly StatusView[] {
    return (JSON.parse(this.loop("status", "--all", "--json").out) as { loops: readonly StatusView[] }).loops;
  }

  /** The only loop of this project. */
  only(): StatusView {
    const [view, ...others] = this.status();
    if (view === undefined || others.length > 0) throw new Error("not exactly one loop");
    return view;
  }

  stop(session: string, payload: { readonly [key: string]: unknown } = {}, env: NodeJS.ProcessEnv = {}): Ran {
    return this.hook(
      JSON.stringify({
        hook_event_name: "Stop",
        session_id: session,
        cwd: this.root,
        stop_hook_active: false,
        ...payload,
      }),
      env,
    );
  }

  /** Another event of the session, and what its user is shown then. */
  event(event: string, session: string, payload: { readonly [key: string]: unknown }): string {
    const { out } = inProcess({
      program: "hook",
      words: [event],
      cwd: this.root,
      env: this.env,
      input: JSON.stringify({ session_id: session, cwd: this.root, ...payload }),
    });
    return (JSON.parse(out || "{}") as { systemMessage?: string }).systemMessage ?? "";
  }

  /** A session starts or resumes here: what its user and its model are told. */
  sessionStarts(session: string): { readonly toUser: string; readonly toModel: string } {
    const { out } = inProcess({
      program: "hook",
      words: ["session-start", "--host", "claude-code"],
      cwd: this.root,
      env: this.env,
      input: JSON.stringify({ hook_event_name: "SessionStart", session_id: session, cwd: this.root }),
    });
    const { systemMessage = "", hookSpecificOutput } = JSON.parse(out || "{}") as {
      systemMessage?: string;
      hookSpecificOutput?: { additionalContext: string };
    };
    return { toUser: systemMessage, toModel: hookSpecificOutput?.additionalContext ?? "" };
  }

  /** Another event, with the host's own payload, of a session that a person sits at. */
  hookOf(event: string, payload: { readonly [key: string]: unknown }): Ran {
    return inProcess({
      program: "hook",
      words: [event, "--host", "claude-code"],
      cwd: this.root,
      env: { ...this.env, CLAUDE_CODE_ENTRYPOINT: "cli" },
      input: JSON.stringify(payload),
    });
  }

  stopWith(flags: readonly string[], session: string): Ran {
    return this.hook(
      JSON.stringify({ hook_event_name: "Stop", session_id: session, cwd: this.root }),
      {},
      flags,
    );
  }

  /** The hook in a process that stays; `spawnHook` where the process itself is the point. */
  hook(input: string, env: NodeJS.ProcessEnv = {}, flags: readonly string[] = []): Ran {
    return inProcess({
      program: "hook",
      words: ["stop", "--host", "claude-code", ...flags],
      cwd: this.root,
      env: { ...this.env, ...env },
      input,
    });
  }

  /** The built hook, as a host starts it. */
  spawnHook(input: string, env: NodeJS.ProcessEnv = {}, flags: readonly string[] = []): Ran {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [HOOK, "stop", "--host", "claude-code", ...flags],
      {
        cwd: this.root,
        env: { ...this.env, ...env },
        input,
        encoding: "utf8",
      },
    );
    return { code: status, out: stdout, err: stderr };
  }

  /** Stops that overlap; resolves with every reply. */
  async stopAtOnce(session: string, count: number): Promise<readonly string[]> {
    const input = JSON.stringify({ hook_event_name: "Stop", session_id: session, stop_hook_active: true });
    return Promise.all(
      Array.from({ length: count }, async () => {
        const child = spawn(process.execPath, [HOOK, "stop"], {
          cwd: this.root,
          env: this.env,
          stdio: ["pipe", "pipe", "inherit"],
        });
        child.stdin.end(input);
        let reply = "";
        child.stdout.setEncoding("utf8").on("data", (text: string) => (reply += text));
        await new Promise((done) => child.on("close", done));
        return reply;
      }),
    );
  }

  /** Commands that overlap. */
  async loopsAtOnce(calls: readonly (readonly string[])[]): Promise<readonly Ran[]> {
    return Promise.all(
      calls.map(async (args) => {
        const child = spawn(process.execPath, [CLI, ...args], { cwd: this.root, env: this.env });
        let out = "";
        let err = "";
        child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
        child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
        const code = await new Promise<number | null>((done) => child.on("close", done));
        return { code, out, err };
      }),
    );
  }

  journal(id: string): string {
    return join(this.root, ".loop", "loops", id, "journal.jsonl");
  }
}

/** What a held agent is told; throws when it was not held. */
export function heldReason(ran: Ran): string {
  const reply = JSON.parse(ran.out) as { decision?: string; reason?: string };
  if (reply.decision !== "block" || reply.reason === undefined) throw new Error(`not held: ${ran.out}`);
  return reply.reason;
}

/** What a user reads of the hook that let the agent go. */
export function toldOf(ran: Pick<Ran, "out">): string {
  const { systemMessage, ...rest } = JSON.parse(ran.out) as { systemMessage?: string };
  if (systemMessage === undefined || Object.keys(rest).length > 0)
    throw new Error(`nothing told: ${ran.out}`);
  return systemMessage;
}
