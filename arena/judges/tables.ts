import { table } from "../tables.ts";
import type { Counselled } from "./counsellors.ts";
import type { Reviewed } from "./play-reviews.ts";
import { tokensIn } from "./scripted-asker.ts";
import type { WholePlay } from "./whole-plays.ts";
import type { WorkPlace } from "./work-place.ts";

/** A row for each reviewer, below what checks alone catch. */
export function reviewersTable(
  places: readonly Pick<WorkPlace, "work" | "checks">[],
  reviewed: readonly Reviewed[],
): string {
  const flawed = places.filter(({ work }) => work.defect !== null);
  const sound = places.length - flawed.length;
  const noticed = flawed.filter(({ checks }) => !checks.isGreenAfter).length;
  const alarmed = places.filter(({ work, checks }) => work.defect === null && !checks.isGreenAfter).length;
  const of = flawed.length;
  const none = ["0", "0", "0", "0", "0", "0"];
  const rows = [...new Set(reviewed.map(({ reviewer }) => reviewer))].map((reviewer) => {
    const own = reviewed.filter((each) => each.reviewer === reviewer);
    const caught = own.filter((each) => each.caught).length;
    const shown = own.filter((each) => each.shown).length;
    return [
      reviewer.name,
      reviewer.what,
      `${caught} of ${of}`,
      String(shown),
      String(sum(own.map(({ falseAlarms }) => falseAlarms))),
      String(sum(own.map(({ dropped }) => dropped))),
      String(own.filter(({ failure }) => failure !== null).length),
      ...tokens(own),
      perPlay(own),
      added(caught - noticed, shown),
    ];
  });
  return table(
    [
      "reviewer",
      "what it says",
      "caught",
      "only shown",
      "false alarms",
      "dropped",
      "no review",
      "tokens asked",
      "tokens answered",
      "ms",
      "adds over checks",
    ],
    [
      [
        "none: checks alone",
        `${of} flawed works, ${sound} sound ones`,
        `${noticed} of ${of}`,
        "0",
        String(alarmed),
        ...none.slice(0, 5),
        "",
      ],
      ...rows,
    ],
  );
}

function added(caught: number, shown: number): string {
  if (caught > 0) return `${caught} caught`;
  return shown > 0 ? `${shown} shown` : "**nothing**";
}

export function counsellorsTable(counselled: readonly Counselled[]): string {
  return table(
    [
      "counsellor",
      "what it says",
      "advice used",
      "different approaches",
      "tokens asked",
      "tokens answered",
      "ms",
      "adds over plain advice",
    ],
    counselled.map((each) => [
      each.counsellor.name,
      each.counsellor.what,
      `${each.own} of ${each.failures}`,
      `${each.different} of ${each.failures}`,
      ...tokens([each]),
      (each.ms / each.failures).toFixed(0),
      each.own === 0 ? "**nothing**" : `${each.own} of ${each.failures}`,
    ]),
  );
}

export function wholeTable(plays: readonly WholePlay[]): string {
  return table(
    ["review", "exit code", "delivered work", "seconds"],
    plays.map(({ reviewer, code, isRight, seconds }) => [
      reviewer,
      String(code),
      isRight ? "right" : "**flawed**",
      seconds.toFixed(0),
    ]),
  );
}

type Told = Pick<Reviewed, "asked" | "answered">;

function tokens(own: readonly Told[]): readonly [string, string] {
  return [
    String(tokensIn(sum(own.map(({ asked }) => asked)))),
    String(tokensIn(sum(own.map(({ answered }) => answered)))),
  ];
}

function perPlay(own: readonly Reviewed[]): string {
  return (sum(own.map(({ ms }) => ms)) / own.length).toFixed(0);
}

function sum(figures: readonly number[]): number {
  return figures.reduce((all, each) => all + each, 0);
}
