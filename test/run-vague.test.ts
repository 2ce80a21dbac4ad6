import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHECK, DONE, FINISHES, Stage, saying } from "./support/driven.ts";
import type { Ran } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";
import { oneOf } from "./support/effort.ts";

/** The exit code of a run that is finished without a criterion that shows it. */
const UNVERIFIED = 6;
const VAGUE = "Make it better";
/** A tool by its score, with one question left. */
const CLEAR = "Rename total to sum in src/cart.js, no new dependencies, until npm test passes";
const CLAIMS = [{ say: DONE }];

function questionsOf({ err }: Ran): readonly string[] {
  return err.split("\n").filter((line) => line.startsWith("  ? "));
}

describe("the name of a file", () => {
  test.each([
    [
      "PLAN.md",
      "PLAN.md is a file. If it is a plan, work on its tasks with: --plan PLAN.md; if it has the spec, read it with: -f PLAN.md",
    ],
    [
      "nope.md",
      "nope.md does not exist; name a plan with --plan or the file of a spec with -f, or say in words what you want.",
    ],
  ])("is nobody's spec: %s", (word, sentence) => {
    const stage = new Stage({ "PLAN.md": "### T-001: Dig\n" });
    for (const more of [[], ["--workflow"]]) {
      const ran = stage.loop("run", word, "-c", CHECK, ...more, "--script", stage.script(CLAIMS));
      expect(ran).toMatchObject({ code: 1, out: "", err: `loop: ${sentence}\n` });
    }
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
  });
});

describe("a vague spec, nobody there, and no check", () => {
  test.each(["intent", "blocked"])("the shape %s is no way around the questions", (shape) => {
    const stage = new Stage();
    const ran = stage.loop("run", VAGUE, "--shape", shape, "--script", stage.script(CLAIMS));

    expect(ran).toMatchObject({ code: 5, out: "" });
    expect(ran.err).toMatch(/^loop: The spec is too vague to run \(0\/10\)\./);
    expect(questionsOf(ran)).toHaveLength(5);
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
  });

  test("scripts read the questions from a line of JSON", () => {
    const stage = new Stage();
    const ran = stage.loop("run", VAGUE, "--json", "--script", stage.script(CLAIMS));

    expect(ran.code).toBe(5);
    const { type, total, questions } = JSON.parse(ran.out) as { [name: string]: unknown };
    expect([type, total]).toEqual(["too-vague", 0]);
    expect((questions as string[]).map((each) => `  ? ${each}`)).toEqual(questionsOf(ran));
  });

  test("the tests that the project has are named, as an option to copy", () => {
    const stage = new Stage({ "package.json": JSON.stringify({ scripts: { test: "node --test" } }) });
    const ran = stage.loop("run", VAGUE, "--script", stage.script(CLAIMS));

    expect(ran.code).toBe(5);
    expect(ran.err).toMatch(
      /\nThis project has `npm run test`; add it with: -c 'tests pass=npm run test'\n$/,
    );
  });

  variant("nor is that shape in the project's config", () => {
    const stage = new Stage({ "loop.config.json": JSON.stringify({ shape: "intent" }) });
    expect(stage.loop("trust", "--yes").code).toBe(0);
    const args = ["run", VAGUE, "--script", stage.script(CLAIMS)];

    expect(stage.loop(...args).code).toBe(5);
    expect(stage.loopWith({ env: { LOOP_SHAPE: "tool" } }, ...args).code).toBe(UNVERIFIED);
  });

  test.each(oneOf(["tool", "tool-review", "colleague"]))("the shape %s is one", (shape) => {
    const stage = new Stage();

    expect(stage.loop("run", VAGUE, "--shape", shape, "--script", stage.script(CLAIMS)).code).toBe(
      UNVERIFIED,
    );
    expect(stage.only()).toMatchObject({ shape: "tool" });
  });
});

describe("the shape intent", () => {
  test("asks about a clear spec, too, where a dimension is weak", () => {
    const stage = new Stage();
    const ran = stage.loop("run", CLEAR, "--shape", "intent", "--script", stage.script(CLAIMS));

    expect(ran.code).toBe(5);
    expect(ran.err).toMatch(/^loop: The shape intent asks first; to run without questions, /);
    expect(questionsOf(ran)).toEqual(['  ? Besides "npm test", what else shows that it works?']);
    expect(stage.loop("run", CLEAR, "--script", stage.script(CLAIMS)).code).toBe(UNVERIFIED);
  });

  test("runs with a check, which says what done means", () => {
    const stage = new Stage();

    expect(stage.run([FINISHES], "--shape", "intent").code).toBe(0);
    expect(stage.only()).toMatchObject({ shape: "tool" });
  });
});

describe("a loop that was opened vague", () => {
  variant("is not driven without a check, and says how it comes to one", () => {
    const stage = new Stage();
    const { id } = stage.start(null, VAGUE);
    const ran = stage.loop("run", "--script", stage.script([FINISHES]));

    expect(ran).toMatchObject({ code: 5, out: "" });
    expect(ran.err).toContain(
      `loop: The loop ${id} was opened with a spec that is too vague to run (0/10) and cannot change; add a check with `,
    );
    expect(questionsOf(ran)).toHaveLength(5);
    expect(stage.eventsOf("run.began")).toEqual([]);

    expect(stage.loop("criteria", "add", "done", "--check", "test -f done.txt").code).toBe(0);
    expect(stage.loop("run", "--script", stage.script([FINISHES])).code).toBe(0);
  });

  test("stays paused where it is not driven", () => {
    const stage = new Stage();
    stage.start(null, VAGUE);
    stage.loop("pause");

    expect(stage.loop("run", "--script", stage.script([FINISHES])).code).toBe(5);
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "user" });
  });

  test.each(
    oneOf([
      ["with a check", ["-c", CHECK], 0],
      ["with a shape that does not ask first", ["--shape", "tool"], UNVERIFIED],
    ]),
  )("is driven %s", (_, flags, code) => {
    const stage = new Stage();
    stage.start(null, VAGUE, ...flags);

    expect(stage.loop("run", "--script", stage.script([FINISHES])).code).toBe(code);
  });

  variant("is gone on with when it has been driven before", () => {
    const stage = new Stage();
    stage.start(null, VAGUE, "-c", CHECK);
    const asks = saying("Stuck.", "BLOCKED: needs a word");
    const script = stage.script([{ say: asks }, { say: DONE }]);
    expect(stage.loop("run", "--script", script).code).toBe(4);
    expect(stage.loop("criteria", "remove", "done").code).toBe(0);

    expect(stage.loop("run", "--script", script).code).toBe(UNVERIFIED);
  });
});
