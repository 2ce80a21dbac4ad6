import { join } from "node:path";
import * as v from "valibot";
import { NO_USAGE } from "../../agents/cost/transcript.ts";
import type { Turn } from "../../agents/drivers/driver.ts";
import { readJsonFile } from "../../system/files/json-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import type { TurnFolder } from "../run/turn-folder.ts";

/** The conversation that a turn continues, and what it had reported: only what is new is charged. */
export type Continued = Pick<Turn, "conversation" | "reportedUsd" | "reportedUsage">;

export const NEW_CONVERSATION: Continued = { conversation: null, reportedUsd: null, reportedUsage: null };

const count = v.pipe(v.number(), v.finite(), v.minValue(0));
const tokens = v.object({ input: count, output: count, cacheRead: count, cacheWrite: count });
const schema = v.object({
  conversation: v.nullable(v.string()),
  reportedUsd: v.nullable(count),
  reportedUsage: v.nullable(
    v.pipe(
      tokens,
      v.transform((counts) => ({ ...NO_USAGE, ...counts })),
    ),
  ),
});

const FILE = "continued.json";

/** For whoever charges the turn after a kill. */
export function keepContinued(folder: TurnFolder, continued: Continued): void {
  const { conversation, reportedUsd, reportedUsage = null } = continued;
  try {
    writeAtomically(join(folder.path, FILE), JSON.stringify({ conversation, reportedUsd, reportedUsage }));
  } catch {
    // Then the whole conversation would be charged once more after a kill.
  }
}

export function keptContinued(folder: TurnFolder): Continued {
  return readJsonFile(join(folder.path, FILE), schema) ?? NEW_CONVERSATION;
}
