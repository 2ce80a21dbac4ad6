import { realpathSync } from "node:fs";
import { isFolderBelowRoot } from "../../core/loop/folder.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import type { Standpoint } from "../../storage/home/project.ts";
import { openingStandpoint } from "../../storage/home/project.ts";
import { userHome } from "../../storage/home/state-home.ts";
import { oneLine } from "../../system/text/plain-text.ts";

/**
 * Where a loop is opened, or why not, before anybody is asked anything. A nested one goes into a project that is there already. `here`:
 * the user means the home folder, or the whole machine.
 */
export function expectStandpoint(
  { cwd, env }: Pick<Machine, "cwd" | "env">,
  { nested, here }: { readonly nested: boolean; readonly here: boolean },
): Standpoint {
  const standpoint = openingStandpoint(cwd);
  if (nested) return standpoint;
  expectUsableFolder(standpoint);
  const what = here ? null : whatItWouldTake(standpoint, userHome(env));
  if (what === null) return standpoint;
  const instead =
    standpoint.folder === "" ? "go to the folder of one project" : "run git init in this folder";
  throw new UserError(
    `The project would be ${what}, with every file in it; ${instead}, or add --here if you mean all of it.`,
  );
}

function whatItWouldTake({ project: { root }, folder }: Standpoint, home: string | null): string | null {
  const around = folder === "" ? "" : ", which is the git repository around this folder";
  if (home !== null && root === resolved(home)) return `your home folder, ${oneLine(root, 200)}${around}`;
  return root === "/" ? `the whole machine, /${around}` : null;
}

function expectUsableFolder({ project: { root }, folder }: Standpoint): void {
  const own = /^\.(?:git|loop)(?=\/|$)/.exec(folder)?.[0];
  if (own !== undefined)
    throw new UserError(
      `This folder belongs to ${own}, which no agent works in; go to ${oneLine(root, 200)} or a folder of its files.`,
    );
  if (!isFolderBelowRoot(folder))
    throw new UserError(
      "A loop cannot keep this folder's path, which is too long or has a backslash in it; go to a folder above it.",
    );
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
