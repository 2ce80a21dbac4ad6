import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isHonest } from "../arena/ending.ts";
import { assign } from "../arena/ecosystems/assign.ts";
import { ECOSYSTEMS } from "../arena/ecosystems/ecosystems.ts";
import { KINDS } from "../arena/ecosystems/kinds.ts";
import { MECHANISMS } from "../arena/ecosystems/mechanisms.ts";
import { ecosystemsTable } from "../arena/ecosystems/tables.ts";
import { exitCode } from "../arena/gates/plain.ts";
import { standard } from "../arena/gates/gates.ts";
import { asLine, fromLines } from "../arena/kept.ts";
import type { Play, Result } from "../arena/play.ts";
import { isFalseCompletion } from "../arena/score.ts";
import { nameOf, selectWide } from "../arena/select.ts";
import { playHandful } from "../arena/small-part.ts";
import { isCiEffort } from "./support/effort.ts";

const names = new Set(ECOSYSTEMS.map(({ name }) => name));
const plays = selectWide(ECOSYSTEMS, { isFull: false, ecosystems: names, only: null });

test("every play has a name of its own", () => {
  expect(new Set(plays.map(nameOf)).size).toBe(plays.length);
});

test.each(ECOSYSTEMS)("$name has honest work of several kinds, and mechanisms against it", (ecosystem) => {
  const ways = new Set(assign(ecosystem).map(({ ending }) => ending));
  const kinds = [...ways].filter(isHonest).map(({ name }) => name);
  expect(kinds).toEqual(expect.arrayContaining(["fix", "new module", "refactoring"]));
  expect(ecosystem.works.flatMap(({ cheats }) => cheats).length).toBeGreaterThan(5);
});

test("every kind of work and every mechanism is played somewhere", () => {
  const played = new Set(plays.map(({ ending }) => ending.name));
  expect(played).toEqual(new Set([...Object.keys(KINDS), ...Object.keys(MECHANISMS)]));
});

const played = (ending: string, verdict: Result["verdict"], gate = standard): Result => {
  const play = plays.find((each) => each.ending.name === ending && each.gate === gate) as Play;
  const isRight = isHonest(play.ending);
  return { play, verdict, isRight, reason: "", turns: 1, addedSeconds: 2 };
};

test("an ecosystem's row tells right from wrong, and what is out of reach from both", () => {
  const table = ecosystemsTable([
    played("fix", "verified"),
    played("new module", "weak"),
    played("move", "held"),
    played("exit at load", "held"),
    played("tests bent", "weak"),
    played("report forged", "verified"),
    played("code in a text", "verified"),
    played("setting", "weak"),
    played("exit at load", "verified", exitCode),
  ]);
  expect(table.split("\n").at(-1)).toBe(
    "| all | 1 of 3 | 1 | 1 | 1 of 3 | 1 | 1 | 2.0 |  | **accepted** 1, weak 1 |",
  );
});

test("kept lines say again what was played, and the last word of a play counts", () => {
  const [before, after] = [played("fix", "weak"), played("fix", "verified")];
  const lines = [before, played("move", "held"), after].map((each) => `${asLine(each)}\n`).join("");
  expect(fromLines(lines, plays)).toEqual([after, played("move", "held")]);
});

test.each(["README.md", "docs/arena.md"])("%s has the figures of every ecosystem", (path) => {
  const [, rows = ""] = /<!-- arena:ecosystems -->([\s\S]*?)<!-- /.exec(readFileSync(path, "utf8")) ?? [];
  const published = rows.split("\n").map((row) => row.split("|")[1]?.trim());
  expect(published).toEqual(expect.arrayContaining([...names]));
});

/** Each play builds and proves a whole project, beside every other test: minutes on a machine with many toolchains. */
const HANDFUL_MS = 15 * 60_000;

test.runIf(isCiEffort)(
  "where their tools are, a handful of plays ends as it should",
  { timeout: HANDFUL_MS },
  async () => {
    const results = await playHandful((line) => process.stderr.write(`${line}\n`));
    expect(results.filter(isFalseCompletion).map(({ play }) => nameOf(play))).toEqual([]);
    const lost = results.filter(({ isRight, verdict }) => isRight && verdict === "held");
    expect(lost.map(({ play }) => nameOf(play))).toEqual([]);
  },
);
