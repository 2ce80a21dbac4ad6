import type { VerificationType } from "./criterion.ts";
import { VERIFICATION_TYPES } from "./criterion.ts";
import { isObject } from "./plain-object.ts";

/** What a `state.json` says about one criterion. */
export type ClaimedStatus =
  | { readonly met: true; readonly by: VerificationType }
  | { readonly met: false }
  | null;

/**
 * A plain `true` or `false`, or an object with `met` and `verification`. Only the JSON value `true` is true; without a known
 * verification type it counts as an inference.
 */
export function readClaimedStatus(value: unknown): ClaimedStatus {
  const { met, verification } = isObject(value) ? value : { met: value, verification: undefined };
  if (met === false) return { met };
  if (met !== true) return null;
  return { met, by: VERIFICATION_TYPES.find((type) => type === verification) ?? "reasoned inference" };
}
