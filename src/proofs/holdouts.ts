import type { Check } from "../core/criterion.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import type { Machine } from "../loops/machine.ts";
import type { ReplacedFile } from "../openings/replacements.ts";

/** A check that the agent has never seen, with the files that are laid over the project for it. */
export interface Holdout {
  readonly name: string;
  readonly check: Check;
  readonly files: readonly ReplacedFile[];
}

export function holdoutsOf(_machine: Machine, _locked: LockedLoop): readonly Holdout[] {
  return [];
}
