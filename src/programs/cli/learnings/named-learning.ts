import { UserError } from "../../../core/user-error.ts";
import { oneLine } from "../../../system/text/plain-text.ts";

/** By its whole id, or the start of exactly one. */
export function namedLearning<Each extends { readonly id: string }>(
  learnings: readonly Each[],
  wanted: string,
): Each {
  const fitting = learnings.filter(({ id }) => wanted !== "" && id.startsWith(wanted));
  const [only, ...others] = fitting;
  if (only === undefined)
    throw new UserError(
      `No learning is called "${oneLine(wanted, 40)}"; see their ids with: loop learn --list`,
    );
  if (others.length > 0)
    throw new UserError(
      `"${oneLine(wanted, 40)}" could be ${fitting.map(({ id }) => id).join(" or ")}; type more of it.`,
    );
  return only;
}
