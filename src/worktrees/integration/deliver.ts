import { configuredHooksOff, namesInSettings } from "../../system/git/settings.ts";
import { runGit } from "../../system/git/run-git.ts";
import { checkedOutRef, isAncestor } from "./branch.ts";
import { refCommit } from "../checkpoints/refs.ts";
import { parsePaths, renderPaths, toText } from "../../system/tree/index-entries.ts";
import { isObjectId } from "../../system/git/git-files.ts";

export type Delivered =
  /** The user's branch and files are at the tip now. */
  | { readonly type: "moved" }
  /** Nothing was touched: why, in a sentence, and what the user types to take the work. */
  | { readonly type: "left"; readonly why: string; readonly command: string };

interface Delivery {
  readonly root: string;
  /** The branch with the work, such as `loop/ID`. */
  readonly branch: string;
  readonly tip: string;
  /** The user's branch when the work began; null when HEAD was detached. */
  readonly userBranch: string | null;
  /** An earlier process began to move it, and nobody recorded what came of that. */
  readonly isBegunBefore: boolean;
  /** Called before anything is touched, with the commit that the user's branch stands at; false: it isn't ours to move any more. */
  readonly begin: (from: string) => Promise<boolean>;
}

const TIME_LIMIT_MS = 5 * 60_000;

const HALF_MOVED =
  "A run was killed while it moved the branch, so changes there may be the loop's work and not yours; look at them with: git status.";

/** A setting of the user's for merges must not make this another one, nor put their changes aside for it. */
const FAST_FORWARD = [
  ...["merge", "--ff-only", "--no-overwrite-ignore", "--no-autostash", "--no-squash", "--commit"],
  ...["--no-verify-signatures", "--no-stat", "--no-progress", "--quiet"],
];

/**
 * Fast-forwards the user's branch with its files, if that is still the one checked out, has nothing that the tip hasn't, and no
 * changed, untracked or ignored file is in the way. All that the user has not committed stays bit by bit.
 */
export async function deliver(options: Delivery): Promise<Delivered> {
  const { root, tip, userBranch } = options;
  const ref = `refs/heads/${userBranch}`;
  // A run that was killed here has moved it, or the user took it; and they may have gone on from there.
  const before = userBranch === null ? null : await refCommit(root, ref);
  if (before !== null && (await isAncestor(root, tip, before))) return { type: "moved" };
  const why = await whyLeft(options);
  if (why !== null || before === null) return left(why ?? `${userBranch} has no commit.`, options);
  if (!(await options.begin(before))) return left("The loop was stopped or ended meanwhile.", options);
  const off = [...(await configuredHooksOff(root)), ...filtersOff(await configuredFilters(root))];
  const outcome = await runGit({ root, args: [...off, ...FAST_FORWARD, tip], timeoutMs: TIME_LIMIT_MS });
  if ((await refCommit(root, ref)) === tip) return { type: "moved" };
  const said = toText(outcome.message);
  const refusal = outcome.ok ? "git did not move the branch." : whyNotMerged(said);
  return left(options.isBegunBefore ? `${refusal} ${HALF_MOVED}` : refusal, options);
}

async function left(why: string, { root, branch, tip, userBranch }: Delivery): Promise<Delivered> {
  const isElsewhere = userBranch !== null && (await checkedOutRef(root)) !== `refs/heads/${userBranch}`;
  const first = isElsewhere ? `git switch ${quoted(userBranch)} && ` : "";
  // Somebody may have put other work onto the branch since.
  const isTip = (await refCommit(root, `refs/heads/${branch}`)) === tip;
  return { type: "left", why, command: `${first}git merge ${isTip ? quoted(branch) : tip}` };
}

function quoted(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}

/** Null: nothing that can be told beforehand. */
async function whyLeft({ root, branch, tip, userBranch }: Delivery): Promise<string | null> {
  if (userBranch === null) return "HEAD was detached when the work began, so there is no branch to move.";
  const now = await checkedOutRef(root);
  if (now === null) return `HEAD is detached, and not on ${userBranch} any more.`;
  if (now !== `refs/heads/${userBranch}`)
    return `${now.replace("refs/heads/", "")} is checked out, and not ${userBranch} any more.`;
  const head = await refCommit(root, "HEAD");
  if (head === null) return `${userBranch} has no commit.`;
  if (!isObjectId(tip) || (await refCommit(root, tip)) === null)
    return `The last commit of ${branch} is no longer in the repository.`;
  if (!(await isAncestor(root, head, tip)))
    return `${userBranch} has commits that ${branch} doesn't have, so it can't be fast-forwarded.`;
  return whyNotOurs(root, head, tip);
}

/** Files that only the user's own git can bring into place. */
async function whyNotOurs(root: string, head: string, tip: string): Promise<string | null> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", head, tip];
  const outcome = await runGit({ root, args });
  if (!outcome.ok) return "git can't compare the branches.";
  const parts = outcome.stdout.toString("latin1").split("\0").slice(0, -1);
  const paths = parts.filter((_, at) => at % 2 === 1);
  const submodule = parts.findIndex((part, at) => at % 2 === 0 && / ?:?160000 /.test(part));
  if (submodule !== -1)
    return `The submodule ${toText(parts[submodule + 1] ?? "")} changes, which needs \`git submodule update\` afterwards.`;
  const [filtered] = await filteredPaths({ root, tip, paths });
  if (filtered !== undefined)
    return `${toText(filtered)} goes through a filter of your git's, which is not run for you.`;
  return null;
}

const IN_THE_WAY = [
  [
    /local changes to the following files would be overwritten/,
    "You have changes in",
    "commit or stash them first",
  ],
  [
    /untracked working tree files would be overwritten/,
    "A file that git doesn't track is in the way:",
    "move it away first",
  ],
  [
    /untracked working tree files would be removed/,
    "A file that git doesn't track would be removed:",
    "move it away first",
  ],
  [
    /directories would lose untracked files/,
    "Files that git doesn't track are in the way in",
    "move them away first",
  ],
] as const;

const UNFINISHED = /not concluded your merge|unmerged files|MERGE_HEAD exists|CHERRY_PICK_HEAD exists/;

const LOCKED = /Unable to create '(.+\.lock)'/;

const MOST_IN_THE_WAY = 3;

/** Why git did not fast-forward, in a sentence, and what has to happen before any merge. */
function whyNotMerged(message: string): string {
  const found = IN_THE_WAY.find(([words]) => words.test(message));
  if (found !== undefined) return `${found[1]} ${namedIn(message)}; ${found[2]}.`;
  if (UNFINISHED.test(message)) return "A merge or a cherry-pick of yours is not finished; finish it first.";
  const lock = LOCKED.exec(message)?.[1];
  if (lock !== undefined) return `Another git is at work here, or left ${lock} behind.`;
  const line = message.split("\n").find((each) => /^(?:error|fatal): /.test(each)) ?? message;
  return `git says: ${line.replace(/^(?:error|fatal): /, "").trim()}`;
}

/** Git lists each on a line of its own, behind a tab. */
function namedIn(message: string): string {
  const paths = message.split("\n").flatMap((line) => (line.startsWith("\t") ? [line.trim()] : []));
  const more = paths.length - MOST_IN_THE_WAY;
  return `${paths.slice(0, MOST_IN_THE_WAY).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Programs that git would run over files' contents, by the names that settings give them: `lfs`, say. */
async function configuredFilters(root: string): Promise<readonly string[]> {
  return (await namesInSettings(root, /^filter\.(.*)\.[^.]+$/s)) ?? [];
}

/** An empty command is none. */
function filtersOff(names: readonly string[]): readonly string[] {
  return names.flatMap((name) =>
    ["clean=", "smudge=", "process=", "required=false"].flatMap((each) => ["-c", `filter.${name}.${each}`]),
  );
}

/** Of the paths, those that a filter changes on their way to the disk, by the attributes of today or those of the tip. */
export async function filteredPaths(options: {
  readonly root: string;
  readonly tip: string;
  /** Bytes in latin1. */
  readonly paths: readonly string[];
}): Promise<readonly string[]> {
  const { root, tip, paths } = options;
  const names = new Set(await configuredFilters(root));
  if (names.size === 0) return [];
  const args = ["check-attr", "-z", "--stdin", "filter"];
  const outcome = await runGit({ root, args, input: renderPaths(paths) });
  const fields = parsePaths(outcome.stdout);
  const today = fields.filter((_, at) => at % 3 === 0 && names.has(fields[at + 2] ?? ""));
  const rules = paths.filter((path) => /(?:^|\/)\.gitattributes$/.test(path));
  const changed: string[] = [];
  for (const path of rules) {
    const text = await runGit({
      root,
      args: ["cat-file", "blob", `${tip}:${Buffer.from(path, "latin1").toString()}`],
    });
    if (text.ok && /\bfilter=/.test(text.stdout.toString("latin1"))) changed.push(path);
  }
  return [...today, ...changed];
}
