import { describeCheck } from "../core/loop/criterion.ts";
import { listed } from "../core/listed.ts";
import { topFrame, type Loop } from "../core/loop/loop.ts";
import { oneLine, wholeWords } from "../system/text/plain-text.ts";
import { plainLines, type CompletedLoop } from "./completion.ts";

/** As long as git's own tools show whole. */
const SUBJECT = 72;
const LONGEST_SPEC = 600;
const MOST_NAMED = 5;

/** What was wanted, and what was shown. `others`: what lay beside the work, uncommitted, when its checks ran. */
export function commitMessage(loop: CompletedLoop, others: readonly string[]): string {
  const [, first = ""] = /^\s*(?:#+\s*)?(.+)/.exec(topFrame(loop).spec) ?? [];
  const beside = listed(
    others.map((path) => oneLine(path, 80)),
    MOST_NAMED,
  );
  const subject = wholeWords(first, SUBJECT);
  return [
    subject,
    ...(subject === oneLine(topFrame(loop).spec, LONGEST_SPEC)
      ? []
      : [`Wanted: ${oneLine(topFrame(loop).spec, LONGEST_SPEC)}`]),
    [...plainLines(loop), ...commandsLine(loop)].join("\n"),
    ...(others.length === 0 ? [] : [`Checked together with uncommitted changes: ${beside}`]),
  ].join("\n\n");
}

function commandsLine(loop: Loop): readonly string[] {
  const commands = topFrame(loop).criteria.flatMap(({ check }) =>
    check === null ? [] : [describeCheck(check)],
  );
  return commands.length === 0
    ? []
    : [`Checked with: ${commands.map((each) => oneLine(each, 200)).join("; ")}`];
}

/** What became of the commit that a run was to make, for its last lines and for the status. */
export function commitLines(loop: Loop): readonly string[] {
  const { commit: wanted, id, phase } = loop;
  if (wanted === undefined || phase === "cancelled") return [];
  if (phase !== "completed")
    return wanted.branch === null ? [] : ["In a worktree of its own; where it is: loop worktrees"];
  const { made, branch, onto, isUndone } = wanted;
  if (made === null) return [`Not committed yet. To do it: loop continue --loop ${id}`];
  const { commit, before, why } = made;
  if (commit === null)
    return [why === null ? "Nothing left to commit." : `Not committed: ${oneLine(why, 400)}.`];
  if (isUndone) return [`Committed: ${short(commit)}, taken back since`];
  const left = why === null ? [] : [oneLine(why, 400)];
  if (before !== null) return [`Committed: ${short(commit)} on ${onto ?? ""}`, ...left];
  return [
    `Committed: ${short(commit)} on the branch ${branch ?? ""} | Merge: git merge ${branch ?? ""}`,
    ...left,
  ];
}

function short(commit: string): string {
  return commit.slice(0, 8);
}
