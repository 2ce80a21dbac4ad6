import { realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as v from "valibot";
import { foldersUpFrom } from "../../core/loop/folder.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readBounded } from "../../system/files/read-file.ts";
import type { CallerLocation } from "../../storage/home/project.ts";

/** What a person wants to hold out of a loop, by name; not yet checked. */
export type AskedHoldout =
  | {
      readonly type: "folder";
      readonly folder: string;
      /** The folder, below the project's root, that its files are laid over and its own checks run in. */
      readonly over: string;
      readonly namedBy: "--holdout-from" | "holdouts.json";
    }
  /** The user's own file cannot be read, so it is unknown what is missing. */
  | { readonly type: "unknown" };

const SIZE_LIMIT_BYTES = 1024 * 1024;

const absolute = v.pipe(v.string(), v.check(isAbsolute));
const schema = v.record(absolute, absolute);

export interface Configured {
  readonly asked: AskedHoldout | null;
  readonly notices: readonly string[];
}

/** What the user's own `holdouts.json`, which no project has a say in, names for the nearest folder, upwards to the project's root. */
export function configuredHoldout(home: string, { project, folder: from }: CallerLocation): Configured {
  let text: string;
  try {
    text = readBounded(join(home, "holdouts.json"), SIZE_LIMIT_BYTES);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return { asked: null, notices: [] };
    return unusable(errnoOf(error) ?? (error as Error).message);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return unusable("it is not valid JSON");
  }
  const parsed = v.safeParse(schema, value);
  if (!parsed.success || Array.isArray(value))
    return unusable("it should map the absolute path of a project to the absolute path of a folder");
  for (const over of foldersUpFrom(from)) {
    const path = join(project.root, over);
    const folder = Object.entries(parsed.output).find(([named]) => isSame(named, path))?.[1];
    if (folder !== undefined)
      return { asked: { type: "folder", folder, over, namedBy: "holdouts.json" }, notices: [] };
  }
  return { asked: null, notices: [] };
}

function unusable(why: string): Configured {
  return {
    asked: { type: "unknown" },
    notices: [
      `Ignoring holdouts.json in the state home: ${why}. Until it is fixed, new loops complete as weak at most.`,
    ],
  };
}

/** `path` has no links in it; what a person wrote may. */
function isSame(named: string, path: string): boolean {
  try {
    return realpathSync(named) === path;
  } catch {
    return false;
  }
}
