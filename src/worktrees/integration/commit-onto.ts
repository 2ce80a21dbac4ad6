import { runGit } from "../../system/git/run-git.ts";
import { withTrailers, type Trailers } from "./commit-message.ts";
import { firstLine, isObjectId } from "./repository.ts";

export interface Author {
  readonly name: string;
  readonly email: string;
}

export type Committed =
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

/** Git would make a name up from the machine's. */
export async function hasIdentity(root: string): Promise<boolean> {
  const args = ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"];
  return (await runGit({ root, args })).ok;
}
