import { spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutWithheld } from "./withheld.mjs";

/** Where the work is, in a bundle and in the repository that takes it from there. */
export const WORK_REF = "refs/loopwright/work";
export const BUNDLE = "work.bundle";
const PATCH = "work.patch";

/** A job has no name of its own, and git wants one. */
const AUTHOR = { name: "Loopwright", email: "loopwright@users.noreply.invalid" };

/** The commit that the job has checked out; null where there is none. */
export function currentCommit(env) {
  const commit = git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], env).trim();
  return commit === "" ? null : commit;
}

/**
 * Keeps everything that changed since a commit as a patch to read and as a bundle to fetch: a job's machine is gone when
 * it ends. Neither the branch nor the index is touched. Returns what to say about it.
 */
export function keepWork(base, env) {
  // An agent may have put a link in its place, and nothing is written through one.
  if (base === null || !lstatSync(".loop", { throwIfNoEntry: false })?.isDirectory()) return null;
  const folder = mkdtempSync(join(env.RUNNER_TEMP || tmpdir(), "loop-work-"));
  try {
    const own = { ...env, GIT_INDEX_FILE: join(folder, "index") };
    must(["read-tree", "HEAD"], own);
    must(["add", "--all", "--", ".", ":(exclude,top).loop", ":(exclude,top)loop.env"], own);
    const tree = must(["write-tree"], own).trim();
    if (tree === must(["rev-parse", `${base}^{tree}`], own).trim()) return "Nothing was changed.";
    const work = must(
      ["commit-tree", tree, "-p", parentAfter(base, own), "-m", "Work of a loop"],
      own,
    ).trim();
    must(["update-ref", WORK_REF, work], own);
    leave(PATCH, (path) =>
      writeFileSync(path, must(["diff", "--binary", "--no-color", base, work], own), "latin1"),
    );
    leave(BUNDLE, (path) => must(["bundle", "create", "--quiet", path, `^${base}`, WORK_REF], own));
    return `The work is kept as .loop/${PATCH} and .loop/${BUNDLE}.`;
  } catch (error) {
    return `The work could not be kept as a patch and a bundle: ${error.message}.`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the agent committed itself stays in its history, unless it left the one it began in. */
function parentAfter(base, env) {
  const head = currentCommit(env) ?? base;
  return run(["merge-base", "--is-ancestor", base, head], env).status === 0 ? head : base;
}

function leave(name, write) {
  const path = join(".loop", name);
  rmSync(path, { recursive: true, force: true });
  write(path);
}

export function must(args, env) {
  const { status, stdout, stderr, error } = run(args, env);
  if (status === 0) return stdout;
  const said = (error?.message ?? stderr).trim().split("\n").at(-1) || `exit code ${status}`;
  throw new Error(`git ${args[0]}: ${said}`);
}

function git(args, env) {
  return run(args, env).stdout ?? "";
}

/** As the agent was run: without the job's tokens, since the repository's own settings may name programs. */
function run(args, env) {
  const identity = {
    GIT_AUTHOR_NAME: AUTHOR.name,
    GIT_AUTHOR_EMAIL: AUTHOR.email,
    GIT_COMMITTER_NAME: AUTHOR.name,
    GIT_COMMITTER_EMAIL: AUTHOR.email,
  };
  return spawnSync("git", ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", ...args], {
    env: { ...withoutWithheld(env), ...identity, GIT_TERMINAL_PROMPT: "0" },
    encoding: "latin1",
    maxBuffer: 1 << 30,
  });
}
