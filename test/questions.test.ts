import { existsSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { CLI, DONE, Stage } from "./support/driven.ts";
import { missingPty, onTerminal, type OnTerminal } from "./support/pty.ts";
import { variant } from "./support/variant.ts";

const SCRIPTS = { "package.json": JSON.stringify({ scripts: { test: "node --test", lint: "true" } }) };

function inTerminal(stage: Stage, ...args: readonly string[]): OnTerminal {
  return onTerminal([process.execPath, CLI, ...args], {
    cwd: stage.root,
    env: { ...stage.env, TERM: "dumb", NO_COLOR: "1" },
  });
}

function shown(terminal: OnTerminal): string {
  return stripVTControlCharacters(terminal.text()).replaceAll("\r", "");
}

describe.skipIf(missingPty() !== null)("what was answered is not lost", () => {
  test("Ctrl-C at a later question says the line that has the answers", async () => {
    const stage = new Stage();
    const terminal = inTerminal(stage, "run", "Make it better", "--script", stage.script([{ say: DONE }]));
    await terminal.until(/such as 1A, 2: your own words \[skip\] $/);
    terminal.type("1: it's faster\r");
    await terminal.until(/such as 1A.*such as 1A, 2: your own words \[skip\] $/s);
    terminal.type("\u0003");

    expect(await terminal.ended).toBe(130);
    expect(shown(terminal)).toMatch(
      /loop: To repeat it with your answers:\n {2}loop run 'Make it better\.\n\nOutcome: it'\\''s faster\.' --script \S+\n$/,
    );
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
  });

  test("a command that fails after its question says it, too", async () => {
    const stage = new Stage(SCRIPTS);
    const terminal = inTerminal(
      stage,
      "start",
      "Rename total to sum in src/cart.js",
      "-c",
      "docs=true",
      "-c",
      "test -f x",
      "--once",
      "missing",
    );
    await terminal.until(/Is "test -f x" a command to run.*\[c\/S\] $/);
    terminal.type("c\r");

    expect(await terminal.ended).toBe(1);
    expect(shown(terminal)).toMatch(
      /loop: To repeat it with your answers:\n {2}loop start 'Rename total to sum in src\/cart\.js' -c docs=true -c 'test -f x=test -f x' --once missing\n$/,
    );
  });

  test("a signal while the checks run does", async () => {
    const stage = new Stage({
      "package.json": JSON.stringify({ scripts: { test: "touch begun; sleep 60" } }),
    });
    const terminal = inTerminal(stage, "start", "Rename total to sum in src/cart.js");
    await terminal.until(/Which of these should decide\?.*\[1\] $/);
    terminal.type("\r");
    await terminal.until(/Checks before any work/);
    terminal.type("\u0003");

    expect(await terminal.ended).toBe(130);
    expect(shown(terminal)).toContain(
      "loop start 'Rename total to sum in src/cart.js' -c 'tests pass=npm run test'",
    );
  });

  variant("one that opened its loop says nothing of it", async () => {
    const stage = new Stage(SCRIPTS);
    const terminal = inTerminal(stage, "start", "Rename total to sum in src/cart.js");
    await terminal.until(/\[1\] $/);
    terminal.type("1 2\r");

    expect(await terminal.ended).toBe(0);
    expect(shown(terminal)).not.toContain("To repeat it");
    expect(stage.only().criteria).toMatchObject([
      { name: "tests pass", check: "npm run test" },
      { name: "lint clean", check: "npm run lint" },
    ]);
  });
});

describe.skipIf(missingPty() !== null)("a criterion without a check", () => {
  test.each([
    ["\r", "npm run test"],
    ["n\r", null],
  ])("is offered the check that was found, and %j gives it %j", async (keys, check) => {
    const stage = new Stage(SCRIPTS);
    const terminal = inTerminal(stage, "start", "Rename total to sum", "-c", "all tests are green");
    await terminal.until(/\? "all tests are green": `npm run test` found: use it\? \[Y\/n\] $/);
    terminal.type(keys);

    expect(await terminal.ended).toBe(0);
    expect(stage.only().criteria).toMatchObject([{ name: "all tests are green", check }]);
  });

  variant("that no check of the project is about is not", async () => {
    const stage = new Stage(SCRIPTS);
    const terminal = inTerminal(stage, "start", "Rename total to sum", "-c", "docs read well");
    await terminal.until(/\? Is "docs read well" a command to run.*\[c\/S\] $/);
    terminal.type("\r");

    expect(await terminal.ended).toBe(0);
    expect(stage.only().criteria).toMatchObject([{ name: "docs read well", check: null }]);
  });
});

describe.skipIf(missingPty() !== null)("an unclear answer", () => {
  variant("to numbers is asked for again", async () => {
    const stage = new Stage(SCRIPTS);
    const terminal = inTerminal(stage, "start", "Rename total to sum in src/cart.js");
    await terminal.until(/\[1\] $/);
    terminal.type("1 7\r");
    await terminal.until(/Please answer with numbers from 1 to 2, all or none\.\s+\? .*\[1\] $/);
    terminal.type("all\r");

    expect(await terminal.ended).toBe(0);
    expect(stage.only().criteria).toHaveLength(2);
  });

  test("is never a yes, nor is the end of the input", async () => {
    const stage = new Stage({ "loop.config.json": JSON.stringify({ checks: { ok: "true" } }) });
    const terminal = inTerminal(stage, "trust");
    await terminal.until(/\? Approve all of this\? \[y\/N\] $/);
    terminal.type("maybe\r");
    await terminal.until(/Please answer y \(yes\) or n \(no\)\.\s+\? Approve all of this\? \[y\/N\] $/);
    terminal.type("\u0004");

    expect(await terminal.ended).toBe(1);
    expect(shown(terminal)).toContain("Nothing was approved.");
  });

  test("a plan that wasn't approved tells a script so", async () => {
    const stage = new Stage({ "PLAN.md": "### T-001: Dig\nverify: true\n" });
    const terminal = inTerminal(stage, "plan", "PLAN.md", "--approve");
    await terminal.until(/\? Let these checks run here\? \[y\/N\] $/);
    terminal.type("n\r");

    expect(await terminal.ended).toBe(1);
    expect(shown(terminal)).toContain("Nothing was approved.");
  });
});
