import { join } from "node:path";
import * as v from "valibot";
import type { Check } from "../../core/criterion.ts";
import { errnoOf } from "../../system/files/errno.ts";
import { readBounded } from "../../system/files/read-bounded.ts";
import { checkOf, configChecks } from "../../storage/home/project-config.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { UnfitHoldout } from "./unfit-holdout.ts";

export const DEFINITION = "holdout.json";

const SIZE_LIMIT_BYTES = 1024 * 1024;
const LONGEST_NAME = 80;
const MOST_CHECKS = 100;

const schema = v.strictObject({ $schema: v.optional(v.string()), checks: configChecks });

export interface NamedHoldoutCheck {
  readonly name: string;
  readonly check: Check;
}

/** The holdout's own commands; null: those of the loop's checks. */
export function readDefinition(folder: string): readonly NamedHoldoutCheck[] | null {
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
