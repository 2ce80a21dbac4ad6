import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseLoop } from "../src/storage/loops/choose-loop.ts";
import { cancelLoop } from "../src/engine/lifecycle/lifecycle.ts";
import type { Machine } from "../src/storage/loops/machine.ts";
import { stateHome } from "../src/storage/home/state-home.ts";
import { createMachine } from "../src/storage/loops/machine.ts";
import { pruneEndedLoops } from "../src/engine/lifecycle/turn-folders.ts";
import { projectAt } from "../src/storage/home/project.ts";
import { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const DAY = 24 * 3_600_000;
const SCRIPT = JSON.stringify({
  turns: [
    {
      do: [{ write: "a.txt", text: "a" }],
      say: "---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---",
      usd: 0,
    },
  ],
});

/** One loop that is completed, `write-a-txt-…`, and one that is paused, `write-b-txt-…`, with a checkpoint and a turn each. */
class Past extends Sandbox {
  constructor() {
    super({ "README.md": "x\n", ".gitignore": "script.json\n", "script.json": SCRIPT });
    this.commitAll();
    const run = ["--script", "script.json", "--iterations", "1"];
    const codes = ["a", "b"].map(
      (name) => this.loop("run", `Write ${name}.txt`, "-c", `${name}=test -f ${name}.txt`, ...run).code,
    );
    if (codes.join() !== "0,3") throw new Error(`the loops ended with ${codes.join()}`);
  }

  after(days: number): Machine {
    return { ...createMachine(this.env, this.root), now: () => Date.now() + days * DAY };
  }

  async prunedAfter(days: number): Promise<readonly string[]> {
    await pruneEndedLoops(this.after(days), projectAt(this.root));
    return this.git("for-each-ref", "--format=%(refname)", "refs/loopwright").trim().split("\n");
  }

  /** Names of the lock folders that still have openings. */
  keptBaselines(): readonly string[] {
    const loops = join(stateHome(this.env), "loops");
    return readdirSync(loops).filter((name) => existsSync(join(loops, name, "openings")));
  }

  runs(loop: "write-a" | "write-b"): string {
    const loops = join(this.root, ".loop", "loops");
    const id = readdirSync(loops).find((name) => name.startsWith(loop)) ?? "";
    return join(loops, id, "runs");
  }
}

const OF_A = expect.stringContaining("write-a-txt");
const OF_B = expect.stringContaining("write-b-txt");

test("checkpoints of loops that ended two weeks ago are let go, those of open ones stay", async () => {
  const past = new Past();

  // Each has one before its iteration, and one of its opening.
  expect(await past.prunedAfter(13)).toEqual([OF_A, OF_A, OF_B, OF_B]);
  expect(past.keptBaselines()).toEqual([OF_A, OF_B]);
  expect(await past.prunedAfter(15)).toEqual([OF_B, OF_B]);
  expect(past.keptBaselines()).toEqual([OF_B]);
});

variant("it is the end of the loop that counts, and not the age of its checkpoints", async () => {
  const past = new Past();
  await cancelLoop(past.after(16), await chooseLoop(past.after(16), "write-b"));

  expect(await past.prunedAfter(17)).toEqual([OF_B, OF_B]);
  expect(await past.prunedAfter(29)).toEqual([OF_B, OF_B]);
  expect(await past.prunedAfter(31)).toEqual([""]);
});

variant("a ref that somebody else put there is left alone, and in nobody's way", async () => {
  const past = new Past();
  const [checkpoint] = await past.prunedAfter(1);
  past.git("update-ref", `${checkpoint}+copy`, "HEAD");
  past.git("update-ref", "refs/loopwright/+/1", "HEAD");

  expect(await past.prunedAfter(15)).toEqual(["refs/loopwright/+/1", `${checkpoint}+copy`, OF_B, OF_B]);
});

variant("what their turns printed goes with them, and nothing else", async () => {
  const past = new Past();
  const outside = join(past.home, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "mine.txt"), "mine\n");
  mkdirSync(join(past.runs("write-a"), "notes"));
  symlinkSync(outside, join(past.runs("write-a"), "2-1"));
  symlinkSync(outside, join(past.runs("write-a"), "1-1", "link"));

  await past.prunedAfter(13);
  expect(readdirSync(past.runs("write-a"))).toContain("1-1");
  await past.prunedAfter(15);
  expect(readdirSync(past.runs("write-a")).toSorted()).toEqual(["2-1", "notes", "rehearsal.json"]);
  expect(existsSync(join(outside, "mine.txt"))).toBe(true);
  expect(readdirSync(past.runs("write-b"))).toContain("1-1");
});
