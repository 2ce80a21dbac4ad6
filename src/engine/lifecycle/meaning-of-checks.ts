import type { Check } from "../../core/loop/criterion.ts";
import { topFrame } from "../../core/loop/loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { DefinitionChange } from "../../verify/definitions/definition.ts";
import { filesAt } from "../../verify/definitions/project-files.ts";
import type { Meaning } from "../../verify/definitions/find-definitions.ts";
import { findDefinitions } from "../../verify/definitions/find-definitions.ts";
import { compareWithOpening, NOTHING_RUN } from "../../verify/baseline/compare.ts";
import { listNow } from "../../verify/baseline/kept-files.ts";
import { comparisonOf } from "../../verify/baseline/loop-openings.ts";
import { criterionName } from "./amend.ts";

export interface CheckMeaning extends Pick<Meaning, "definitions" | "leftOut" | "runsTests"> {
  readonly name: string;
  readonly command: Check["command"];
  readonly folder?: string;
  /** Since the opening; empty where none was kept. */
  readonly changes: readonly DefinitionChange[];
}

/**
 * What defines each check of a loop, or the requested one: scripts, configuration and test files as locked at the opening,
 * and what changed since. Runs nothing.
 */
export async function meaningOfChecks(
  machine: Machine,
  chosen: LockedLoop,
  wanted: string | undefined,
): Promise<readonly CheckMeaning[]> {
  const { live, workplace } = chosen;
  const { loop } = live;
  const name = wanted === undefined ? null : criterionName(loop, wanted);
  const { root } = workplace;
  const reading = await machine.git.readTree(root);
  const options = comparisonOf(machine, chosen, reading);
  const { checks } = await compareWithOpening({ ...options, ...NOTHING_RUN });
  const files = filesAt(root, [...listNow(reading).keys()]);
  const meanings: CheckMeaning[] = [];
  for (const criterion of topFrame(loop).criteria) {
    const { check } = criterion;
    if (check === null || (name !== null && criterion.name !== name)) continue;
    const compared = checks.get(criterion.name);
    const { command, folder } = check;
    const { definitions, leftOut, runsTests } =
      compared?.opening.meaning ??
      (await findDefinitions({ command, files, folder: folder ?? loop.folder, root }));
    const changes = compared?.changes ?? [];
    const own = folder === undefined ? {} : { folder };
    meanings.push({ name: criterion.name, command, ...own, definitions, leftOut, runsTests, changes });
  }
  return meanings;
}
