import { execFile } from "node:child_process";
import { outsidePath } from "./outside-path.ts";

export interface GitProcess {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: Buffer;
  readonly signal: AbortSignal;
}

export type GitOutcome =
  | { readonly ok: true; readonly stdout: Buffer }
  | { readonly ok: false; readonly stdout: Buffer; readonly message: string };

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
      if (error === null) resolve({ ok: true, stdout });
      else resolve({ ok: false, stdout, message: stderr.toString("latin1") || error.message });
    });
    child.stdin?.on("error", () => {}); // git ended without reading; its outcome says why
    child.stdin?.end(input);
  });
}

/** What git inherits: where to find programs and the user's own settings, and no variable that steers git itself. */
export function gitEnvironment(additions: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  return { ...Object.fromEntries(inherited), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", ...additions };
}
