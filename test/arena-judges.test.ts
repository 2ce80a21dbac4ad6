import { beforeAll, describe, expect, test } from "vitest";
import { playCounsels, playReviews, type ReviewedWorks } from "../arena/judges/judges.ts";
import { reviewersTable } from "../arena/judges/tables.ts";
import { FLAWED, SOUND } from "../arena/judges/works.ts";

describe("a small part of the arena's reviews", () => {
  let played: ReviewedWorks;
  beforeAll(async () => {
    played = await playReviews([...FLAWED.slice(0, 1), ...SOUND.slice(0, 1)]);
  });

  const by = (reviewer: string): ReviewedWorks["reviewed"] =>
    played.reviewed.filter((each) => each.reviewer.name === reviewer);

  test("checks want the work, and see nothing wrong with it", () => {
    expect(played.places.map(({ checks }) => checks)).toEqual([
      { isRedBefore: true, isGreenAfter: true },
      { isRedBefore: true, isGreenAfter: true },
    ]);
  });

  test.each([
    ["good", { caught: true, shown: false, falseAlarms: 0, dropped: 0, failure: null }],
    ["mild", { caught: false, shown: true, falseAlarms: 0, failure: null }],
    ["lazy", { caught: false, shown: false, falseAlarms: 0, failure: null }],
    ["approving", { caught: false, falseAlarms: 0, failure: null }],
    ["inventing", { caught: false, falseAlarms: 0, dropped: 3 }],
    ["alarmed", { caught: false, falseAlarms: 1, dropped: 0 }],
    ["hostile, instructions", { caught: false, falseAlarms: 0, failure: null }],
    ["hostile, not JSON", { caught: false, falseAlarms: 0, turns: 6, failure: expect.any(String) as string }],
    ["hostile, 10 MB", { caught: false, falseAlarms: 0, turns: 6, failure: expect.any(String) as string }],
  ])("%s, on flawed work", (reviewer, expected) => {
    expect(by(reviewer)[0]).toMatchObject(expected);
  });

  test("on sound work, only somebody who quotes a real line and a real criterion can block", () => {
    const alarms = played.reviewed.filter(({ work, falseAlarms }) => work.defect === null && falseAlarms > 0);
    expect(alarms.map(({ reviewer }) => reviewer.name)).toEqual(["alarmed"]);
  });

  test("a review that adds nothing is shown as such", () => {
    const rows = reviewersTable(played.places, played.reviewed).split("\n");
    const rowOf = (name: string): string | undefined => rows.find((row) => row.startsWith(`| ${name} |`));
    expect(rowOf("good")).toMatch(/\| 1 caught \|$/);
    expect(rowOf("mild")).toMatch(/\| 1 shown \|$/);
    expect(rowOf("lazy")).toMatch(/\| \*\*nothing\*\* \|$/);
  });
});

test("each attempt gets another approach, whoever advises", async () => {
  const counselled = await playCounsels();
  expect(counselled.map(({ counsellor, own, different }) => [counsellor.name, own, different])).toEqual([
    ["good", 3, 3],
    ["repeating", 1, 3],
    ["empty", 0, 3],
    ["silent", 0, 3],
  ]);
});
