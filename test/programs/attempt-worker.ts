import { createInterface } from "node:readline";
import type { AttemptEnvelope, AttemptResult } from "../../src/engine/plan/executor.ts";
import type { RunNews } from "../../src/views/news/news.ts";
import { playedExecutor } from "../support/played-executor.ts";
import type { PlayedPlace } from "../support/played-executor.ts";

/** What a worker reads, one line each. */
export type Told =
  | { readonly type: "run"; readonly place: PlayedPlace; readonly envelope: AttemptEnvelope }
  | { readonly type: "abort" }
  | { readonly type: "soon" }
  | { readonly type: "wait"; readonly until: number | null };

/** What it writes. */
export type Tells =
  | { readonly type: "news"; readonly news: RunNews }
  | { readonly type: "result"; readonly result: AttemptResult };

const now = new AbortController();
const soon = new AbortController();
let until: number | null = null;

function write(tells: Tells): void {
  process.stdout.write(`${JSON.stringify(tells)}\n`);
}

async function run(place: PlayedPlace, envelope: AttemptEnvelope): Promise<void> {
  const result = await playedExecutor(place).executor.runAttempt(envelope, {
    signal: now.signal,
    soon: soon.signal,
    tell: (news) => write({ type: "news", news }),
    waitsUntil: () => until,
  });
  write({ type: "result", result });
  process.stdin.destroy();
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const told = JSON.parse(line) as Told;
  switch (told.type) {
    case "abort":
      return now.abort();
    case "soon":
      return soon.abort();
    case "wait":
      until = told.until;
      return;
    case "run":
      void run(told.place, told.envelope);
  }
});
