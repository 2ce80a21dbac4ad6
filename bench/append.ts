import { closeSync, fdatasyncSync, openSync, writeSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LoopEvent } from "../src/core/events/event.ts";
import { appendRecord } from "../src/storage/journal/file/append.ts";
import { createJournal } from "../src/storage/journal/file/file-journals.ts";
import type { Cursor } from "../src/storage/journal/journal.ts";
import { medians, report } from "./measure.ts";
import { openingOf } from "./opening.ts";

const EVENT: LoopEvent = { type: "cost.charged", usd: 0.01, tokens: 1000, priced: true };

/** A record that is acknowledged, over the same bytes appended and synced without any promise. */
export async function benchAppend(folder: string): Promise<void> {
  const journal = join(folder, "loop", "journal.jsonl");
  mkdirSync(dirname(journal));
  let cursor: Cursor = createJournal(journal, Date.now(), [openingOf("bench-append")]);
  const plain = join(folder, "plain.jsonl");
  const line = `${JSON.stringify({ ...EVENT, padding: "x".repeat(180) })}\n`;
  const figures = await medians(
    [
      {
        name: "plain append with fdatasync",
        run: () => {
          const file = openSync(plain, "a");
          writeSync(file, line);
          fdatasyncSync(file);
          closeSync(file);
        },
      },
      {
        name: "journal append, acknowledged",
        run: () => {
          const appended = appendRecord(journal, cursor, Date.now(), [EVENT]);
          cursor = appended.cursor;
        },
      },
    ],
    500,
  );
  report("Append over a plain synced append", figures, "plain append with fdatasync");
}
