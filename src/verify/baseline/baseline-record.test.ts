import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";
import { baselinesFolder, readBaseline, writeBaseline, type Baseline } from "./baseline-record.ts";
import { noteStart } from "./take-baseline.ts";

const OPENING: Baseline = {
  at: 1,
  kept: { type: "none", why: "it was too large" },
  approved: [],
  meaning: { command: "npm test", definitions: [], runsTests: true, leftOut: 0, built: [], unlisted: {} },
  start: null,
};

const world = (): BaselineWorld => new BaselineWorld({}, "npm test", { hasGit: false });

describe("the record of an opening", () => {
  it("is read as it was written, by level and name, whatever the name holds", () => {
    const { which } = world();
    const names = ["a", "../../a", "a\0b", "ä".repeat(300), null];
    for (const [index, name] of names.entries())
      writeBaseline({ ...which, name, command: "x" }, { ...OPENING, at: index });
    expect(names.map((name) => readBaseline({ ...which, name, command: "x" })?.at)).toEqual([0, 1, 2, 3, 4]);
    expect(readBaseline({ ...which, depth: 2, name: "a", command: "x" })).toBeNull();
    expect(readdirSync(baselinesFolder(which))).toHaveLength(names.length);
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
    writeBaseline({ ...which, name: "a", command: "x" }, OPENING);
    const [file = ""] = readdirSync(baselinesFolder(which));
    writeFileSync(join(baselinesFolder(which), file), text);
    expect(readBaseline({ ...which, name: "a", command: "x" })).toBeNull();
  });

  it("learns once how the check stood before the work", async () => {
    const opened = new BaselineWorld({ "a.txt": "a" }, "npm test");
    await opened.open({ exitCode: 1, report: null });
    const which = { ...opened.which, name: "ok", command: "npm test" };
    const before = readBaseline(which);
    const start = { passed: false, exitCode: 1, report: null, neverBegan: false, isAgents: false };
    expect(before?.start).toMatchObject(start);
    const { evidence } = { evidence: new Map([["ok", { passed: true, exitCode: 0, command: "npm test" }]]) };
    noteStart(
      opened.which,
      { evidence: evidence as never, reports: new Map(), unrun: new Map() },
      { isAgents: false },
    );
    expect(readBaseline(which)).toEqual(before);
  });
});
