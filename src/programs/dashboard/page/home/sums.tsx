import type { BoardRow } from "../../../../views/board.ts";
import { now } from "../data/state.ts";
import { headline } from "./headline.ts";
import { wantsLook } from "./looked-at.ts";
import { isNotHeld, recent, seal, sorted, waits as isWaiting } from "./shown-loops.ts";
import { Seal } from "../shown/glyphs.tsx";
import { caughtWords, counted, dollars, moment } from "../shown/words.ts";

export function sentence(): string {
  const all = sorted.value;
  const count = (group: BoardRow["group"]): number => all.filter((row) => row.group === group).length;
  const needs = count("needs");
  const waits = all.filter((row) => row.group === "running" && isWaiting(row)).length;
  const runs = count("running") - waits;
  const ended = new Set([
    ...recent.value.filter((row) => row.group === "finished"),
    // Of the last week, while nobody has opened it.
    ...all.filter(wantsLook),
  ]).size;
  return headline({ needs, runs, waits, ended, wants: all.filter(wantsLook).length });
}

/** Each part filters the lists below it. */
export function Sums() {
  const all = recent.value;
  const of = (confidence: string): number =>
    all.filter((row) => row.group === "finished" && row.confidence === confidence).length;
  const notHeld = all.reduce((sum, { claimsNotHeld }) => sum + claimsNotHeld, 0);
  const spent = all.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const unknown = all.filter(({ costUsd, group }) => costUsd === null && group !== "needs").length;
  const [first] = all.flatMap(({ startedAt }) => startedAt ?? []).toSorted();
  return (
    <p class="sums">
      {first !== undefined && (
        <span class="it">
          {counted(all.length, "loop")}, the first begun at {moment(first, now.value)}
        </span>
      )}
      {(["verified", "weak", "unverified"] as const).map((each) =>
        of(each) === 0 ? null : (
          <button
            key={each}
            aria-pressed={seal.value === each}
            onClick={() => (seal.value = seal.value === each ? null : each)}
          >
            <span aria-hidden="true">
              <Seal confidence={each} />
            </span>
            {of(each)} {each}
          </button>
        ),
      )}
      {notHeld > 0 && (
        <button
          aria-pressed={isNotHeld.value}
          title="“Done” was said, and a check or a proof contradicted it. Show only their loops"
          onClick={() => (isNotHeld.value = !isNotHeld.value)}
        >
          {caughtWords(notHeld)}
        </button>
      )}
      {all.length > 0 && (
        <span class="it">
          {dollars(Math.round(spent * 100) / 100)} spent{unknown > 0 ? `, ${unknown} unknown` : ""}
        </span>
      )}
    </p>
  );
}
