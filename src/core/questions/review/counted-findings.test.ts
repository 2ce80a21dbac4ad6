import { describe, expect, test } from "vitest";
import { countedFindings, type Held } from "./counted-findings.ts";
import type { ReviewAnswer } from "./review-question.ts";

type Claimed = ReviewAnswer["findings"][number];

const held: Held = {
  files: [
    {
      path: "src/cart.js",
      lines: [
        { kind: "context", line: 1, text: "function total(items) {" },
        { kind: "removed", line: null, text: "  return 3;" },
        { kind: "added", line: 2, text: "  return items.length  *  4;" },
        { kind: "added", line: 3, text: "-- a list" },
        { kind: "context", line: 4, text: "}" },
      ],
    },
  ],
  demands: [
    { id: "C-1", text: "tests pass", check: null },
    { id: "M-1", text: "path:docs/**", check: null },
  ],
  perspectives: ["correctness"],
  forbids: (path) => (path.startsWith("docs/") ? "path:docs/**" : null),
};

function claimed(part: Partial<Claimed> = {}): Claimed {
  return {
    severity: "BLOCKER",
    perspective: "correctness",
    file: "src/cart.js",
    quote: "return items.length * 4;",
    problem: "The total ignores prices.",
    breaks: "C-1",
    command: null,
    fix: null,
    ...part,
  };
}

const count = (...findings: readonly Claimed[]): ReturnType<typeof countedFindings> =>
  countedFindings({ score: 7, findings: [...findings] }, held);

describe("a quote", () => {
  test.each<readonly [title: string, quote: string, line: number | null]>([
    ["is found whatever its blanks", "return   items.length * 4;", 2],
    ["with the mark of the diff", "+  return items.length * 4;", 2],
    ["as a part of its line", "items.length * 4", 2],
    ["of a line that was removed has no line", "return 3;", null],
    ["of a line around the change", "function total(items) {", 1],
    ["of a line that begins like a mark", "+-- a list", 3],
    ["of several lines points to the first of them that is there", "nothing\nfunction total(items) {", 1],
  ])("%s", (_, quote, line) => {
    expect(count(claimed({ quote })).findings).toMatchObject([{ file: "src/cart.js", line }]);
  });

  test.each<readonly [title: string, part: Partial<Claimed>]>([
    ["words that aren't in the diff", { quote: "return 5;" }],
    ["a bracket", { quote: "}" }],
    ["nothing", { quote: " " }],
    ["a file that wasn't changed", { file: "src/invented.js" }],
    ["a path out of the project", { file: "../../etc/passwd" }],
    ["no problem", { problem: " " }],
  ])("%s: dropped and counted", (_, part) => {
    expect(count(claimed(part), claimed())).toMatchObject({
      dropped: [{ file: expect.any(String), quote: expect.any(String), problem: expect.any(String) }],
      findings: [{ id: "F-1" }],
    });
  });
});

describe("a blocker", () => {
  test.each<readonly [breaks: string | null, expected: string | null]>([
    ["C-1", "tests pass"],
    ["c-1: tests pass", "tests pass"],
    ["tests pass", "tests pass"],
    ["C-1 and M-1.", "tests pass"],
    ["M-1", "path:docs/**"],
    ["C-10", null],
    ["C-9", null],
    [null, null],
  ])("that breaks %s", (breaks, expected) => {
    const [found] = count(claimed({ breaks, command: "npm test" })).findings;
    expect(found).toMatchObject({
      severity: expected === null ? "WARNING" : "BLOCKER",
      breaks: expected,
      command: expected === null ? null : "npm test",
      failsNow: false,
    });
  });

  test("comes before what is less, and has the first number", () => {
    const { findings } = count(
      claimed({ severity: "SUGGESTION" }),
      claimed({ severity: "WARNING" }),
      claimed(),
    );
    expect(findings.map(({ id, severity }) => `${id} ${severity}`)).toEqual([
      "F-1 BLOCKER",
      "F-2 WARNING",
      "F-3 SUGGESTION",
    ]);
  });
});

describe("a fix", () => {
  test.each<readonly [fix: string, refused: string | null]>([
    ["Multiply by the price.", null],
    ["Say so in docs/cart.md.", "path:docs/**"],
    ["Rewrite `docs/` as a whole.", "path:docs/**"],
    ["Change ./docs/a/b.md, too", "path:docs/**"],
    ["Look into the docs and change src/cart.js.", null],
  ])("is kept, unless the work may not change what it names: %s", (fix, refused) => {
    expect(count(claimed({ fix })).findings).toMatchObject([{ fix: refused === null ? fix : null, refused }]);
  });
});

test("an answer of any size and any score stays bounded", () => {
  const many = Array.from({ length: 500 }, () => claimed({ problem: "x".repeat(100_000) }));
  const { findings, dropped } = count(...many);
  expect(findings.length + dropped.length).toBe(500);
  expect(JSON.stringify(findings).length).toBeLessThan(100_000);
  for (const [score, expected] of [
    [99, 10],
    [-1, 0],
    [Number.NaN, 0],
    [6.6, 7],
  ] as const)
    expect(countedFindings({ score, findings: [] }, held).score).toBe(expected);
});

test("a perspective that nobody asked for isn't repeated", () => {
  const evil = claimed({ perspective: "\u001b[31mevil" });
  expect(count(evil).findings).toMatchObject([{ perspective: "correctness" }]);
  const panel = { ...held, perspectives: ["correctness", "tests"] };
  expect(countedFindings({ score: 8, findings: [evil] }, panel).findings).toMatchObject([
    { perspective: "other" },
  ]);
});
