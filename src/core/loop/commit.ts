import type { EventOf } from "../events/event.ts";
import type { Loop } from "./loop.ts";

/** That the work of a plain loop is to become a commit when it is done. */
export interface WantedCommit {
  /** The user's last commit when the loop was opened. */
  readonly from: string;
  /** The user's branch, which is moved to the work; null: it stays where it is. */
  readonly onto: string | null;
  /** The branch of its own, for work in a worktree of its own; null: the work is in the user's checkout. */
  readonly branch: string | null;
  /** Whether work on weak evidence may move the user's branch. */
  readonly acceptsWeak: boolean;
}

/** What became of it. */
export interface MadeCommit {
  /** null: there was nothing to commit, or it was left. */
  readonly commit: string | null;
  /** Where the user's branch stood before it was moved; null: it wasn't. */
  readonly before: string | null;
  /** Why nothing was committed, or why the user's branch was left where it is, in a sentence; null: all is as it was asked for. */
  readonly why: string | null;
}

/** `made`: null until that is recorded. */
export type CommitOfLoop = WantedCommit & { readonly made: MadeCommit | null; readonly isUndone: boolean };

type CommitEvent = EventOf<"commit.wanted" | "work.committed" | "commit.undone">;

export function evolveCommit(commit: CommitOfLoop | undefined, event: CommitEvent): CommitOfLoop | undefined {
  switch (event.type) {
    case "commit.wanted": {
      const { from, onto, branch, acceptsWeak } = event;
      return { from, onto, branch, acceptsWeak, made: null, isUndone: false };
    }
    case "work.committed": {
      const { commit: made, before, why } = event;
      return commit === undefined ? commit : { ...commit, made: { commit: made, before, why } };
    }
    case "commit.undone":
      return commit === undefined ? commit : { ...commit, isUndone: true };
  }
}

/** The work is done, and nobody has committed it: whoever should have was killed, or git was busy. */
export function isCommitDue({ phase, commit }: Loop): boolean {
  return phase === "completed" && commit !== undefined && commit.made === null;
}
