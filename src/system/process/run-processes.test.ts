import { describe, expect, it } from "vitest";
import { parseStat, processesOfRun } from "./run-processes.ts";
import type { ProcessRow } from "./run-processes.ts";

function row(pid: number, part: Partial<ProcessRow> = {}): ProcessRow {
  return { pid, parent: 1, group: pid, session: pid, startedAt: `start of ${pid}`, marked: false, ...part };
}

function found(table: readonly ProcessRow[], startedAt: string | null, known = new Map<number, string>()) {
  return processesOfRun(table, [{ pid: 50, startedAt }], known).map(({ pid }) => pid);
}

describe("the processes of a run", () => {
  const remains = [row(51, { group: 50 }), row(52, { session: 50 }), row(53, { parent: 51 }), row(60)];

  it("are the root's group, its session and their descendants", () => {
    expect(found([row(50), ...remains], "start of 50")).toEqual([50, 51, 52, 53]);
  });

  it("are what the root left behind, also one that had ended before anybody looked", () => {
    expect(found(remains, "start of 50")).toEqual([51, 52, 53]);
    expect(found(remains, null)).toEqual([51, 52, 53]);
  });

  it("are not those of a later process that has the root's id", () => {
    expect(found([row(50), ...remains], "an earlier start")).toEqual([]);
    expect(found([row(50), ...remains], null)).toEqual([]);
  });

  it("are the marked ones and their descendants, without any root", () => {
    const table = [row(50), row(51, { marked: true }), row(52, { parent: 51 })];
    expect(processesOfRun(table, [], new Map()).map(({ pid }) => pid)).toEqual([51, 52]);
  });

  it("are those that were known, unless their ids went on to others", () => {
    const known = new Map([
      [60, "start of 60"],
      [61, "an earlier start"],
    ]);
    expect(found([row(60), row(61)], "start of 50", known)).toEqual([60]);
  });
});

describe("a process as Linux shows it", () => {
  const fields = Array.from({ length: 18 }, (_, index) => index + 4).join(" ");

  it("may have any name", () => {
    expect(parseStat(`50 (a) R 1 (b ) S ${fields} 987 0`)).toEqual({
      parent: 4,
      group: 5,
      session: 6,
      startedAt: "987",
    });
  });

  it("is nothing once it is a zombie", () => {
    expect(parseStat(`50 (sh) Z ${fields} 987 0`)).toBeNull();
  });
});
