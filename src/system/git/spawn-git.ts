import { execFile, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, relative } from "node:path";
import { realOrSame } from "../files/folders.ts";

interface GitProcess {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: Buffer;
  readonly signal: AbortSignal;
}

export type GitOutcome =
  /** `message`: git's complaints, in latin1. */
  | { readonly ok: true; readonly stdout: Buffer; readonly message: string }
  | {
      readonly ok: false;
      readonly stdout: Buffer;
      readonly message: string;
      /** Git cannot be started. */
      readonly isMissing: boolean;
    };

const LARGEST_OUTPUT_BYTES = 512 * 1024 * 1024;

export function spawnGit({ args, cwd, env, input, signal }: GitProcess): Promise<GitOutcome> {
  return new Promise((resolve) => {
    const options = {
      cwd,
      env: { ...env, PATH: outsidePath(env["PATH"] ?? "", env["GIT_WORK_TREE"] ?? cwd) },
      signal,
      killSignal: "SIGKILL",
      encoding: "buffer",
      maxBuffer: LARGEST_OUTPUT_BYTES,
    } as const;
    const child = execFile("git", args, options, (error, stdout, stderr) => {
      running.delete(child);
      const message = stderr.toString("latin1");
      if (error === null) return resolve({ ok: true, stdout, message });
      const isMissing = error.code === "ENOENT" && existsSync(cwd);
      return resolve({ ok: false, stdout, message: message || error.message, isMissing });
    });
    endWithUs(child);
    child.stdin?.on("error", () => {}); // git ended without reading; its outcome says why
    child.stdin?.end(input);
  });
}

const running = new Set<ChildProcess>();

/** Ends git with us, whatever ends us. */
function endWithUs(child: ChildProcess): void {
  if (running.size === 0) {
    process.off("exit", endRunning);
    process.on("exit", endRunning);
  }
  running.add(child);
}

function endRunning(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** What git inherits: where to find programs and the user's settings, but no variables that control git itself. */
export function gitEnvironment(additions: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  return { ...Object.fromEntries(inherited), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", ...additions };
}

/** The PATH folders outside a project, so that no program from a clone is mistaken for a system program. */
export function outsidePath(path: string, project: string): string {
  const root = realOrSame(project);
  // Everything is inside the root folder, and nobody cloned it.
  if (dirname(root) === root) return path;
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(root, realOrSame(folder)))
    .join(delimiter);
}

function isInside(root: string, folder: string): boolean {
  const way = relative(root, folder);
  return way === "" || (!isAbsolute(way) && !`${way}/`.startsWith(join("..", "/")));
}

/** Null: no git is installed. Asked outside any repository. */
export async function gitVersion(): Promise<string | null> {
  const outcome = await spawnGit({
    args: ["--version"],
    cwd: "/",
    env: gitEnvironment({}),
    signal: AbortSignal.timeout(10_000),
  });
  return outcome.ok
    ? outcome.stdout
        .toString("utf8")
        .trim()
        .replace(/^git version /, "")
    : null;
}
