import { describe, expect, it } from "vitest";
import { parseStat } from "./process-facts.ts";
import { processesOfRun, carriesRunMark, markWithRun, withoutRunMark } from "./run-processes.ts";
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

function environ(env: NodeJS.ProcessEnv): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value}\0`)
    .join("");
}

describe("the mark of a run", () => {
  it("is found by the id of the run, and of the run around it", () => {
    const env = markWithRun(markWithRun({ PATH: "/bin", EDITOR: "vi" }, "outer"), "inner");
    expect(["outer", "inner", "vi"].map((id) => carriesRunMark(environ(env), id))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    ["another run's id begins with it", "LOOP_RUN_ID=run-10\0", "run-1"],
    ["another run's id ends with it", "LOOP_RUN_ID=my-run-1\0", "run-1"],
    ["another variable has it", "LAST_LOOP_RUN_ID=run-1\0NOTE=LOOP_RUN_ID=run-1\0", "run-1"],
    ["the id is empty", "LOOP_RUN_ID=\0", ""],
    ["there is no environment", "", "run-1"],
  ])("is not seen where %s", (_why, text, id) => {
    expect(carriesRunMark(text, id)).toBe(false);
  });

  it("can be taken away", () => {
    const env = { PATH: "/bin" };
    expect(withoutRunMark(markWithRun(env, "run-1"))).toEqual(env);
  });
});
