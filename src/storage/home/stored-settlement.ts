import * as v from "valibot";
import type { Settlement } from "../../core/stop/facts.ts";

const schema: v.GenericSchema<unknown, Settlement> = v.object({
  rejected: v.array(v.object({ task: v.string(), why: v.string() })),
});

/** What a settlement's ticket says it came to; nothing, if it can't be read: the journal has what was merged. */
export function settlementIn(stored: unknown): Settlement {
  const parsed = v.safeParse(schema, stored);
  return parsed.success ? parsed.output : { rejected: [] };
}
