import { realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as v from "valibot";
import { errnoOf } from "../files/errno.ts";
import { readBounded } from "../files/read-bounded.ts";
import type { AskedHoldout } from "./asked-holdout.ts";

const SIZE_LIMIT_BYTES = 1024 * 1024;

const absolute = v.pipe(v.string(), v.check(isAbsolute));
const schema = v.record(absolute, absolute);

export interface Configured {
  readonly asked: AskedHoldout | null;
  readonly notices: readonly string[];
}

/** The holdout of a project in the user's own `holdouts.json`, which no project can change. */
export function configuredHoldout(home: string, root: string): Configured {
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
  const folder = Object.entries(parsed.output).find(([project]) => isSame(project, root))?.[1];
  return {
    asked: folder === undefined ? null : { type: "folder", folder, namedBy: "holdouts.json" },
    notices: [],
  };
}

function unusable(why: string): Configured {
  return {
    asked: { type: "unknown" },
    notices: [
      `Ignoring holdouts.json in the state home: ${why}. Until it is fixed, new loops complete as weak at most.`,
    ],
  };
}

/** `root` has no links; what a person wrote may have some. */
function isSame(project: string, root: string): boolean {
  try {
    return realpathSync(project) === root;
  } catch {
    return false;
  }
}
