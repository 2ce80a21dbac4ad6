import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHECK, DONE, FINISHES, Stage } from "./support/driven.ts";
import { isFullEffort } from "./support/effort.ts";

test.runIf(isFullEffort)(
  "of two runs at once in one project, the files are whole and about the one that wrote last",
  async () => {
    const stage = new Stage();
    const first = stage.drive(
      stage.opening([{ say: "One." }, { do: [{ run: stage.meet("work") }], say: "Two." }, FINISHES]),
    );
    await stage.met("work");
    const iterations = (): readonly string[] =>
      stage.rows().map(({ loop, iteration }) => `${loop.slice(0, -5)} ${iteration}`);
    expect(iterations()).toEqual(["write-done-txt 1"]);

    const script = stage.mark("other.json");
    writeFileSync(
      script,
      JSON.stringify({
        turns: [{ say: "Not yet." }, { do: [{ write: "other.txt", text: "other\n" }], say: DONE, usd: 0 }],
      }),
    );
    const other = stage.loop(
      "run",
      "Write other.txt",
      "-c",
      CHECK.replaceAll("done", "other"),
      "--script",
      script,
    );
    expect(other.code).toBe(0);
    expect(iterations()).toEqual(["write-other-txt 1", "write-other-txt 2"]);
    expect(stage.read(".loop/summary.md")).toContain("> Write other.txt");

    stage.letGo("work");
    expect((await first.ended()).code).toBe(0);
    expect(iterations()).toEqual(["write-done-txt 1", "write-done-txt 2", "write-done-txt 3"]);
    expect(stage.read(".loop/summary.md")).toContain("> Write done.txt");
  },
);
