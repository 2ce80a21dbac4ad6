import type { Stats } from "node:fs";
import { unlink } from "node:fs/promises";
import { readCheckpoint, versionsOf, type CheckpointContent, type Version } from "./content.ts";
import { isInOtherRepository, isSame, lookAt, putFile, removeEmptied } from "./files.ts";
import { LARGEST_KEPT_BYTES } from "./checkpoint-sizes.ts";
import { keptFiles, objectOf, sizesOf, withStore, type CheckpointStore, type StoreOptions } from "./store.ts";
import { isRules, rulesBeside } from "./take.ts";
import { readGitTree, type GitTree } from "../../system/tree/git-tree.ts";
import { diskPath, toText } from "../../system/tree/index-entries.ts";

export interface Restored {
  readonly restored: number;
  readonly removed: number;
  /** Some of what could not be restored or wasn't ours to remove. */
  readonly left: readonly string[];
}

const TIME_LIMIT_MS = 15 * 60_000;
const MOST_NAMED = 200;

/** Changed rules can reveal further ones; no real project has four levels of that. */
const MOST_ROUNDS = 4;

/** Errors of the disk, not of one file: continuing would only cause more. */
const FATAL = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"]);

interface Plan {
  readonly write: ReadonlyMap<string, Version>;
  readonly remove: readonly string[];
}

interface Work {
  readonly store: CheckpointStore;
  readonly checkpoint: CheckpointContent;
  restored: number;
  removed: number;
  readonly left: Set<string>;
}

/**
 * Restores the worktree's files. Leaves alone files that are ignored, are in other repositories or were too large to keep, as
 * well as the index, the branches and everything else in git. After a kill in the middle, run it again.
 */
export async function restoreCheckpoint(options: {
  readonly root: string;
  readonly stateHome: string;
  readonly commit: string;
}): Promise<Restored> {
  const looking = { ...options, signal: AbortSignal.timeout(TIME_LIMIT_MS) };
  return withStore(looking, async (store) => {
    const checkpoint = await readCheckpoint(store, options.commit);
    const work = { store, checkpoint, restored: 0, removed: 0, left: new Set<string>() };
    const { plan, underItsRules } = await bringRulesBack(work, looking);
    await carryOut(work, underItsRules ? plan : { write: plan.write, remove: [] });
    if (!underItsRules) for (const path of plan.remove) work.left.add(path);
    const left = [...work.left].slice(0, MOST_NAMED).map(toText);
    return { restored: work.restored, removed: work.removed, left };
  });
}

/**
 * Only files that the checkpoint's own rules don't ignore may be removed: under today's rules, a file that was always ignored
 * may look new. So the rules are restored first, and the tree is read again.
 */
async function bringRulesBack(
  work: Work,
  options: StoreOptions,
): Promise<{ readonly plan: Plan; readonly underItsRules: boolean }> {
  for (let round = 0; ; round += 1) {
    const plan = planFor(work, await readGitTree(options));
    await expectWhole(work, plan);
    const rules = rulesIn(plan);
    const first = isEmpty(rules) ? { write: rules.write, remove: await strayRules(work) } : rules;
    if (isEmpty(first) || round === MOST_ROUNDS) {
      return {
        plan,
        underItsRules: isEmpty(first) && ![...work.left].some((path) => isOurRules(work, path)),
      };
    }
    await carryOut(work, first);
  }
}

function planFor({ store, checkpoint, left }: Work, tree: GitTree): Plan {
  const present = versionsOf(tree.files);
  const differ = [...checkpoint.files].filter(([path, version]) => present.get(path) !== version);
  const added = [...present.keys()].filter(
    (path) => !checkpoint.files.has(path) && !checkpoint.leftOut.has(path),
  );
  const foreign = (path: string): boolean => isInOtherRepository(store.git.root, path);
  for (const path of [...differ.map(([each]) => each), ...added].filter(foreign)) left.add(path);
  return {
    write: new Map(differ.filter(([path]) => !left.has(path))),
    remove: added.filter((path) => !left.has(path)),
  };
}

function isOurRules({ store }: Work, path: string): boolean {
  return isRules(path) && !isInOtherRepository(store.git.root, path);
}

/** The part of a plan that changes the rules, and what is in its way. */
function rulesIn(plan: Plan): Plan {
  const write = new Map([...plan.write].filter(([path]) => isRules(path)));
  const isInTheWay = (path: string): boolean =>
    [...write.keys()].some((rules) => rules.startsWith(`${path}/`) || path.startsWith(`${rules}/`));
  return { write, remove: plan.remove.filter((path) => isRules(path) || isInTheWay(path)) };
}

/** New rules that ignore themselves and may hide more; no listing shows them. */
async function strayRules({ store, checkpoint, left }: Work): Promise<readonly string[]> {
  const { root } = store.git;
  const strays: string[] = [];
  for (const path of rulesBeside(root, [...checkpoint.files.keys()])) {
    if (checkpoint.leftOut.has(path) || left.has(path) || isInOtherRepository(root, path)) continue;
    if ((await lookAt(root, path)) !== null) strays.push(path);
  }
  return strays;
}

async function carryOut(work: Work, plan: Plan): Promise<void> {
  const { root } = work.store.git;
  for (const path of plan.remove) await attempt(work, path, () => removeNew(work, path));
  await removeEmptied(root, plan.remove);
  for await (const file of keptFiles(work.store, plan.write)) {
    await attempt(work, file.path, async () => {
      const found = await lookAt(root, file.path);
      if (found !== null && (await isSame(root, file, found))) return;
      if (!isLostForGood(found) && (await putFile(root, file))) work.restored += 1;
      else work.left.add(file.path);
    });
  }
}

async function removeNew(work: Work, path: string): Promise<void> {
  const { root } = work.store.git;
  const found = await lookAt(root, path);
  if (found === null) return;
  // A file older than the checkpoint was ignored when it was taken.
  if (isLostForGood(found) || !isSince(work.checkpoint, found.ctimeMs)) {
    work.left.add(path);
    return;
  }
  await unlink(diskPath(root, path));
  work.removed += 1;
}

/** No checkpoint could keep it, so the undo could not be undone. */
function isLostForGood(found: Stats | null): boolean {
  return found?.isFile() === true && found.size > LARGEST_KEPT_BYTES;
}

/** A second of slack, because file system clocks lag behind. */
function isSince({ at }: CheckpointContent, ms: number): boolean {
  return ms >= (at - 1) * 1000;
}

async function attempt(work: Work, path: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || FATAL.has(code)) throw error;
    work.left.add(path);
  }
}

async function expectWhole({ store }: Work, { write }: Plan): Promise<void> {
  const sizes = await sizesOf(store, [...write.values()].map(objectOf));
  const missing = sizes.filter((size) => size === null).length;
  if (missing > 0) throw new Error(`${missing} files of the checkpoint are missing from the repository.`);
}

function isEmpty({ write, remove }: Plan): boolean {
  return write.size === 0 && remove.length === 0;
}
