import { configuredHooksOff, hasIdentity } from "../../system/git/settings.ts";
import { runGit, firstLine } from "../../system/git/run-git.ts";
import { updateOwnRef } from "../../system/git/update-own-ref.ts";
import { refCommit } from "../checkpoints/refs.ts";
import { withObjects, type Repository } from "./repository.ts";
import { branchFromFiles, findGitFolders, isObjectId, isPlainRef } from "../../system/git/git-files.ts";

export type MovedBranch =
  | { readonly type: "moved" }
  /** It does not stand where it was expected; null: it doesn't exist. */
  | { readonly type: "taken"; readonly by: string | null }
  /** The user has it checked out: moving it would make their files look changed. */
  | { readonly type: "checked-out" }
  | { readonly type: "failed"; readonly why: string };

/** Moves a branch if it stands where it is expected; from null, it is made. A branch that is already there has moved. */
export async function moveBranch(options: {
  readonly root: string;
  /** Such as `loop/ID`. */
  readonly name: string;
  readonly from: string | null;
  readonly to: string;
}): Promise<MovedBranch> {
  const { root, name, from, to } = options;
  const ref = `refs/heads/${name}`;
  const isName = isPlainRef(ref) ?? (await runGit({ root, args: ["check-ref-format", ref] })).ok;
  if (!isName || !isObjectId(to)) return { type: "failed", why: `${name} can't be the name of a branch` };
  const before = await refCommit(root, ref);
  if (before === to) return { type: "moved" };
  if ((await checkedOutRef(root)) === ref) return { type: "checked-out" };
  const hooksOff = await configuredHooksOff(root);
  const expected = from ?? "0".repeat(to.length);
  const args = [...hooksOff, "update-ref", "--no-deref", ref, to, expected];
  const outcome = await updateOwnRef({ root, ref, args });
  if (outcome.ok) return { type: "moved" };
  const by = await refCommit(root, ref);
  if (by === to) return { type: "moved" };
  return by === from ? { type: "failed", why: firstLine(outcome.message) } : { type: "taken", by };
}

/** Removes a branch that nobody has moved or checked out; otherwise it stays. */
export async function removeBranch(options: {
  readonly root: string;
  readonly name: string;
  readonly at: string;
}): Promise<void> {
  const { root, name, at } = options;
  const ref = `refs/heads/${name}`;
  const args = ["for-each-ref", "--format=%(objectname)%(worktreepath)", ref];
  const found = await runGit({ root, args });
  if (!found.ok || found.stdout.toString("utf8").trim() !== at) return;
  const hooksOff = await configuredHooksOff(root);
  await updateOwnRef({ root, ref, args: [...hooksOff, "update-ref", "--no-deref", "-d", ref, at] });
}

/** The ref that HEAD leads to, whether or not it has a commit; null when HEAD is detached. */
export async function checkedOutRef(root: string): Promise<string | null> {
  const folders = findGitFolders(root);
  const read = folders === null ? null : branchFromFiles(folders);
  if (read !== null) return read;
  const outcome = await runGit({ root, args: ["symbolic-ref", "--quiet", "HEAD"] });
  return outcome.ok ? outcome.stdout.toString("utf8").trim() : null;
}

export async function isAncestor(root: string, commit: string, of: string): Promise<boolean> {
  if (!isObjectId(commit) || !isObjectId(of)) return false;
  return (await runGit({ root, args: ["merge-base", "--is-ancestor", commit, of] })).ok;
}

interface Author {
  readonly name: string;
  readonly email: string;
}

type Committed =
  | { readonly type: "committed"; readonly commit: string }
  | { readonly type: "failed"; readonly why: string };

/** Whose commits these are where the user's settings name nobody. */
export const NOBODY: Author = { name: "Loopwright", email: "loop@localhost" };

/** Another setting would make the trailers unreadable. */
const AS_TEXT = ["-c", "i18n.commitEncoding=UTF-8"];

/** Makes a commit of a tree on top of another commit. No branch is moved. */
export async function commitOnto(options: {
  readonly root: string;
  readonly tip: string;
  readonly tree: string;
  readonly message: string;
  readonly trailers: Trailers;
  /** Null: the user, as git's settings have it. */
  readonly author?: Author | null;
}): Promise<Committed> {
  const { root, tip, tree, message, trailers } = options;
  const author = options.author ?? ((await hasIdentity(root)) ? null : NOBODY);
  const identity =
    author === null ? [] : ["-c", `user.name=${author.name}`, "-c", `user.email=${author.email}`];
  const outcome = await runGit({
    root,
    args: [...identity, ...AS_TEXT, "-c", "core.fsync=committed", "commit-tree", "-p", tip, "-F", "-", tree],
    input: Buffer.from(`${withTrailers(message, trailers)}\n`),
  });
  const commit = outcome.stdout.toString("latin1").trim();
  return outcome.ok && isObjectId(commit)
    ? { type: "committed", commit }
    : { type: "failed", why: firstLine(outcome.message) };
}

export interface AcceptedCommit {
  readonly commit: string;
  readonly trailers: Trailers;
}

/** What is read of history is in the commits alone: no file beside them, and no setting, has a say. */
const LOG = [
  ...["-c", "core.commitGraph=false", "log", "-z", "-s", "--reverse", "--first-parent", "--no-color"],
  ...["--encoding=UTF-8", "--format=%H %P%n%(trailers:only,unfold)"],
];

/**
 * The commits that a ref has beyond another commit, the oldest first, with their trailers: what was accepted by somebody who didn't
 * live to write it down. Null when the ref leads nowhere, or not from that commit on.
 */
export async function acceptedSince(
  options: Repository & { readonly from: string; readonly ref: string },
): Promise<readonly AcceptedCommit[] | null> {
  const { root, from, ref } = options;
  const to = await refCommit(root, ref);
  if (to === null) return null;
  if (to === from) return [];
  try {
    const stdout = await withObjects(options, async (store) => store.run([...LOG, `${from}..${to}`]));
    return readLog(stdout.toString("utf8"), from);
  } catch {
    return null;
  }
}

function readLog(text: string, from: string): readonly AcceptedCommit[] | null {
  const accepted: AcceptedCommit[] = [];
  for (const part of text.split("\0").slice(0, -1)) {
    const [ids = "", ...lines] = part.split("\n");
    const [commit = "", parent] = ids.split(" ");
    if (parent !== (accepted.at(-1)?.commit ?? from)) return null;
    accepted.push({ commit, trailers: parseTrailers(lines.join("\n")) });
  }
  return accepted;
}

/** What a commit says of itself at its end, by key. */
export type Trailers = { readonly [key: string]: string };

/** A message with its trailers as one last paragraph, as git reads them. */
export function withTrailers(message: string, trailers: Trailers): string {
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${oneLine(value)}`);
  const text = message.replaceAll("\0", "").trim();
  return [...(text === "" ? [] : [text]), ...(lines.length === 0 ? [] : [lines.join("\n")])].join("\n\n");
}

/** The lines that git prints of a message's trailers. The last one of a key counts. */
function parseTrailers(text: string): Trailers {
  const pairs = text.split("\n").flatMap((line) => {
    const [, key, value] = /^([A-Za-z0-9-]+): ?(.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(pairs);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
