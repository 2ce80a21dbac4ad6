import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { Sandbox } from "./sandbox.ts";
import { until } from "./patience.ts";
import { makeSharedFolder } from "./temporary-folder.ts";

export interface Variables {
  readonly [name: string]: string;
}

/** What a job of CI came to, with what it left for its runner. */
export interface Job {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly output: string;
  readonly summary: string;
}

/** An agent that does what is asked, after these commands of its own. */
export function scriptOf(...commands: readonly string[]): string {
  return JSON.stringify({
    turns: [
      {
        do: [...commands.map((run) => ({ run })), { write: "done.txt", text: "done\n" }],
        say: "Done.\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---",
        usd: 0.5,
        tokens: { input: 100, output: 10 },
      },
    ],
  });
}

export const PLAYED = {
  LOOP_AGENT: "rehearsal",
  LOOP_SCRIPT: "script.json",
  LOOP_CHECKS: "done=test -f done.txt\n",
};

export const SPOKEN = { ...PLAYED, LOOP_SPEC: "Write the file done.txt" };

export function project(script: string): Sandbox {
  const sandbox = new Sandbox({
    "script.json": script,
    ".gitignore": "script.json\n*.md\n*.txt\n!done.txt\n",
  });
  sandbox.commitAll();
  return sandbox;
}

/** The paths of all that is published. */
export function packedFiles(): readonly string[] {
  const { stdout, stderr } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    encoding: "utf8",
  });
  try {
    const [packed] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }];
    return packed.files.map(({ path }) => path);
  } catch (error) {
    throw new Error(`npm pack: ${stderr}`, { cause: error });
  }
}

let unpacked: string | null = null;

/** The published package, as far as a job needs it: a folder without the sources, from which nothing is built. */
export function packageFolder(): string {
  if (unpacked !== null) return unpacked;
  const folder = makeSharedFolder("package");
  for (const path of packedFiles()) {
    if (!path.startsWith("dist/plugin/")) cpSync(path, join(folder, path));
  }
  unpacked = folder;
  return folder;
}

/** The files that a runner of GitHub gives to a step, and one of the action that the step belongs to. */
export function runnerFiles(sandbox: Sandbox): Variables {
  const folder = join(sandbox.home, "_runner_file_commands");
  mkdirSync(folder, { recursive: true });
  const named = {
    GITHUB_ENV: join(folder, "set_env_1"),
    GITHUB_PATH: join(folder, "add_path_1"),
    GITHUB_OUTPUT: join(folder, "set_output_1"),
    GITHUB_STATE: join(folder, "save_state_1"),
    GITHUB_STEP_SUMMARY: join(folder, "step_summary_1"),
  };
  for (const file of [...Object.values(named), join(folder, "set_env_0")]) writeFileSync(file, "");
  return named;
}

export interface StartedJob {
  readonly process: ChildProcess;
  readonly ended: Promise<Job>;
}

/** The script as a job would run it. */
export function startJob(
  sandbox: Sandbox,
  env: Variables,
  command: readonly [string, ...string[]] = [process.execPath, join(packageFolder(), "ci/run.mjs")],
): StartedJob {
  const files = runnerFiles(sandbox);
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: sandbox.root,
    env: { ...sandbox.env, RUNNER_TEMP: sandbox.home, ...files, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = new Promise<Job>((done) => {
    child.on("close", (code) => {
      const [output, summary] = [files["GITHUB_OUTPUT"], files["GITHUB_STEP_SUMMARY"]].map((path) =>
        readFileSync(path ?? "", "utf8"),
      );
      done({ code, out, err, output: output ?? "", summary: summary ?? "" });
    });
  });
  return { process: child, ended };
}

export async function job(sandbox: Sandbox, env: Variables): Promise<Job> {
  return startJob(sandbox, env).ended;
}

/** Waits until the agent has come so far. */
export async function untilThere(path: string): Promise<void> {
  await until(() => existsSync(path), path);
}

/** An address that was moved: asked for it, an API names the new one. */
export class Moved {
  readonly to: string;
  constructor(to: string) {
    this.to = to;
  }
}

/** An API on loopback that answers paths with JSON, and remembers what was asked and what was sent. */
export async function api(answers: {
  readonly [path: string]: unknown;
}): Promise<{ url: string; asked: string[]; sent: Promise<unknown>[] }> {
  const asked: string[] = [];
  const sent: Promise<unknown>[] = [];
  const server = createServer((request, response) => {
    const { authorization, "job-token": ofJob, "private-token": own } = request.headers;
    asked.push([request.url, authorization ?? ofJob ?? own ?? ""].join(" "));
    if (request.method === "POST") sent.push(json(request));
    const answer = answers[request.url ?? ""];
    if (answer instanceof Moved) response.writeHead(301, { location: answer.to });
    else response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, sent };
}
