import { existsSync } from "node:fs";
import { join, delimiter, dirname, isAbsolute, relative } from "node:path";
import { findGitFolders, headFromFiles, isObjectId } from "./git-files.ts";
import { execFile, type ChildProcess } from "node:child_process";
import { realOrSame } from "../files/folders.ts";
import { knownPipe, watchForPipe } from "./pipes.ts";

const TIME_LIMIT_MS = 30_000;

/** Settings through which a repository's own configuration could run a program. */
const NEUTRAL_SETTINGS = [
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.sshCommand=false",
  "core.gitProxy=false",
  "core.askPass=false",
  "core.alternateRefsCommand=false",
  "credential.helper=",
  "diff.external=",
  "gpg.program=false",
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "log.showSignature=false",
  "submodule.recurse=false",
  "protocol.allow=never",
  "protocol.ext.allow=never",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

interface GitOptions {
  /** Top folder of the worktree. */
  readonly root: string;
  readonly args: readonly string[];
  readonly input?: Buffer;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * The only way to run git in the user's repository. The repository names filters and drivers (`filter.X`, `diff.X`, `merge.X`),
 * so they cannot be switched off here: run no command that reads or writes file contents.
 */
export function runGit({
  root,
  args,
  input,
  timeoutMs = TIME_LIMIT_MS,
  signal,
}: GitOptions): Promise<GitOutcome> {
  const limit = AbortSignal.timeout(timeoutMs);
  return spawnGit({
    args: ["--no-pager", ...NEUTRAL_SETTINGS, ...args],
    cwd: root,
    env: gitEnvironment({
      // Both are named, so that neither core.worktree nor a parent repository is used.
      GIT_DIR: join(root, ".git"),
      GIT_WORK_TREE: root,
      GIT_OPTIONAL_LOCKS: "0",
      GIT_ALLOW_PROTOCOL: "none",
      GIT_NO_LAZY_FETCH: "1",
      GIT_NO_REPLACE_OBJECTS: "1",
      // Nowhere: commits have the parents that they name.
      GIT_GRAFT_FILE: "/dev/null/none",
    }),
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    ...(input === undefined ? {} : { input }),
  });
}

/** Null if there is no commit or no repository. Runs git only if its files aren't enough. */
export async function headCommit(root: string): Promise<string | null> {
  if (!existsSync(join(root, ".git"))) return null;
  const folders = findGitFolders(root);
  const read = folders === null ? null : headFromFiles(folders);
  if (read !== null) return read === "none" ? null : read;
  const outcome = await runGit({ root, args: ["rev-parse", "--verify", "--quiet", "HEAD"] });
  const commit = outcome.stdout.toString("latin1").trim();
  return outcome.ok && isObjectId(commit) ? commit : null;
}

/** Git names the cause first, and then what came of it. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [line = ""] = text.replace(/^git failed: /, "").split("\n");
  return line.replace(/^(?:fatal|error): /, "");
}

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
  const root = env["GIT_WORK_TREE"] ?? cwd;
  const known = knownPipe(root);
  if (known !== null) return Promise.resolve(waitsFor(known));
  return new Promise((resolve) => {
    const options = {
      cwd,
      env: { ...env, PATH: outsidePath(env["PATH"] ?? "", root) },
      signal,
      killSignal: "SIGKILL",
      encoding: "buffer",
      maxBuffer: LARGEST_OUTPUT_BYTES,
    } as const;
    const child = execFile("git", args, options, (error, stdout, stderr) => {
      running.delete(child);
      watch.stop();
      if (pipe !== null) return resolve(waitsFor(pipe));
      const message = stderr.toString("latin1");
      if (error === null) return resolve({ ok: true, stdout, message });
      const isMissing = error.code === "ENOENT" && existsSync(cwd);
      return resolve({ ok: false, stdout, message: message || error.message, isMissing });
    });
    let pipe: string | null = null;
    const watch = watchForPipe(root, (path) => {
      pipe = path;
      child.kill("SIGKILL");
    });
    endWithUs(child);
    child.stdin?.on("error", () => {}); // git ended without reading; its outcome says why
    child.stdin?.end(input);
  });
}

function waitsFor(pipe: string): GitOutcome {
  const message = `${pipe} is a pipe, and git would wait for it`;
  return { ok: false, stdout: Buffer.alloc(0), message, isMissing: false };
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
  const question = JSON.stringify([path, project]);
  const answer = outside.get(question) ?? findOutside(path, project);
  if (outside.size === MOST_ANSWERS) outside.clear();
  outside.set(question, answer);
  return answer;
}

/** Each git asks. Whoever makes another folder of one of these could as well put a git there. */
const outside = new Map<string, string>();
const MOST_ANSWERS = 256;

function findOutside(path: string, project: string): string {
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
