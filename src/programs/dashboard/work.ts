import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { workTexts } from "../../engine/lifecycle/work-texts.ts";
import { changedLines, nearChanges, type DecidedFile } from "./decision.ts";

/** What a loop changed since its opening; files are folded where they are long. */
export interface Work {
  readonly files: readonly DecidedFile[];
  /** Why it isn't shown, or not as it was at the end. */
  readonly note: string | null;
}

export async function workOf(machine: Machine, known: KnownLoop): Promise<Work> {
  const { files, note } = await workTexts(machine, known);
  return {
    note,
    files: files.map(({ path, before, now }) => {
      const lines = changedLines(before ?? "", now ?? "");
      const count = (sign: string): number => lines.filter((each) => each.sign === sign).length;
      return {
        path,
        change: before === null ? "added" : now === null ? "removed" : "changed",
        added: lines.length === 0 ? null : count("+"),
        removed: lines.length === 0 ? null : count("-"),
        lines: nearChanges(lines),
      };
    }),
  };
}
