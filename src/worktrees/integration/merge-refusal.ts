import { listed } from "../../core/listed.ts";

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

const MOST_NAMED = 3;

/** Why git did not fast-forward, in a sentence, and what has to happen before any merge. */
export function whyNotMerged(message: string): string {
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
  return listed(paths, MOST_NAMED);
}
