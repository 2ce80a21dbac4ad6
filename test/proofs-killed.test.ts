import { deepStrictEqual } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Driving } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { effort, someOf } from "./support/effort.ts";
import { PlayedTask } from "./support/played-task.ts";
import { whyNoOverlay } from "./support/room-world.ts";
import { fingerprintOf, tracesOf } from "./support/traces.ts";
import { variant } from "./support/variant.ts";

const KILLS = effort(1, 12, 2);
/** About as long as a check and its proofs take. */
const LONGEST_MS = 2_500;

const TEST = `import { test } from "node:test"; import assert from "node:assert";
import { price } from "../src/price.js";
test("one", () => assert.equal(price([5]), 5));
`;

/** A missing module, and a test file that changes: it takes the opening's judge, a repeat and a revert. */
const AGENT = `echo 'export const price = (items) => items[0];' > src/price.js
grep -q two test/price.test.js || echo 'test("two", () => assert.equal(price([2, 1]), 2));' >> test/price.test.js`;

/** Each run of the check has a number: the opening, the check, and then its proofs. */
const RUNS = { judge: 3, repeat: 4, revert: 5 } as const;
const SHOWN = ["counts stands", "judge stands", "repeat stands", "faults stands", "causes stands"];

const WAITS = `echo >> "$1/runs"; n=$(wc -l < "$1/runs"); echo left-behind > generated.txt
touch "$1/run-$n.here"; while [ -e "$1/run-$n.wait" ]; do sleep 0.02; done
node --test
`;

class KilledTask extends PlayedTask {
  constructor() {
    super({
      "src/total.js": "",
      "test/total.test.js": "",
      "test/price.test.js": TEST,
      "waits.sh": WAITS,
      ".gitignore": "generated.txt\nignored\n",
      "ignored/state.bin": "kept",
    });
    this.check = `tests pass=sh waits.sh "${this.home}"`;
    rmSync(join(this.root, "test", "total.test.js"));
    this.commitAll();
  }

  /** Everything below the project but what the loop records of itself, which goes on. */
  files(): readonly string[] {
    return readdirSync(this.root)
      .filter((name) => name !== ".loop")
      .flatMap((name) => fingerprintOf(join(this.root, name)));
  }

  get rooms(): string {
    return join(this.home, "state", "loopwright", "rooms");
  }

  async killed(driving: Driving): Promise<void> {
    driving.child.kill("SIGKILL");
    await driving.ended();
    await until(() => tracesOf(this.root).length === 0, "nothing runs or is mounted there");
  }

  assertNoTrace(): void {
    deepStrictEqual(tracesOf(this.root), []);
    deepStrictEqual(existsSync(this.rooms) ? readdirSync(this.rooms) : [], []);
    const refs = this.git("for-each-ref", "--format=%(refname)").trim().split("\n");
    deepStrictEqual(refs.filter((ref) => !ref.startsWith("refs/loopwright/")).length, 1);
    deepStrictEqual(this.read("ignored/state.bin"), "kept");
    deepStrictEqual(this.git("status", "--porcelain"), " M test/price.test.js\n?? src/price.js\n");
  }

  /** As if nobody had been killed. */
  assertVerified(): void {
    const { phase, confidence, why } = this.ended();
    deepStrictEqual({ phase, confidence, why }, { phase: "completed", confidence: "verified", why: "" });
    const shown = this.shown().map((each) => each.split(",")[0]);
    deepStrictEqual(shown.slice(-SHOWN.length), SHOWN);
  }
}

const why = await whyNoOverlay();

describe.skipIf(why !== null)(`the driver is killed${why === null ? "" : `, skipped: ${why}`}`, () => {
  variant.each(someOf(Object.entries(RUNS), 1))(
    "during the %s: the next run proves it all",
    async (_kind, run) => {
      const task = new KilledTask();
      writeFileSync(task.mark(`run-${run}.wait`), "");
      const driving = task.drive(task.playing(AGENT));
      await until(() => existsSync(task.mark(`run-${run}.here`)), `the check ran ${run} times`);
      const before = task.files();
      await task.killed(driving);
      expect(task.files()).toEqual(before);
      rmSync(task.mark(`run-${run}.wait`));

      task.loop("continue");
      task.assertVerified();
      task.assertNoTrace();
      expect(task.eventsOf("turn.launched")).toHaveLength(1);
    },
  );

  test(`at ${KILLS} random moments between claim and completion`, async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const task = new KilledTask();
      const driving = task.drive(task.playing(AGENT));
      await until(() => existsSync(task.mark("run-2.here")), "it is claimed");
      await sleep(Math.random() * LONGEST_MS);
      await task.killed(driving);

      if (task.only().phase !== "completed") task.loop("continue");
      task.assertVerified();
      task.assertNoTrace();
      expect(task.eventsOf("turn.launched")).toHaveLength(1);
    }
  }, 900_000);
});

const isRoot = process.getuid?.() === 0;

describe.skipIf(why !== null || !isRoot)("the disk is full (needs root)", () => {
  variant("what cannot be shown for it is weak, and nobody is accused", () => {
    const task = new KilledTask();
    task.write({
      "waits.sh": `${WAITS.replace("node --test\n", "")}head -c 8000000 /dev/zero > generated.txt && node --test\n`,
    });
    task.commitAll();
    mkdirSync(task.rooms, { recursive: true });
    expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", task.rooms]).status).toBe(0);
    onTestFinished(() => void spawnSync("umount", [task.rooms]));

    task.play(AGENT);
    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "weak" });
    expect(task.ended().why).toContain("no space left");
    task.assertNoTrace();
  });
});
