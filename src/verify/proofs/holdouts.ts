import type { Check } from "../../core/loop/criterion.ts";
import { isRepeatable } from "../../core/loop/criterion.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { readHoldout } from "../holdouts/kept-holdout.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";

/** A check the agent has never seen, or one of the loop's checks with files it has never seen. */
export interface Holdout {
  readonly name: string;
  /** null: its content is lost. */
  readonly check: Check | null;
  /** The criterion whose check it is, if any. */
  readonly criterion: string | null;
  /** Helps a person find its output. */
  readonly number: number;
}

/** The loop's holdouts: they belong to its outermost frame, not to frames inside it. */
export function holdoutsOf({ home }: Machine, { id, live }: LockedLoop): readonly Holdout[] {
  if (live.loop.frames.length > 1) return [];
  const kept = readHoldout({ home, root: live.project.root, id });
  if (kept === null) return [];
  if (kept.type === "unknown") return [{ name: "holdout", check: null, criterion: null, number: 1 }];
  if (kept.checks !== null)
    return kept.checks.map(({ name, check }, index) => ({
      name,
      check: { ...check, folder: kept.over },
      criterion: null,
      number: index + 1,
    }));
  return topFrame(live.loop)
    .criteria.filter(isRepeatable)
    .map(({ name, check }, index) => ({
      name: `holdout: ${name}`,
      check,
      criterion: name,
      number: index + 1,
    }));
}
