import type { StreamReader, TurnReport } from "../../agents/drivers/driver.ts";
import type { PriceTable } from "../../agents/cost/price.ts";
import type { Spent } from "../../core/stop/facts.ts";
import type { Redact } from "../../system/secrets/redact.ts";
import { charge } from "./charge.ts";
import { redactReport } from "./redact-turn.ts";
import type { RanAgent } from "./run-agent.ts";
import type { KeptEnding, TurnFolder } from "./turn-folder.ts";
import { keptEnding, keptLines } from "./turn-folder.ts";

export interface ReportedTurn {
  /** Redacted. */
  readonly report: TurnReport;
  readonly spent: Spent;
}

export function reportOf({ reader, kept }: RanAgent, prices: PriceTable, redact: Redact): ReportedTurn {
  const said = reader.end(kept.ending, kept.at);
  // An agent that finished before we ended it is finished.
  const trouble = said.trouble === null ? null : (kept.cause ?? said.trouble);
  return { report: redactReport({ ...said, trouble }, redact), spent: charge(said.bill, prices) };
}

/** What an earlier process kept of a turn, read again. `see` gets each line's sightings. */
export function readKept(
  folder: TurnFolder,
  reader: StreamReader,
  now: number,
  see: (sighting: ReturnType<StreamReader["line"]>[number]) => void = () => {},
): RanAgent {
  for (const line of keptLines(folder)) for (const sighting of reader.line(line)) see(sighting);
  const lost: KeptEnding = {
    ending: { type: "cut-off", why: "its end was not seen" },
    cause: null,
    at: now,
  };
  return { reader, kept: keptEnding(folder) ?? lost };
}
