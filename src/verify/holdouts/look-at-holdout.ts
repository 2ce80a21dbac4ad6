import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../system/files/path-errors.ts";
import { UserError } from "../../core/user-error.ts";
import { isWithin } from "../../system/files/folders.ts";
import { walkFiles } from "../../system/tree/path-digests.ts";
import type { AskedHoldout } from "./asked-holdout.ts";
import * as v from "valibot";
import type { Check } from "../../core/loop/criterion.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { checkOf, configChecks } from "../../storage/home/project-config.ts";
import { oneLine } from "../../system/text/plain-text.ts";

const DEFINITION = "holdout.json";
const MOST_FILES = 2_000;
export const MOST_BYTES = 50 * 1024 * 1024;

/** At the top of the holdout's folder, these belong to it, not to the project. */
const LEFT_OUT = new Set([DEFINITION, ".git", ".loop"]);

/** A folder that can be held out. */
export interface FoundHoldout {
  readonly folder: string;
  /** The folder, below the project's root, that it is laid over. */
  readonly over: string;
  /** To be laid over that one, relative to both. */
  readonly paths: readonly string[];
  /** null: the loop's own checks run with its files. */
  readonly checks: readonly NamedHoldoutCheck[] | null;
}

/** Checks all of it before anything is opened. `roots`: where the agent works. */
export async function lookAtHoldout(
  { folder, over, namedBy }: Extract<AskedHoldout, { readonly type: "folder" }>,
  roots: readonly string[],
): Promise<FoundHoldout> {
  try {
    const resolved = await realpath(folder);
    for (const root of roots) expectApart(resolved, await realpath(root));
    const paths = await pathsIn(resolved);
    const checks = readDefinition(resolved);
    if (paths.length === 0 && checks === null) throw new UnfitHoldout("it has no files");
    return { folder: resolved, over, paths, checks };
  } catch (error) {
    throw new UserError(`The holdout from ${namedBy} cannot be used: ${whyUnfit(error)}.`, {
      cause: error,
    });
  }
}

function expectApart(folder: string, root: string): void {
  if (isWithin(folder, root))
    throw new UnfitHoldout("it is inside the project, where the agent can read it; keep it elsewhere");
  if (isWithin(root, folder))
    throw new UnfitHoldout("the project is inside it; give a folder with only the holdout's files");
}

async function pathsIn(root: string): Promise<readonly string[]> {
  const paths: string[] = [];
  let bytes = 0;
  for await (const path of walkFiles({ root, from: "", skip: (each) => LEFT_OUT.has(each) })) {
    const found = await lstat(join(root, path));
    // Its target may be anywhere, and may change before it runs.
    if (found.isSymbolicLink())
      throw new UnfitHoldout("it contains a symbolic link; put the file itself there");
    paths.push(path);
    bytes += found.size;
    if (paths.length > MOST_FILES)
      throw new UnfitHoldout(`it has more than ${MOST_FILES} files; give a folder with only the tests`);
    if (bytes > MOST_BYTES)
      throw new UnfitHoldout("it is larger than 50 MB; give a folder with only the tests");
  }
  return paths.toSorted();
}

function whyUnfit(error: unknown): string {
  if (error instanceof UnfitHoldout) return error.message;
  const code = errnoOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return "the folder does not exist";
  if (code === undefined) throw error;
  return `it cannot be read (${code})`;
}

const SIZE_LIMIT_BYTES = 1024 * 1024;
const LONGEST_NAME = 80;
const MOST_CHECKS = 100;

const schema = v.strictObject({ $schema: v.optional(v.string()), checks: configChecks });

export interface NamedHoldoutCheck {
  readonly name: string;
  readonly check: Check;
}

/** The holdout's own commands; null: those of the loop's checks. */
function readDefinition(folder: string): readonly NamedHoldoutCheck[] | null {
  let text: string;
  try {
    text = readBounded(join(folder, DEFINITION), SIZE_LIMIT_BYTES);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw new UnfitHoldout(`its ${DEFINITION} cannot be read`);
  }
  const checks = Object.entries(parsed(text).checks);
  if (checks.length === 0 || checks.length > MOST_CHECKS)
    throw new UnfitHoldout(`its ${DEFINITION} should name 1 to ${MOST_CHECKS} checks`);
  // An agent only ever sees the name.
  if (checks.some(([name]) => name === "" || oneLine(name, LONGEST_NAME) !== name))
    throw new UnfitHoldout(
      `each name in its ${DEFINITION} should be one plain line of at most ${LONGEST_NAME} characters`,
    );
  return checks.map(([name, check]) => ({ name, check: checkOf(check) }));
}

function parsed(text: string): v.InferOutput<typeof schema> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new UnfitHoldout(`its ${DEFINITION} is not valid JSON`);
  }
  const result = v.safeParse(schema, value);
  if (!result.success)
    throw new UnfitHoldout(`its ${DEFINITION} should have the form {"checks": {"NAME": "command"}}`);
  return result.output;
}

/** Why a folder cannot be held out, without naming its content, because an agent may read the message. */
class UnfitHoldout extends Error {
  override readonly name = "UnfitHoldout";
}
