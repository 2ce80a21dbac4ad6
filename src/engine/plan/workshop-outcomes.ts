import { listed } from "../../core/listed.ts";
import type { KeptResult } from "../../worktrees/integration/keep-result.ts";
import type { LaidOver } from "../../worktrees/integration/lay-over.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { AttemptOutcome } from "./executor.ts";

const CHANGED_SINCE = "its files changed after its checks had run";

const MOST_NAMED = 3;

/** Why a result may not be what its checks ran on. */
export function doubtsOf(isAsChecked: boolean, leftOut: readonly string[]): readonly string[] {
  return [...(isAsChecked ? [] : [CHANGED_SINCE]), ...leftOutText(leftOut)];
}

function leftOutText(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [
    `${named(paths)} can't be merged: a file of more than 100 MB, one that can't be read, or another repository`,
  ];
}

function named(paths: readonly string[]): string {
  return listed(
    paths.map((path) => oneLine(path, 80)),
    MOST_NAMED,
  );
}

/** Null: what it carries on is there. */
export function notLaid(laid: LaidOver): ReturnType<typeof lost> | NotNow | null {
  switch (laid.type) {
    case "worked-in":
      return null;
    case "laid":
      return laid.left.length === 0 ? null : notNow(`${named(laid.left)} is in its way`);
    case "commit-unknown":
      return lost("The merge that it was to carry on is no longer in the repository.");
    case "failed":
      return notNow(laid.why);
  }
}

type NotNow = Extract<AttemptOutcome, { readonly type: "paused" }>;

function notNow(why: string): NotNow {
  const detail = `the files that it carries on can't be put into its worktree: ${why}`;
  return { type: "paused", reason: "blocked", detail };
}

/** What becomes of an attempt whose files can't be kept. */
export function notKept(kept: Exclude<KeptResult, { readonly type: "kept" }>): AttemptOutcome {
  switch (kept.type) {
    case "base-unknown":
      return lost("The commit that it started from is no longer in the repository.");
    case "worktree-gone":
      return lost("Its worktree was deleted.");
    case "ref-taken":
      return lost(`Another result is kept in its place: ${kept.by}.`);
    // Its files are all in its worktree: once git can write again, they are kept.
    case "failed":
      return { type: "paused", reason: "blocked", detail: `its files can't be kept: ${kept.why}` };
  }
}

function lost(detail: string): Extract<AttemptOutcome, { readonly type: "set-back" }> {
  return { type: "set-back", setback: { kind: "lost", detail, carry: null, failing: [] } };
}
