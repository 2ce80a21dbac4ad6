import type { Criterion } from "../core/criterion.ts";
import { topFrame } from "../core/loop.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import type { Machine } from "../loops/machine.ts";
import { filesAt } from "../meaning/files-at.ts";
import type { Meaning } from "../meaning/find-definitions.ts";
import { findDefinitions } from "../meaning/find-definitions.ts";
import { toText } from "../tree/git-tree.ts";
import { walkFiles } from "../tree/walk-files.ts";
import { criterionName } from "./amend.ts";

export interface CheckMeaning extends Meaning {
  readonly name: string;
  readonly command: NonNullable<Criterion["check"]>["command"];
}

/** What each check of a loop, or the one that is asked for, is defined by: scripts, configuration, test files. Nothing is run. */
export async function meaningOfChecks(
  machine: Machine,
  { live, workplace }: LockedLoop,
  wanted: string | undefined,
): Promise<readonly CheckMeaning[]> {
  const { loop } = live;
  const name = wanted === undefined ? null : criterionName(loop, wanted);
  const { root } = workplace;
  const files = filesAt(root, await pathsIn(machine, root));
  const meanings: CheckMeaning[] = [];
  for (const criterion of topFrame(loop).criteria) {
    const command = criterion.check?.command;
    if (command === undefined || (name !== null && criterion.name !== name)) continue;
    const found = await findDefinitions({ command, files, folder: loop.folder, root });
    meanings.push({ name: criterion.name, command, ...found });
  }
  return meanings;
}

const NOBODYS = new Set([".git", ".loop", "node_modules", ".venv", "venv", "__pycache__", "target"]);

/** As the tree's digest lists them; without git all of them, but for what nobody writes by hand. */
async function pathsIn(machine: Machine, root: string): Promise<readonly string[]> {
  const tree = (await machine.git.readTree(root))?.tree ?? null;
  if (tree !== null) return tree.files.map(({ path }) => toText(path));
  const paths: string[] = [];
  const skip = (_path: string, name: string): boolean => NOBODYS.has(name);
  for await (const path of walkFiles({ root, from: "", skip })) paths.push(path);
  return paths;
}
