import { createHash } from "node:crypto";
import { diffLines } from "../../agents/hosts/install/text-diff.ts";
import { UserError } from "../../core/user-error.ts";
import { approvableIn, changedTexts } from "../../engine/lifecycle/approve.ts";
import { changesToUndo, checkpointsOf } from "../../engine/lifecycle/undo.ts";
import { findStrangers } from "../../engine/lifecycle/trust.ts";
import { chooseLoop } from "../../storage/loops/choose-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { QuotedLine } from "../../views/board.ts";
import type { LoopId } from "../../core/loop/id.ts";

/** A file that a decision is about. */
export interface DecidedFile {
  readonly path: string;
  readonly change: string;
  readonly added: number | null;
  readonly removed: number | null;
  /** Empty: not text, or too long to compare. */
  readonly lines: readonly QuotedLine[];
}

/** What somebody sees before they press the button. */
export interface Decision {
  readonly files: readonly DecidedFile[];
  /** Of something that isn't trusted: every command, word for word. */
  readonly commands: readonly string[];
  /** Of all that is shown: what is pressed is what was read. */
  readonly digest: string;
}

export const DECIDED = ["approve", "undo", "trust"] as const;
export type Decided = (typeof DECIDED)[number];

const LONGEST_TEXT = 200_000;
const MOST_LINES = 400;
const AROUND = 3;

/** `iteration`: which one is undone. */
export async function decisionOf(
  machine: Machine,
  id: LoopId,
  what: Decided,
  iteration: number | null,
): Promise<Decision> {
  switch (what) {
    case "approve":
      return withDigest({ files: await approvedFiles(machine, id), commands: [] });
    case "undo":
      return withDigest({ files: await undoneFiles(machine, id, iteration), commands: [] });
    case "trust": {
      const { untrusted, unusable } = await findStrangers(machine, id);
      if (untrusted.length === 0) throw new UserError(unusable[0] ?? "Nothing needs approval.");
      return withDigest({ files: [], commands: untrusted.flatMap(({ commands }) => commands) });
    }
  }
}

function withDigest(decision: Omit<Decision, "digest">): Decision {
  return { ...decision, digest: createHash("sha256").update(JSON.stringify(decision)).digest("hex") };
}

async function approvedFiles(machine: Machine, id: LoopId): Promise<readonly DecidedFile[]> {
  const chosen = await chooseLoop(machine, id);
  const found = await approvableIn(machine, chosen);
  if (found === null)
    throw new UserError("Nothing to approve: everything that decides the checks is unchanged.");
  const texts = await changedTexts(machine, chosen, found);
  return found.changes.map(({ path, change }) => {
    const text = texts.get(path);
    const lines = text === undefined ? [] : changedLines(text.before, text.now);
    const count = (sign: string): number => lines.filter((each) => each.sign === sign).length;
    return { path, change, added: count("+"), removed: count("-"), lines: nearChanges(lines) };
  });
}

export function changedLines(before: string, now: string): readonly QuotedLine[] {
  if (before.length + now.length > LONGEST_TEXT) return [];
  return diffLines(before, now).map(({ sign, text }) => ({
    sign: sign === "+" || sign === "-" ? sign : " ",
    text,
  }));
}

/** What is far from any change is left out. */
export function nearChanges(lines: readonly QuotedLine[]): readonly QuotedLine[] {
  const near = new Set<number>();
  for (const [at, { sign }] of lines.entries())
    if (sign !== " ") for (let each = at - AROUND; each <= at + AROUND; each += 1) near.add(each);
  return lines.filter((_, at) => near.has(at)).slice(0, MOST_LINES);
}

async function undoneFiles(
  machine: Machine,
  id: LoopId,
  iteration: number | null,
): Promise<readonly DecidedFile[]> {
  const known = await chooseLoop(machine, id);
  const chosen = { id, root: known.workingDirectory.root, known };
  const checkpoints = await checkpointsOf(chosen);
  const checkpoint = checkpoints.find(({ name }) => name === String(iteration));
  const changes = checkpoint === undefined ? null : await changesToUndo(machine, chosen, checkpoint);
  if (changes === null) throw new UserError(`No checkpoint before iteration ${iteration} is left.`);
  return changes.map(({ path, kind, added, deleted }) => ({
    path,
    change: kind,
    added,
    removed: deleted,
    lines: [],
  }));
}
