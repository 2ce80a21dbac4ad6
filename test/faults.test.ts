import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { changedLines } from "../src/verify/faults/changed-lines.ts";
import { chosenFaults, withFaults } from "../src/verify/faults/choose-faults.ts";
import { isFullEffort } from "./support/effort.ts";
import { FAULT_SAMPLES } from "./support/fault-samples.ts";
import { PlayedTask } from "./support/played-task.ts";
import { variant } from "./support/variant.ts";

const TEST = `import { test } from "node:test"; import assert from "node:assert"; import { slug } from "../src/slug.js";`;
const FIXED = {
  "src/total.js": "export const total = (items) => items.reduce((sum, item) => sum + item, 0);\n",
};

function written(source: string, assertion: string): string {
  return `cat > src/slug.js <<'END'\n${source}\nEND\ncat > test/slug.test.js <<'END'\n${TEST}\ntest("slug", () => ${assertion});\nEND`;
}

describe("a new module with its tests", () => {
  test("is weak if they look at nothing, and the lines are named; verified if they do", () => {
    const stub = new PlayedTask(FIXED);
    const empty = written(
      "export function slug(title) {\n  return title;\n}",
      'assert.equal(typeof slug, "function")',
    );
    stub.play(`${empty}\nsed s/slug/short/ src/slug.js > src/short.js; echo "// short" >> test/slug.test.js`);
    // Once for all of it, not once more for a module.
    expect(stub.ended()).toMatchObject({
      confidence: "weak",
      why: "no check notices a change of line 2 of src/short.js, line 2 of src/slug.js",
    });
    const unrun = new PlayedTask(FIXED);
    unrun.check = "tests pass=node --test test/total.test.js";
    unrun.play(written("export function slug(title) {\n  return title;\n}", 'assert.equal(slug("a"), "a")'));
    expect(unrun.ended().why).toBe(
      "no check notices a change of line 2 of src/slug.js; no check runs test/slug.test.js",
    );
    const honest = new PlayedTask(FIXED);
    const source = `export function slug(title) {\n  if (title === "") return "none";\n  return title.toLowerCase();\n}`;
    honest.play(written(source, 'assert.equal(slug("A"), "a")'));
    expect(honest.ended()).toMatchObject({ confidence: "verified", why: "" });
    expect(honest.shown()).toContainEqual("faults stands");
  });

  test.runIf(isFullEffort)("is verified where a fault never ends, and others are noticed", () => {
    const task = new PlayedTask(FIXED);
    const source = `export function slug(title) {
  let count = 1;
  for (let at = 0; at < title.length; at++) {
    if (title[at] !== "-") continue;
    count += 1;
    while (title[at + 1] === "-") at++;
  }
  return count;
}`;
    task.play(written(source, 'assert.equal(slug("a--b-c"), 3)'));
    expect(task.ended()).toMatchObject({ confidence: "verified", why: "" });
  });

  variant("is verified although a guard that is turned around makes it go on for ever", () => {
    const source = `export function slug(title, step) {\n  if (step < 1) throw new RangeError("step");\n  let count = 0;\n  for (let at = 0; at < title.length; at += step) count += 1;\n  return title.slice(0, count);\n}`;
    const assertion =
      '{ assert.throws(() => slug("a", 0), RangeError); assert.equal(slug("abcd", 2), "ab"); }';
    const task = new PlayedTask(FIXED);
    task.play(written(source, assertion), "--proof-budget", "20s");
    expect(task.ended()).toMatchObject({ confidence: "verified", why: "" });
  });

  test("is weak beside a fix that tests notice, if its own look at nothing", () => {
    const fix = "cat > src/total.js <<'END'\n" + FIXED["src/total.js"] + "END\n";
    const source =
      'export function slug(title) {\n  const short = title.slice(0, 3);\n  return short + "-" + title.length;\n}';
    const stub = new PlayedTask();
    stub.play(fix + written(source, 'assert.equal(typeof slug, "function")'));
    expect(stub.ended().why).toContain(
      "no check notices a change of line 2 of src/slug.js, line 3 of src/slug.js, although it is new and has tests",
    );
    expect(stub.ended().confidence).toBe("weak");
    const honest = new PlayedTask();
    honest.play(fix + written(source, 'assert.equal(slug("abcd"), "abc-4")'));
    expect(honest.ended()).toMatchObject({ confidence: "verified", why: "" });
  });
});

describe("an expectation in a test of the work's own", () => {
  const source = `export async function slug(title) {\n  if (title === "") throw new Error("empty");\n  return title.toLowerCase();\n}`;
  const played = (assertion: string): PlayedTask => {
    const task = new PlayedTask(FIXED);
    const sure = `test("sure", async () => assert.equal(await slug("B"), "b"));`;
    task.play(`${written(source, assertion)}\ncat >> test/slug.test.js <<'END'\n${sure}\nEND`);
    return task;
  };

  variant.each([
    ["nothing gets there", '{ slug("").then((text) => assert.equal(text, "a")).catch(() => {}); }'],
    ["what it throws is swallowed", '{ slug("A").then((text) => assert.equal(text, "a")).catch(() => {}); }'],
  ])("is weak if it may be wrong: %s", (_, assertion) => {
    const { confidence, why } = played(assertion).ended();
    expect(why).toContain("expected values in its tests that were changed in a clean room");
    expect(why).toContain("test/slug.test.js");
    expect(confidence).toBe("weak");
  });

  test("is fine if it is waited for, and if others come first in its test", () => {
    const assertion = `{ assert.equal(slug.length, 1); return slug("A").then((text) => {\n  assert.equal(text, "a");\n  assert.equal(text.length, 1);\n}); }`;
    expect(played(assertion).ended()).toMatchObject({ confidence: "verified", why: "" });
  });
});

variant.each(FAULT_SAMPLES.map((sample) => [sample.path, sample] as const))(
  "%s is still accepted with all its faults",
  (_, { path, command: [program, ...args], text }) => {
    const folder = mkdtempSync(join(tmpdir(), "loopwright-faults-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const accepts = (content: string): string => {
      writeFileSync(join(folder, path), content);
      // Where rustup keeps its compilers.
      const env = { ...process.env, HOME: userInfo().homedir };
      const { status, stdout, stderr } = spawnSync(program, [...args, path], {
        cwd: folder,
        env,
        encoding: "utf8",
      });
      return status === 0 ? "accepted" : `${stdout}${stderr}`;
    };
    const source = { path, text, lines: changedLines(text, null) };
    const faults = chosenFaults([source], 100);
    expect(faults.length).toBeGreaterThan(4);
    // Where a machine doesn't have it, neither is.
    expect(accepts(withFaults(source, faults))).toBe(accepts(text));
  },
);
