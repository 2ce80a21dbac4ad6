import { createHash } from "node:crypto";
import { join } from "node:path";
import { isResourceName } from "../../core/loop/id.ts";
import { findGitFolders } from "../../system/git/git-folders.ts";
import { takeUnit } from "./resource-unit.ts";
import type { Unit } from "./resource-unit.ts";

export type Acquired =
  /** Hold on to it until the end, then release. Whoever dies releases by that. */
  | { readonly type: "acquired"; readonly release: () => void }
  /** Nothing is held: this one is in use. Try again. */
  | { readonly type: "busy"; readonly name: string };

/**
 * Takes one unit of each resource that a project has only so many of, such as `{db: 1}`: all of them or none, by their names in order.
 * Among all processes of this machine, in whichever checkout of the repository they work.
 */
export function acquireResources(options: {
  readonly stateHome: string;
  readonly root: string;
  /** How many there are of each. */
  readonly resources: { readonly [name: string]: number };
}): Acquired {
  const { stateHome, root, resources } = options;
  const repository = findGitFolders(root)?.commonFolder ?? root;
  const project = createHash("sha256").update(repository).digest("hex").slice(0, 16);
  const held: Unit[] = [];
  const release = (): void => {
    for (const unit of held.splice(0).toReversed()) unit.release();
  };
  for (const name of Object.keys(resources).toSorted()) {
    if (!isResourceName(name)) throw new Error(`${name} can't name a resource`);
    const folder = join(stateHome, "resources", project, name);
    const unit = takeAny(folder, resources[name] ?? 0);
    if (unit === null) {
      release();
      return { type: "busy", name };
    }
    held.push(unit);
  }
  return { type: "acquired", release };
}

function takeAny(folder: string, count: number): Unit | null {
  for (let number = 1; number <= count; number += 1) {
    const unit = takeUnit(join(folder, String(number)));
    if (unit !== null) return unit;
  }
  return null;
}
