import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OpeningWorld } from "../../../test/support/opening-world.ts";
import { openingsFolder, readOpening, writeOpening } from "./opening-record.ts";
import type { Opening } from "./opening-record.ts";
import { noteStart } from "./take-opening.ts";

const OPENING: Opening = {
  at: 1,
  kept: { type: "none", why: "it was too large" },
  approved: [],
  meaning: { command: "npm test", definitions: [], runsTests: true, leftOut: 0, unlisted: {} },
  start: null,
};

const world = (): OpeningWorld => new OpeningWorld({}, "npm test", { hasGit: false });

describe("the record of an opening", () => {
  it("is read as it was written, by level and name, whatever the name holds", () => {
    const { which } = world();
    const names = ["a", "../../a", "a\0b", "ä".repeat(300), null];
    for (const [index, name] of names.entries())
      writeOpening({ ...which, name, command: "x" }, { ...OPENING, at: index });
    expect(names.map((name) => readOpening({ ...which, name, command: "x" })?.at)).toEqual([0, 1, 2, 3, 4]);
    expect(readOpening({ ...which, depth: 2, name: "a", command: "x" })).toBeNull();
    expect(readdirSync(openingsFolder(which))).toHaveLength(names.length);
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["something else", "[]"],
    ["no commit", JSON.stringify({ ...OPENING, kept: { type: "git", commit: "--upload-pack=x" } })],
    ["no definitions", JSON.stringify({ ...OPENING, meaning: { ...OPENING.meaning, definitions: [1] } })],
    ["no report", JSON.stringify({ ...OPENING, start: { passed: false, exitCode: 1, report: {} } })],
  ])("%s is no opening", (_what, text) => {
    const { which } = world();
    writeOpening({ ...which, name: "a", command: "x" }, OPENING);
    const [file = ""] = readdirSync(openingsFolder(which));
    writeFileSync(join(openingsFolder(which), file), text);
    expect(readOpening({ ...which, name: "a", command: "x" })).toBeNull();
  });

  it("learns once how the check stood before the work", async () => {
    const opened = new OpeningWorld({ "a.txt": "a" }, "npm test");
    await opened.open({ exitCode: 1, report: null });
    const which = { ...opened.which, name: "ok", command: "npm test" };
    const before = readOpening(which);
    const start = { passed: false, exitCode: 1, report: null, neverBegan: false, isAgents: false };
    expect(before?.start).toEqual(start);
    const { evidence } = { evidence: new Map([["ok", { passed: true, exitCode: 0, command: "npm test" }]]) };
    noteStart(
      opened.which,
      { evidence: evidence as never, reports: new Map(), unrun: new Map() },
      { isAgents: false },
    );
    expect(readOpening(which)).toEqual(before);
  });
});
