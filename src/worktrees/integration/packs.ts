import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findGitFolders, isObjectId } from "../../system/git/git-files.ts";
import { firstLine, runGit } from "../../system/git/run-git.ts";

/** Larger ones don't travel. */
const LARGEST_PACK_BYTES = 64 * 1024 * 1024;

/** Above that, objects stay together in a pack. */
const LOOSE_BYTES = 1024 * 1024;

const TIME_LIMIT_MS = 5 * 60_000;

/** The same in every clone: its first commit. Null: there is none, or the clone is shallow and doesn't know. */
export async function repositoryId(root: string): Promise<string | null> {
  const folders = findGitFolders(root);
  if (folders === null || existsSync(join(folders.commonFolder, "shallow"))) return null;
  const args = ["rev-list", "--first-parent", "--max-parents=0", "HEAD"];
  const { ok, stdout } = await runGit({ root, args, timeoutMs: TIME_LIMIT_MS });
  const first = stdout.toString("latin1").trim();
  return ok && isObjectId(first) ? createHash("sha256").update(`repository ${first}`).digest("hex") : null;
}

export async function hasCommit(root: string, commit: string): Promise<boolean> {
  const { ok } = await runGit({ root, args: ["cat-file", "-e", `${commit}^{commit}`] });
  return ok;
}

const MOST_TIPS = 200;

/** What a clone has, by the newest commits of its refs. */
export async function tipsOf(root: string): Promise<readonly string[]> {
  const args = ["for-each-ref", "--sort=-creatordate", `--count=${MOST_TIPS}`, "--format=%(objectname)"];
  const [refs, head] = await Promise.all([
    runGit({ root, args }),
    runGit({ root, args: ["rev-parse", "--verify", "--quiet", "HEAD"] }),
  ]);
  const lines = `${head.stdout.toString("latin1")}\n${refs.stdout.toString("latin1")}`.split("\n");
  return [...new Set(lines.filter(isObjectId))];
}

type Packed =
  | { readonly type: "packed"; readonly needs: readonly string[]; readonly pack: Buffer }
  | { readonly type: "failed"; readonly why: string };

/** A commit with all that leads to it, without what others have. */
export async function packCommit(options: {
  readonly root: string;
  readonly commit: string;
  readonly has: readonly string[];
}): Promise<Packed> {
  const { root, commit } = options;
  const has = await known(root, options.has);
  const wanted = [commit, ...has.map((each) => `^${each}`)];
  const input = Buffer.from(`${wanted.join("\n")}\n`);
  const listed = await runGit({ root, args: ["rev-list", "--boundary", "--stdin"], input });
  if (!listed.ok) return { type: "failed", why: firstLine(listed.message) };
  const lines = listed.stdout.toString("latin1").split("\n");
  const needs = lines.flatMap((line) => (line.startsWith("-") ? [line.slice(1)] : []));
  const args = ["pack-objects", "--revs", "--thin", "--stdout", "--delta-base-offset", "-q"];
  const made = await runGit({ root, args, input, timeoutMs: TIME_LIMIT_MS });
  if (!made.ok) return { type: "failed", why: firstLine(made.message) };
  if (made.stdout.length > LARGEST_PACK_BYTES)
    return { type: "failed", why: `its changes take more than ${LARGEST_PACK_BYTES / 1024 / 1024} MB` };
  return { type: "packed", needs, pack: made.stdout };
}

/** Of the commits, those that are there. */
async function known(root: string, commits: readonly string[]): Promise<readonly string[]> {
  const ids = commits.filter(isObjectId);
  if (ids.length === 0) return [];
  const input = Buffer.from(`${ids.join("\n")}\n`);
  const { stdout } = await runGit({ root, args: ["cat-file", "--batch-check"], input });
  const lines = stdout.toString("latin1").split("\n");
  return lines.flatMap((line) => /^([0-9a-f]+) commit /.exec(line)?.[1] ?? []);
}

/** Takes the objects of a pack over, if they are whole and lead to the commit. False: nothing of it can be used. */
export async function takePack(options: {
  readonly root: string;
  readonly commit: string;
  readonly needs: readonly string[];
  readonly pack: Buffer;
}): Promise<boolean> {
  const { root, commit, needs, pack } = options;
  if (pack.length > LARGEST_PACK_BYTES || !isObjectId(commit) || !needs.every(isObjectId)) return false;
  const args =
    pack.length <= LOOSE_BYTES
      ? ["unpack-objects", "--strict", "-q"]
      : ["index-pack", "--stdin", "--fix-thin", "--strict"];
  const taken = await runGit({ root, args, input: pack, timeoutMs: TIME_LIMIT_MS });
  if (!taken.ok || !(await hasCommit(root, commit))) return false;
  const input = Buffer.from(`${[commit, ...needs.map((each) => `^${each}`)].join("\n")}\n`);
  // Every object on the way has to be there.
  const whole = await runGit({ root, args: ["rev-list", "--objects", "--quiet", "--stdin"], input });
  return whole.ok;
}

/** The only parent of a commit; null: it has none, or several. */
export async function onlyParent(root: string, commit: string): Promise<string | null> {
  const { ok, stdout } = await runGit({ root, args: ["rev-list", "--parents", "--max-count=1", commit] });
  const [, parent, ...others] = stdout.toString("latin1").trim().split(" ");
  return ok && parent !== undefined && others.length === 0 ? parent : null;
}
