import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, DONE, Driving, FINISHES, Stage } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import type { Ran } from "./support/sandbox.ts";
import { Sandbox, toldOf } from "./support/sandbox.ts";
import { processesWith } from "./support/sleepers.ts";
import { variant } from "./support/variant.ts";

const TESTS = `import test from "node:test";
import assert from "node:assert";
test("adds", () => assert.equal(1 + 1, 3));
test("stands", () => undefined);
`;

/** A project with a failing test, which discovery knows. */
function withTests(files: { readonly [path: string]: string } = {}): Stage {
  return new Stage({
    "package.json": JSON.stringify({ scripts: { test: "node --test --test-reporter=spec" } }),
    "test/add.test.mjs": TESTS,
    ...files,
  });
}

const CLEAR = "Rename total to sum in src/cart.js, no new dependencies, until npm test passes";

/** A check that leaves a mark each time, outside the project, and fails. */
function counted(stage: Stage, name: string, after = "false"): string {
  return `${name}=echo x >> ${stage.mark(name)}; ${after}`;
}

function times(stage: Stage, name: string): number {
  const path = stage.mark(name);
  return existsSync(path) ? spawnSync("cat", [path], { encoding: "utf8" }).stdout.split("x").length - 1 : 0;
}

function wasOpened(stage: Stage): boolean {
  return existsSync(join(stage.root, ".loop"));
}

describe("the preflight of a loop from a terminal", () => {
  test("tells each check in a line beside what is printed, with its tests", () => {
    const stage = withTests();
    const args = ["start", "Fix it", "-c", "tests=npm test", "-c", "lint=true"];
    const ran = stage.loop(...args);

    expect(ran.err.split("\n")).toEqual(
      expect.arrayContaining([
        "  ✗ tests  failed with exit code 1 · 2 tests",
        "  ✓ lint   already passes",
        'loop: "lint" already passes before any work, so it cannot show that the work is done unless the work changes what it tests.',
      ]),
    );
    expect(stage.only().criteria).toMatchObject([
      { name: "tests", status: "unmet", alreadyTrue: false },
      { name: "lint", alreadyTrue: true },
    ]);
    expect(stage.events().slice(0, 3)).toMatchObject([
      { type: "loop.opened" },
      { type: "check.ran", name: "tests", atStart: true },
      { type: "check.ran", name: "lint", atStart: true },
    ]);
    const inJson = stage.loop(...args, "--json");
    expect(inJson.err).toMatch(/^loop: "lint" already passes before any work, .*\n$/);
    expect(JSON.parse(inJson.out)).toMatchObject({
      criteria: [{ alreadyTrue: false }, { alreadyTrue: true }],
    });
  });

  test("says that make runs nothing for a target that is there as a folder", () => {
    const stage = new Stage({ Makefile: "test:\n\tfalse\n", "test/add.txt": "1 + 1 is 3\n" });
    const { err } = stage.loop("start", "Fix it", "-c", "tests=make test");

    expect(err).toContain("  ✓ tests  passes, and runs nothing\n");
    expect(err).toContain(
      "loop: \"tests\" runs nothing (make: 'test' is up to date.): a file or folder called test is there. If that isn't what make should build, add this line to the Makefile: .PHONY: test\n",
    );
    expect(err).not.toContain("already passes");
  });

  test("says what it means where another tool finds nothing to do", () => {
    const stage = new Stage();
    const { err } = stage.loop("start", "Fix it", "-c", "builds=echo 'ninja: no work to do.'");
    expect(err).toContain(
      'loop: "builds" runs nothing (ninja: no work to do.), so it cannot show that the work is done.\n',
    );
  });

  test("says when no check fails yet", () => {
    const stage = new Stage();
    expect(stage.loop("start", "Fix it", "-c", "one=true").err).toContain("loop: No check fails yet. ");
    expect(stage.loop("start", "Fix it", "-c", "one=true", "-c", "two=false").err).not.toContain(
      "No check fails",
    );
  });

  variant("runs each check once, and a run does not repeat it", () => {
    const stage = new Stage();
    const copies = ["one", "two"].map((name) => ({
      run: `cp ${stage.mark(name)} ${stage.mark(`${name}.seen`)}`,
    }));
    const checks = ["one", "two"].flatMap((name) => ["-c", counted(stage, name, "test -f done.txt")]);
    stage.loop("run", "Write done.txt", ...checks, "--script", stage.script([{ do: copies, say: "No." }]));

    expect(["one.seen", "two.seen"].map((name) => times(stage, name))).toEqual([1, 1]);
    expect(stage.eventsOf("check.ran").filter(({ atStart }) => atStart)).toHaveLength(2);
    expect(stage.prompt("1-1")).toContain("failed with exit code 1");
  });

  test("tells of a check that changes the project's files", () => {
    const stage = new Stage();
    const ran = stage.loop("start", "Fix it", "-c", "build=echo x >> built.txt", "-c", "quiet=false");
    expect(ran.err).toContain(
      `loop: "build" changes the project's files when it runs (built.txt); make git ignore what it writes.\n`,
    );
    expect(ran.err).not.toContain('"quiet" changes');
    expect(stage.read("built.txt")).toBe("x\n");
  });
});

test("a check that is cut off may need longer, which is said before anything is paid", () => {
  const sandbox = new Sandbox({ "notes.txt": "" });
  const ran = sandbox.loop(
    "start",
    "Fix it",
    "-c",
    "slow=sleep 30",
    "--check-timeout",
    "1s",
    "-c",
    "red=false",
  );
  expect(ran.err).toContain(
    'loop: "slow" did not finish within 1 s, and can only pass in less. If it needs longer, say so: --check-timeout TIME\n',
  );
  expect(ran.err).not.toContain('"red" ');
});

test("no word about git where there is none", () => {
  const sandbox = new Sandbox({ "notes.txt": "" });
  const ran = sandbox.loop("start", "Fix it", "-c", "build=echo x >> notes.txt");
  expect(ran.err).toContain(
    `loop: "build" changes the project's files when it runs (notes.txt); make it write outside the project, or its pass may be weak.\n`,
  );
  const checked = sandbox.loop("check");
  expect(checked.out).toContain("! build changes the project's files each time it runs; ");
  expect(ran.err + checked.out).not.toContain("git");
});

describe("a check that cannot run", () => {
  test.each([
    ["a missing program", "nosuchprogram --all", "nosuchprogram: not found"],
    ["a missing script", "npm run tset", 'Missing script: "tset"'],
    ["a missing file", "node check.js", "Cannot find module"],
    ["a missing file of tests", "node --test test/nope.test.js", "there is no test/nope.test.js"],
    ["a missing target", "make tset", "No rule to make target"],
    ["no right to run it", "./README.md", "exit code 126"],
  ])("stops the start and says what to do: %s", (_, command, seen) => {
    const stage = withTests({ "README.md": "A project\n", Makefile: "all:\n\ttrue\n" });
    for (const opening of [["start"], ["run", "--script", stage.script([FINISHES])]]) {
      const [word = "", ...flags] = opening;
      const ran = stage.loop(word, CLEAR, "-c", `mine=${command}`, "-c", "other=true", ...flags);
      expect(ran).toMatchObject({ code: 1, out: "" });
      const said = ran.err.trimEnd().split("\n").at(-1) ?? "";
      expect(said).toContain('loop: The check "mine" cannot run: ');
      expect(said).toContain(seen);
      expect(said).not.toContain(".;");
      expect(said).toContain(
        'add --not-yet "mine" if the work will create what it calls. Nothing was started.',
      );
      expect(wasOpened(stage)).toBe(false);
    }
  });

  variant.each(["npm run --silent tset", "npm -s run tset", "npm test --silent -- x"])(
    "is noticed although npm says nothing: %s",
    (command) => {
      const stage = withTests({ "package.json": JSON.stringify({ scripts: { other: "true" } }) });
      const { code, err } = stage.loop("start", CLEAR, "-c", `mine=${command}`);
      expect(code).toBe(1);
      expect(err).toMatch(/"mine" cannot run: package\.json has no script "(tset|test)"; fix the command/);
    },
  );

  test("does not stop it when its tests are what the spec asks for", () => {
    const stage = new Stage();
    const check = "mine=node --test test/nope.test.js";
    const ran = stage.loop("start", `${CLEAR}, with tests in nope.test.js`, "-c", check);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.err).toContain("there is no test/nope.test.js");
    expect(wasOpened(stage)).toBe(true);
  });

  variant("does not stop it when it is to come", () => {
    const stage = new Stage();
    const ran = stage.loop(
      "run",
      "Write done.txt",
      "-c",
      "mine=./done.sh",
      "--not-yet",
      "mine",
      "--script",
      stage.script([{ do: [{ write: "done.sh", text: "true\n" }, { run: "chmod +x done.sh" }], say: DONE }]),
    );
    expect(ran.err).toMatch(/○ mine {2}cannot run: .*not found/);
    expect(stage.only()).toMatchObject({ phase: "completed" });
    expect(stage.eventsOf("loop.opened")[0]?.goal.criteria[0]?.check).toMatchObject({ use: "not-yet" });
  });

  variant("is told apart from tests that fail, whatever they print", () => {
    const stage = withTests({
      "test/add.test.mjs": `import test from "node:test";\ntest("a", () => { console.log("sh: 1: a: not found"); throw new Error("x"); });\n`,
    });
    expect(stage.loop("start", CLEAR, "-c", "tests=npm test").code).toBe(0);
  });
});

describe("a check with effects", () => {
  variant("is not run before the end, and not asked for by a run's first look", () => {
    const stage = new Stage();
    const ran = stage.loop(
      "run",
      "Write done.txt",
      "-c",
      counted(stage, "deploy", "true"),
      "--once",
      "deploy",
      "-c",
      "done=test -f done.txt",
      "--script",
      stage.script([
        { do: [{ run: `cp ${stage.mark("deploy")} seen.txt || true` }], say: "Not yet." },
        FINISHES,
      ]),
    );
    expect(ran.err).toContain("○ deploy  has side effects, so it runs once at the end");
    expect(existsSync(join(stage.root, "seen.txt"))).toBe(false);
    expect(times(stage, "deploy")).toBe(1);
  });
});

describe("a loop that an agent opens for its session", () => {
  const SLOW = "slow=sleep 2; false";

  variant("is opened at once, and its checks are looked at behind it", async () => {
    const stage = new Stage();
    const ran = stage.agentLoop("s1", "start", "Fix it", "-c", SLOW, "--json");
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ criteria: [{ evidence: null }] });

    await until(() => stage.eventsOf("check.ran").length > 0, "the preflight was recorded");
    expect(stage.eventsOf("check.ran")).toMatchObject([{ name: "slow", atStart: true }]);
  });

  variant("is not shown to be done by a red that the agent's own surroundings made", async () => {
    const stage = new Stage();
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s1", FAKED: "1" };
    stage.loopWith({ env }, "start", "Fix it", "-c", 'ok=test -z "$FAKED"');
    await until(() => stage.eventsOf("check.ran").length > 0, "the preflight was recorded");
    expect(stage.eventsOf("check.ran")).toMatchObject([{ evidence: { passed: false }, atStart: true }]);
    stage.write({ "README.md": "changed\n" });
    stage.agentLoop("s1", "done");
    expect(toldOf(stage.stop("s1"))).toContain("(weak: the checks pass without the work, too)");
  });

  variant("has no such evidence where the files changed meanwhile", async () => {
    const stage = new Stage();
    stage.agentLoop("s1", "start", "Fix it", "-c", `met=${stage.meet("check")}; false`);
    await stage.met("check");
    stage.write({ "README.md": "changed\n" });
    const looks = processesWith(`preflight\0--loop\0${stage.id}`);
    expect(looks).not.toEqual([]);
    stage.letGo("check");
    await until(() => processesWith(`preflight\0--loop\0${stage.id}`).length === 0, "the preflight ended");
    expect(stage.eventsOf("check.ran")).toEqual([]);
  });

  test("has it for a loop inside it, too", async () => {
    const stage = new Stage();
    stage.agentLoop("s1", "start", "Fix it");
    stage.write({ "README.md": "changed\n" });
    stage.agentLoop("s1", "start", "Look", "--nested", "-c", "inner=false");
    await until(() => stage.eventsOf("check.ran").length > 0, "the preflight was recorded");
    expect(stage.eventsOf("check.ran")).toMatchObject([{ name: "inner", atStart: true }]);
  });

  test("is paused when a check cannot run", async () => {
    const stage = new Stage();
    stage.agentLoop("s1", "start", "Fix it", "-c", "mine=nosuchprogram");
    await until(() => stage.only().phase === "paused", "it was paused");
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "blocked" });
    expect(stage.eventsOf("loop.paused")[0]?.detail).toContain('The check "mine" cannot run: ');
  });

  test("takes the ticket of its opening, and no other", () => {
    const stage = new Stage();
    const { id } = stage.start(null, "Fix it", "-c", "mine=false");
    for (const ticket of ["0".repeat(32), "../../x"]) {
      const ran = stage.loop("preflight", "--loop", id, ticket);
      expect(ran).toMatchObject({ code: 1 });
      expect(ran.err).toContain("No preflight is pending");
    }
  });
});

describe("a criterion that is added later", () => {
  test("is looked at at once, and its opening knows the result", () => {
    const stage = new Stage();
    stage.start(null, "Fix it", "-c", "first=false");
    const ran = stage.loop("criteria", "add", "second", "--check", "echo x; exit 3");

    expect(ran).toMatchObject({ code: 0 });
    expect(ran.err).toContain("✗ second  failed with exit code 3");
    expect(stage.eventsOf("check.ran").filter(({ name }) => name === "second")).toMatchObject([
      { atStart: true, evidence: { passed: false, exitCode: 3 } },
    ]);
  });

  test("is added although its check cannot run, which is said", () => {
    const stage = new Stage();
    stage.start(null, "Fix it", "-c", "first=false");
    const ran = stage.loop("criteria", "add", "second=nosuchprogram");

    expect(ran).toMatchObject({ code: 0 });
    expect(ran.err).toContain("cannot run: ");
  });

  test("is not looked at if it cannot be added", () => {
    const stage = new Stage();
    stage.start(null, "Fix it", "-c", "first=false");
    const check = `touch ${stage.mark("looked")}`;

    expect(stage.loop("criteria", "add", "first", "--check", check).code).toBe(1);
    expect(existsSync(stage.mark("looked"))).toBe(false);
  });

  variant("is looked at behind an agent that adds it, and nothing else is", async () => {
    const stage = new Stage();
    stage.start("s1", "Fix it", "-c", "first=false");
    const before = stage.eventsOf("check.ran").length;
    expect(stage.agentLoop("s1", "criteria", "add", "second=sleep 1; false").code).toBe(0);

    await until(() => stage.eventsOf("check.ran").length > before, "it was looked at");
    expect(stage.eventsOf("check.ran").slice(before)).toMatchObject([{ name: "second", atStart: true }]);
  });
});

describe("what loosens a loop at its opening", () => {
  const LOOSE = ["-c", "deploy=true", "--once", "deploy"];

  test.each([
    ["--once", ["-c", "deploy=true", "--once", "deploy"]],
    ["--not-yet", ["-c", "deploy=true", "--not-yet", "deploy"]],
    ["--may-change", ["--may-change", "test/**"]],
    ["--proof", ["--proof", "off"]],
  ])("is a person's: %s", (flag, args) => {
    const stage = new Stage();
    const refused = stage.agentLoop("s1", "start", "Fix it", ...args);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(
      new RegExp(
        `^loop: \`loop start ${flag}=.*\` may only be run by the user, .*typed in this session as /loop:start`,
      ),
    );
    expect(wasOpened(stage)).toBe(false);
    expect(stage.agentLoop("s1", "run", "Fix it", ...args).err).toContain("may only be run by the user");
    expect(stage.loop("start", "Fix it", ...args).code).toBe(0);
  });

  test("may be asked for by an agent when its user typed it, once and as typed", () => {
    const stage = new Stage();
    const type = (prompt: string, id: string): string =>
      stage.event("user-prompt-submit", "s1", { prompt, prompt_id: id });
    type("/loop:start Deploy it --proof off", "p1");
    expect(stage.agentLoop("s1", "start", "Deploy it", ...LOOSE).code).toBe(1);
    type('/loop:start Deploy it --once "deploy" --may-change=test/**', "p2");
    expect(stage.agentLoop("s1", "start", "Deploy it", ...LOOSE).code).toBe(0);
    expect(stage.agentLoop("s1", "start", "Again", "--nested", ...LOOSE).code).toBe(1);
    expect(stage.eventsOf("loosening.refused")).toMatchObject([{ what: "loop start --once=deploy" }]);
  });

  test("strict proofs loosen nothing, and what the config asks for is not undercut", () => {
    const stage = new Stage({
      "loop.config.json": JSON.stringify({ proof: "strict", mayChange: ["docs/**"] }),
    });
    expect(stage.loop("trust", "--yes").out).toContain("proof: strict");
    expect(stage.agentLoop("s1", "start", "Fix it", "--proof", "standard").err).toContain(
      "may only be run by the user",
    );
    expect(stage.agentLoop("s1", "start", "Fix it", "--proof", "strict").code).toBe(0);
    expect(stage.eventsOf("loop.opened")[0]).toMatchObject({ proof: "strict", mayChange: ["docs/**"] });
  });

  test("reaches the opening", () => {
    const stage = new Stage();
    stage.start(
      null,
      "Fix it",
      "-c",
      "a=false",
      "--may-change",
      "test/**",
      "--may-change",
      "x.js",
      "--proof",
      "off",
    );
    expect(stage.eventsOf("loop.opened")[0]).toMatchObject({ proof: "off", mayChange: ["test/**", "x.js"] });
  });

  test.each([
    ["--once", ["--once", "nope"], '--once "nope" names no criterion with a check; there is "a".'],
    ["--not-yet", ["--not-yet", "said"], '--not-yet "said" names no criterion with a check; there is "a".'],
    ["both", ["--once", "a", "--not-yet", "a"], "has both --not-yet and --once"],
    ["a mode", ["--proof", "weak"], "Allowed choices are standard, strict, off"],
    ["a glob", ["--may-change", "../x"], "relative to the project's root"],
  ])("is refused when it makes no sense: %s", (_, args, said) => {
    const stage = new Stage();
    const ran = stage.loop("start", "Fix it", "-c", "a=false", "-c", "said", ...args);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(said);
    expect(wasOpened(stage)).toBe(false);
  });

  test("applies to the whole loop, but for the use of a check", () => {
    const stage = new Stage();
    stage.start("s1", "Fix it");
    const nest = (...args: readonly string[]): Ran =>
      stage.loop("start", "Look", "--nested", "--session", "s1", ...args);
    expect(nest("--proof", "off").err).toContain("--proof applies to the whole loop");
    expect(nest("--may-change", "x").err).toContain("--may-change applies to the whole loop");
    expect(nest("-c", "later=nosuchprogram", "--not-yet", "later").code).toBe(0);
  });

  test("may stand in a trusted config", () => {
    const checks = {
      deploy: { run: "touch deployed", use: "once" },
      later: { run: "nosuch", use: "not-yet" },
    };
    const stage = new Stage({ "loop.config.json": JSON.stringify({ checks, proof: "off" }) });
    const shown = stage.loop("trust", "--yes").out;
    expect(shown).toContain("once, at the very end");
    expect(shown).toContain("may be missing at first");
    expect(stage.agentLoop("s1", "start", "Fix it").code).toBe(0);
    const [opened] = stage.eventsOf("loop.opened");
    expect(opened?.goal.criteria.map(({ check }) => check?.use)).toEqual(["once", "not-yet"]);
    expect(opened?.proof).toBe("off");
    expect(existsSync(join(stage.root, "deployed"))).toBe(false);
  });
});

describe("-c without a name", () => {
  test("is a check when the project has it", () => {
    const stage = withTests();
    const { criteria } = stage.start(null, "Fix it", "-c", "npm test");
    expect(criteria).toMatchObject([{ name: "tests pass", check: "npm test", status: "unmet" }]);
  });

  variant("is a command with its variables", () => {
    const stage = withTests();
    const { criteria } = stage.start(null, "Fix it", "-c", "FOO=1 npm test", "-c", "OK=true");
    expect(criteria).toMatchObject([
      { name: "FOO=1 npm test", check: "FOO=1 npm test" },
      { name: "OK", check: "true" },
    ]);
  });

  test("is a command when it is a program, or the tool of a check of the project, which is said", () => {
    const stage = new Stage({
      ".venv/bin/python": "#!/bin/sh\nexit 1\n",
      ".venv/bin/pytest": "",
      "pyproject.toml": "[tool.pytest.ini_options]\n",
    });
    chmodSync(join(stage.root, ".venv/bin/python"), 0o755);
    const ran = stage.loop("start", "Fix it", "-c", "false", "-c", "pytest", "-c", "readable");
    expect(ran.err).toContain('loop: "false" is taken as a command: false\n');
    expect(ran.err).toContain('loop: "pytest" is taken as a command: .venv/bin/python -m pytest\n');
    expect(stage.only().criteria).toMatchObject([
      { name: "false", check: "false" },
      { name: "pytest", check: ".venv/bin/python -m pytest" },
      { name: "readable", check: null },
    ]);
  });

  test("is otherwise a statement, and nobody being there that is said", () => {
    const stage = new Stage();
    const ran = stage.loop("start", "Fix it", "-c", "npm test", "-c", "docs read well");
    expect(ran.err).toBe(
      `loop: No check for "npm test", "docs read well", so somebody has to attest each; if one is a command, give it a name: -c 'NAME=npm test'\n`,
    );
  });
});

describe("no criterion at all", () => {
  test("the project's own tests decide, which is said", () => {
    const stage = withTests();
    const ran = stage.loop(
      "run",
      CLEAR,
      "--script",
      stage.script([{ say: DONE }], true),
      "--iterations",
      "1",
    );
    expect(ran.err).toContain(
      `loop: No criterion given, so the project's own check decides: "tests pass" (npm run test)`,
    );
    expect(ran.code).toBe(3);
    expect(stage.only().criteria).toMatchObject([{ name: "tests pass", status: "unmet" }]);
  });

  test("they make no vague spec clear", () => {
    const stage = withTests();
    expect(stage.loop("run", "Make it better", "--script", stage.script([{ say: DONE }])).code).toBe(5);
    expect(wasOpened(stage)).toBe(false);
  });

  variant("they decide nothing where they cannot run", () => {
    const stage = withTests({ "package.json": JSON.stringify({ scripts: { test: "sh -c nosuchrunner" } }) });
    const ran = stage.loop("run", CLEAR, "--script", stage.script([{ say: DONE }]));
    expect(ran.err).toContain("loop: It cannot run here, so it is ignored.");
    expect(stage.only().criteria).toEqual([]);
  });

  variant("nor where they are not installed, which is said", () => {
    const stage = withTests({ "package.json": JSON.stringify({ scripts: { test: "nosuchrunner" } }) });
    const ran = stage.loop("run", CLEAR, "--script", stage.script([{ say: DONE }]));
    expect(ran.err).toContain("loop: Run npm install first: package.json script test needs nosuchrunner.");
    expect(stage.only().criteria).toEqual([]);
    expect(stage.loop("criteria", "discover").out).toBe(
      "This project could show more:\n  Run npm install first: package.json script test needs nosuchrunner.\n",
    );
  });

  variant("but who names them is told that they cannot run", () => {
    const stage = withTests({ "package.json": JSON.stringify({ scripts: { test: "nosuchrunner" } }) });
    const ran = stage.loop("run", CLEAR, "-c", "npm test", "--script", stage.script([{ say: DONE }]));
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/tests pass +cannot run: .*nosuchrunner.*not found/);
  });

  test("a session is only told what could be added", () => {
    const stage = withTests();
    const ran = stage.agentLoop("s1", "start", CLEAR);
    expect(ran.out).toContain("loop criteria add 'tests pass' --check 'npm run test'");
    expect(stage.only().criteria).toEqual([]);
  });
});

test("a command that hides its exit code is warned of once, with a better form", () => {
  const stage = new Stage();
  const hides = "true | tail -3";
  const warnings = ({ err }: Ran): number => err.split("may pass although it failed").length - 1;
  expect(warnings(stage.loop("start", "Fix it", "-c", `a=${hides}`))).toBe(1);
  expect(
    warnings(stage.loop("run", CLEAR, "-c", `a=${hides}`, "--script", stage.script([{ say: DONE }]))),
  ).toBe(1);
  const [id = ""] = readdirSync(join(stage.root, ".loop", "loops"));
  const added = stage.loop("criteria", "add", "b", "--check", hides, "--loop", id);
  expect(added.err).toContain("pipefail");
  expect(warnings(added)).toBe(1);
});

test("--not-yet is in the help of loop start", () => {
  expect(new Stage().loop("start", "--help").out).toContain("--not-yet <name>");
});

const hasScript = (spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "").includes(
  "util-linux",
);

describe.skipIf(!hasScript)("in a terminal (which takes `script` of util-linux)", () => {
  function inTerminal(stage: Stage, ...args: readonly string[]): Driving {
    const line = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(" ");
    const env = { ...stage.env, SHELL: "/bin/sh", TERM: "dumb" };
    return new Driving("script", ["-qefc", line, "/dev/null"], stage.root, env);
  }

  test("words are asked about", async () => {
    const stage = new Stage();
    const terminal = inTerminal(
      stage,
      "start",
      "Fix it",
      "-c",
      "test -f x",
      "-c",
      "docs read well",
      "-c",
      "false",
    );
    await terminal.printed('Is "test -f x" a command to run');
    terminal.type("c\r");
    await terminal.printed('Is "docs read well" a command to run');
    terminal.type("\r");
    await terminal.printed('Is "false" a command to run');
    terminal.type("\r");
    expect((await terminal.ended()).code).toBe(0);
    expect(stage.only().criteria).toMatchObject([
      { name: "test -f x", check: "test -f x" },
      { name: "docs read well", check: null },
      { name: "false", check: "false" },
    ]);
  });

  variant.each([
    ["y", ["tests pass"]],
    ["1 2", ["tests pass", "lint clean"]],
    ["n", []],
    ["", ["tests pass"]],
  ])("the project's checks are offered, and %j takes %j", async (answer, names) => {
    const scripts = { test: "node --test", lint: "true" };
    const stage = withTests({ "package.json": JSON.stringify({ scripts }) });
    const terminal = inTerminal(stage, "start", CLEAR);
    await terminal.printed("2  lint clean: npm run lint");
    await terminal.printed("Which of these should decide?");
    terminal.type(`${answer}\r`);
    expect((await terminal.ended()).code).toBe(0);
    expect(stage.only().criteria.map(({ name }) => name)).toEqual(names);
  });
});

test("a session that got another loop during the preflight keeps that one alone", async () => {
  const stage = new Stage();
  const began = join(stage.home, "began");
  const goOn = join(stage.home, "go-on");
  const waits = `touch '${began}'; until test -e '${goOn}'; do sleep 0.05; done; exit 1`;
  const run = stage.drive(["start", "Write done.txt", "--session", "s1", "-c", `done=${waits}`]);
  await until(() => existsSync(began), "the check began");
  const { id } = stage.start("s1", "Another one", "-c", "other=false");
  writeFileSync(goOn, "");
  const { code, err } = await run.ended();

  expect(err).toContain(`This session already has the loop ${id}`);
  expect(code).toBe(1);
  expect(stage.status()).toMatchObject([{ id }]);
});
