import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFullEffort } from "./support/effort.ts";
import { until } from "./support/patience.ts";
import { PlanStage, plan as planOf, writes } from "./support/plan-stage.ts";
import { HARD_CODED, HIDDEN, HONEST, HoldoutStage, SECRET } from "./support/holdout-stage.ts";
import { whyNoOverlay } from "./support/room-world.ts";
import { heldReason } from "./support/sandbox.ts";
import { fingerprintOf, tracesOf } from "./support/traces.ts";
import { variant } from "./support/variant.ts";

const why = await whyNoOverlay();

const NAME = "holdout: tests pass";
const STANDS = { kind: "holdout", name: null, result: "stands", detail: NAME, files: [] };
const FAILS = { ...STANDS, result: "fails" };

describe.skipIf(why !== null)(
  `tests that the agent is never shown${why === null ? "" : `, skipped: ${why}`}`,
  () => {
    variant("honest work passes them, and is verified", () => {
      const stage = new HoldoutStage();
      const ran = stage.play([HONEST], "--holdout-from", stage.hidden);

      expect(ran.code).toBe(0);
      expect(stage.only()).toMatchObject({ phase: "completed", confidence: "verified" });
      expect(stage.shown()).toEqual([STANDS]);
    });

    test("hard-coded answers are caught, and held until the work is honest", () => {
      const stage = new HoldoutStage();
      const ran = stage.play([HARD_CODED, HARD_CODED, HONEST], "--holdout-from", stage.hidden);
      expect(ran.out).toContain(`- ${NAME}: ✓ (the agent has not seen it)`);

      expect(ran.code).toBe(0);
      expect(stage.turns()).toHaveLength(3);
      expect(stage.shown()).toEqual([FAILS, FAILS, STANDS]);
      expect(stage.only()).toMatchObject({ phase: "completed", confidence: "verified" });
    });

    variant("an object that is equal to everything is caught", () => {
      const stage = new HoldoutStage();
      const equals = (price: number): string =>
        `require("node:test")("equals", () => require("node:assert").ok(require("../total.js")([2, 3]).equals(${price})));\n`;
      stage.write({ "test/total.test.js": equals(5) });
      stage.holdOut({ [`test/${SECRET}.test.js`]: equals(6).replace(".ok(", ".ok(!") });
      const honest = "module.exports = ([a, b]) => ({ equals: (sum) => sum === a + b });\n";
      stage.play(
        ["module.exports = () => ({ equals: () => true });\n", honest],
        "--holdout-from",
        stage.hidden,
      );

      expect(stage.shown()).toEqual([FAILS, STANDS]);
      expect(stage.only()).toMatchObject({ phase: "completed", confidence: "verified" });
    });

    variant("a hook holds the agent with the name alone", () => {
      const stage = new HoldoutStage();
      stage.start("s1", "Fix total()", "-c", "tests pass=node --test", "--holdout-from", stage.hidden);
      stage.write({ "total.js": HARD_CODED });
      stage.loop("done");
      const reason = heldReason(stage.stop("s1"));

      expect(reason).toContain(NAME);
      expect(reason).not.toContain(SECRET);
      expect(stage.shown()).toEqual([FAILS]);
    });

    test.runIf(isFullEffort)(
      "commands of its own are told by their names, and may take what time they want",
      () => {
        const stage = new HoldoutStage();
        stage.holdOut({
          [`${SECRET}/sum.js`]: `process.exit(require("../total.js")([7, 4, 1]) === 12 ? 0 : 3);\n`,
          "holdout.json": JSON.stringify({
            checks: {
              "other sums": `echo ${SECRET}; node ${SECRET}/sum.js`,
              "as words": ["node", `${SECRET}/sum.js`],
              "in time": { run: "sleep 600", timeout: 1 },
            },
          }),
        });
        stage.play([HONEST], "--holdout-from", stage.hidden, "--iterations", "1");

        expect(stage.shown().map(({ detail, result }) => [detail, result])).toEqual([
          ["other sums", "stands"],
          ["as words", "stands"],
          ["in time", "fails"],
        ]);
        expect(existsSync(join(stage.root, "holdout.json"))).toBe(false);
      },
    );

    variant(
      "nothing of it is in the project, the records, the prompts, the environment or a list of processes",
      async () => {
        const stage = new HoldoutStage();
        stage.holdOut({
          "holdout.json": JSON.stringify({
            checks: { "other sums": `echo ${SECRET}; node --test test/${SECRET}.test.js` },
          }),
        });
        const args = stage.answering([HARD_CODED, HONEST], "--holdout-from", stage.hidden, "--verbose");
        const ran = await stage.drive(args).ended();

        expect(stage.shown().map(({ result }) => result)).toEqual(["fails", "stands"]);
        expect(stage.saying(SECRET, stage.root)).toEqual([]);
        expect(stage.saying(SECRET, stage.told)).toEqual([]);
        expect(stage.saying(stage.hidden, stage.root)).toEqual([]);
        expect(stage.saying(stage.hidden, stage.told)).toEqual([]);
        const shown = [
          ran,
          ...[["status"], ["status", "--json"], ["log"], ["criteria", "show"]].map((words) =>
            stage.loop(...words),
          ),
        ];
        for (const { out, err } of shown) expect(out + err).not.toContain(SECRET);
        expect(stage.saying(SECRET, stage.kept())).not.toEqual([]);
      },
    );

    variant("only the copy counts, which nobody else may read; a person finds there what it printed", () => {
      const stage = new HoldoutStage();
      stage.start("s1", "Fix total()", "-c", "tests pass=node --test", "--holdout-from", stage.hidden);
      rmSync(stage.hidden, { recursive: true });
      stage.write({ "total.js": HARD_CODED });
      stage.loop("done");
      stage.stop("s1");

      expect(stage.shown()).toEqual([FAILS]);
      expect(statSync(stage.kept()).mode & 0o777).toBe(0o700);
      const printed = readFileSync(join(stage.kept(), "last-run-1.txt"), "utf8");
      expect(printed).toMatch(/^holdout: tests pass: fails\nIt failed with exit code 1\.\n/);
      expect(printed).toContain(`${SECRET} was said`);
    });

    test.runIf(isFullEffort)(
      "one that cannot be run, or that no check looks at, makes a completion weak",
      () => {
        const stage = new HoldoutStage();
        stage.holdOut({
          "holdout.json": JSON.stringify({ checks: { "other sums": `${SECRET}-tool --all` } }),
        });
        stage.play([HONEST], "--holdout-from", stage.hidden);
        expect(stage.only()).toMatchObject({ phase: "completed", confidence: "weak" });
        expect(stage.shown()).toEqual([{ ...STANDS, result: "open", detail: "other sums" }]);
        expect(stage.saying("its command cannot run here", stage.root)).not.toEqual([]);
        expect(stage.saying(SECRET, stage.root)).toEqual([]);

        const other = new HoldoutStage();
        rmSync(other.hidden, { recursive: true });
        other.holdOut({ [`elsewhere/${SECRET}.js`]: HIDDEN });
        other.play([HONEST], "--holdout-from", other.hidden);
        expect(other.only()).toMatchObject({ phase: "completed", confidence: "weak" });
        expect(other.saying("no check looks at its files", other.root)).not.toEqual([]);
      },
    );

    test("files that no check looks at show nothing, also where no report counts tests", () => {
      const stage = new HoldoutStage();
      stage.write({ "look.sh": "grep -q reduce total.js\n" });
      const options = ["--command", `cp '${stage.answer(HONEST)}' total.js`, "--holdout-from", stage.hidden];
      stage.loop("run", "Fix total() in total.js", "-c", "it adds=sh look.sh", "--shape", "tool", ...options);

      expect(stage.only()).toMatchObject({ phase: "completed", confidence: "weak" });
      expect(stage.saying("no check looks at its files", stage.root)).not.toEqual([]);
    });

    test("a plan is weak if none of its checks looks at them, and says so", () => {
      const plan = new PlanStage(planOf(["T-001", "sh look.sh"]), { "look.sh": "grep -q reduce total.js\n" });
      const stage = new HoldoutStage();
      plan.work({ "T-001": [writes("total.js", HONEST)] }, "--no-model", "--holdout-from", stage.hidden);

      const [completed] = plan.eventsOf("loop.completed");
      expect(completed).toMatchObject({ confidence: "weak" });
      expect(completed?.why).toContainEqual(expect.stringContaining("no check looks at its files"));
    });

    test.runIf(isFullEffort)("a kill in the middle of one leaves no trace in the project", async () => {
      const stage = new HoldoutStage();
      const line = `touch ${SECRET}; ${stage.meet("holdout")}`;
      stage.holdOut({ "holdout.json": JSON.stringify({ checks: { slow: line } }) });
      const driving = stage.drive(stage.answering([HONEST], "--holdout-from", stage.hidden));
      await stage.met("holdout");
      const sources = (): readonly string[] => [
        ...fingerprintOf(join(stage.root, "test")),
        ...fingerprintOf(join(stage.root, "total.js")),
      ];
      const before = sources();
      driving.child.kill("SIGKILL");
      await driving.ended();
      await until(() => tracesOf(stage.root).length === 0, "nothing runs there any more");

      expect(sources()).toEqual(before);
      expect(stage.saying(SECRET, stage.root)).toEqual([]);
      expect(existsSync(join(stage.root, SECRET))).toBe(false);
      stage.letGo("holdout");
      expect(stage.loop("continue").code).toBe(0);
      expect(stage.shown().map(({ result }) => result)).toEqual(["stands"]);
    });

    variant("they need no opening to compare with", () => {
      const stage = new HoldoutStage();
      stage.start("s1", "Fix total()", "-c", "tests pass=node --test", "--holdout-from", stage.hidden);
      rmSync(join(stage.kept(), "../openings"), { recursive: true });
      stage.write({ "total.js": HARD_CODED });
      stage.loop("done");

      expect(heldReason(stage.stop("s1"))).toContain(NAME);
    });

    test.runIf(isFullEffort)("a frame inside the loop is not held to them", () => {
      const stage = new HoldoutStage();
      const check = ["-c", "tests pass=node --test"];
      stage.start("s1", "Fix total()", ...check, "--holdout-from", stage.hidden);
      stage.start("s1", "Make the test pass", ...check, "--nested");
      stage.write({ "total.js": HARD_CODED });
      stage.loop("done");
      heldReason(stage.stop("s1"));
      expect(stage.shown()).toEqual([]);
      stage.loop("done");
      heldReason(stage.stop("s1"));
      expect(stage.shown()).toEqual([FAILS]);
    });
  },
);
