import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { saying } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { Sandbox, heldReason, toldOf } from "./support/sandbox.ts";
import { isFullEffort, someOf } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

const NODE_PROJECT = {
  "package.json": JSON.stringify({ scripts: { test: "node test.js", lint: "exit 0" } }),
  "add.js": "module.exports = (a, b) => a - b;\n",
  "test.js":
    "const add = require('./add.js'); if (add(1, 2) !== 3) { console.error('expected 3, got ' + add(1, 2)); process.exit(1); }\n",
};

const FIXED = { "add.js": "module.exports = (a, b) => a + b;\n" };

function nodeProject(): Sandbox {
  const sandbox = new Sandbox(NODE_PROJECT);
  sandbox.commitAll();
  return sandbox;
}

describe("a loop from a terminal", () => {
  test("is opened, checked and inspected from any folder of the project", () => {
    const sandbox = nodeProject();
    expect(sandbox.loop("start", "Fix add.js", "-c", "tests pass=node test.js").out).toMatch(
      /^\[LOOP\] Starting \| Shape: \w+ \(\d+\/10\) \| Steps: 0 \| Budget: \$25\n/,
    );
    const below = join(sandbox.root, "deep", "down");
    mkdirSync(below, { recursive: true });
    const failed = sandbox.loopWith({ cwd: below }, "check");
    expect(failed.code).toBe(1);
    expect(failed.out).toContain("expected 3, got -1");

    sandbox.write(FIXED);
    expect(sandbox.loopWith({ cwd: below }, "check").code).toBe(0);
    const [criterion] = sandbox.only().criteria;
    expect(criterion).toMatchObject({
      name: "tests pass",
      status: "met",
      check: "node test.js",
      evidence: { exitCode: 0, current: true },
    });

    sandbox.write({ "add.js": "module.exports = () => 3;\n" });
    expect(sandbox.only().criteria[0]).toMatchObject({ status: "unverified", evidence: { current: false } });
    expect(sandbox.loop("status").out).toContain("on another tree");
  });

  test("is paused, continued and cancelled, and says what is done and what remains", () => {
    const sandbox = nodeProject();
    sandbox.start(null, "Fix add.js", "-c", "tests pass=node test.js", "-s", "look", "-s", "fix");
    expect(sandbox.loop("step", "done", "look").out).toBe(
      "[LOOP] ✓ look complete | Progress: 1/2 | Next: fix\n",
    );
    expect(sandbox.loop("pause").out).toBe(
      "[LOOP] ⏸ Paused: user\nProgress: 1 steps complete, 1 remaining\nResume: loop continue\n",
    );
    expect(sandbox.loop("done").err).toContain("paused (user)");
    expect(sandbox.loop("continue").code).toBe(0);
    expect(sandbox.loop("cancel", "--yes").out).toContain("Done: look\nRemaining: fix, tests pass");
    expect(sandbox.loop("status").out).toContain("No loop is open");
    expect(sandbox.loop("status", "--all").out).toContain("cancelled");
    expect(sandbox.loop("log", "--loop", sandbox.only().id).out).toContain("loop.cancelled");
  });

  variant("says the same way to its end in its status and when it is called done", () => {
    const sandbox = nodeProject();
    sandbox.loop("start", "Fix add.js", "-c", "tests pass=node test.js");
    sandbox.write(FIXED);
    sandbox.loop("check");
    const { id } = sandbox.only();
    const command = `loop run --loop ${id}`;
    expect(sandbox.only().next).toBe(command);
    expect(sandbox.loop("done").out).toBe(
      `Recorded, but nobody drives this loop; finish it with: ${command}\n`,
    );
    expect(sandbox.only().next).toBe(command);
    expect(sandbox.loop("run", "--loop", id, "--command", "true").code).toBe(0);
  });

  variant("is told of others that are open when it is opened", () => {
    const sandbox = nodeProject();
    expect(sandbox.loop("start", "Fix add.js", "-c", "tests pass=node test.js").err).not.toContain(
      "Also open",
    );
    const { id } = sandbox.only();
    for (const opening of [["start"], ["run", "--command", "true", "--iterations", "1"]]) {
      const [word = "", ...flags] = opening;
      const { err } = sandbox.loop(word, "Fix add.js again", "-c", "tests pass=node test.js", ...flags);
      expect(err).toMatch(new RegExp(`^loop: Also open here: .*${id}.*--loop ID; this one is \\S+\\.$`, "m"));
    }
  });

  test("whose journal is damaged says what to do about it", () => {
    const sandbox = nodeProject();
    const { id } = sandbox.start(null, "Fix add.js", "-c", "tests pass=node test.js");
    writeFileSync(sandbox.journal(id), "hello\n");
    expect(sandbox.loop("status").out).toContain(
      `aborted ${id}\n  the journal is damaged at byte 0\n  next: loop doctor\n`,
    );
    const advice = `restore .loop/loops/${id} from a backup, or move it away and start anew`;
    expect(sandbox.loop("doctor").out).toContain(advice);
    expect(sandbox.loop("check").err).toContain(`Something other than loop changed its files`);
    expect(sandbox.loop("check").err).toContain(advice);
  });

  test("of another project is resumed with a command that works wherever it is typed", () => {
    const sandbox = nodeProject();
    const { id } = sandbox.start(null, "Fix add.js", "-c", "tests pass=node test.js");
    const everywhere = sandbox.loopWith({ cwd: sandbox.home }, "status", "--everywhere").out;
    expect(everywhere).toContain(`next: cd ${sandbox.root} && loop run --loop ${id}\n`);
    expect(sandbox.loop("status", "--everywhere").out).toContain(`next: loop run --loop ${id}\n`);
  });

  test("is named in what resumes it when others are open too", () => {
    const sandbox = nodeProject();
    const { id } = sandbox.start(null, "Fix add.js", "-c", "tests pass=node test.js");
    sandbox.start(null, "Write the manual", "-c", "manual=test -f manual.md");
    expect(sandbox.loop("pause", "--loop", id).out).toContain(`\nResume: loop continue --loop ${id}\n`);
    expect(sandbox.loop("status").out).toContain(`next: loop continue --loop ${id}\n`);
  });

  test("prints the promised fields as JSON", () => {
    const sandbox = nodeProject();
    const view = sandbox.start(null, "Fix add.js", "-c", "tests pass=node test.js");
    expect(Object.keys(view)).toEqual(
      expect.arrayContaining([
        ...[
          "id",
          "phase",
          "reason",
          "stage",
          "spec",
          "exitRule",
          "mode",
          "shape",
          "session",
          "iteration",
          "iterationLimit",
        ],
        ...[
          "costUsd",
          "budgetUsd",
          "stuckCount",
          "criteria",
          "steps",
          "tasks",
          "next",
          "startedAt",
          "updatedAt",
        ],
      ]),
    );
    sandbox.loop("check");
    expect(Object.keys(sandbox.only().criteria[0]?.evidence ?? {})).toEqual(
      expect.arrayContaining([
        "command",
        "exitCode",
        "outputTail",
        "treeDigest",
        "durationMs",
        "at",
        "current",
      ]),
    );
  });

  test("status shows the last loop once all have ended, and any by its id", () => {
    const sandbox = nodeProject();
    const one = sandbox.start(null, "First thing");
    const two = sandbox.start(null, "Second thing");
    sandbox.loop("cancel", "--loop", one.id);
    expect(sandbox.loop("status").out).not.toContain("First thing");
    sandbox.loop("cancel", "--loop", two.id);
    const ended = sandbox.loop("status").out;
    expect(ended).toMatch(/^No loop is open; the last one \(2 ended; see them with --all\):\n\ncancelled /);
    expect(ended).toContain("Second thing");
    expect(ended).not.toContain("First thing");
    expect(sandbox.loop("status", one.id.slice(0, 8)).out).toMatch(/^cancelled [^]*First thing/);
    expect(sandbox.loop("status", "--json").out).toBe('{\n  "loops": []\n}\n');
  });

  test("reads its spec from a file or standard input", () => {
    const sandbox = nodeProject();
    expect(
      JSON.parse(sandbox.loopWith({ input: "From a pipe\n" }, "start", "-f", "-", "--json").out),
    ).toMatchObject({ spec: "From a pipe" });
    sandbox.write({ "spec.md": "From a file" });
    expect(JSON.parse(sandbox.loop("start", "-f", "spec.md", "--json").out)).toMatchObject({
      spec: "From a file",
    });
  });

  test("names the loops when several are open, and takes the beginning of an id", () => {
    const sandbox = nodeProject();
    const one = sandbox.start(null, "First thing");
    const two = sandbox.start(null, "Second thing");
    const ran = sandbox.loop("pause");
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(one.id);
    expect(ran.err).toContain(two.id);
    expect(sandbox.loop("pause", "--loop", "first").code).toBe(0);
    expect(sandbox.status().find((each) => each.id === one.id)).toMatchObject({
      phase: "paused",
      reason: "user",
    });
  });

  test("writes PROGRESS.md and SHAPE.md for people", () => {
    const sandbox = nodeProject();
    sandbox.start(
      null,
      "Fix add.js",
      "-c",
      "tests pass=node test.js",
      "-s",
      "look",
      "-s",
      "fix",
      "--must-not",
      "path:test.js",
    );
    sandbox.loop("step", "done", "look");
    const progress = sandbox.read(".loop/PROGRESS.md");
    expect(progress).toContain("# Loop Progress: Fix add.js");
    expect(progress).toContain("**Status:** Active | Iteration 0 | Cost: $0/$25");
    expect(progress).toContain("- [x] look");
    expect(progress).toContain("- [ ] fix");
    expect(progress).toContain("- [ ] tests pass (unmet)");
    expect(sandbox.read(".loop/shape/SHAPE.md")).toContain("path:test.js");
    expect(sandbox.git("status", "--porcelain")).toBe("");
  });
});

describe("checks", () => {
  test("are proposed from the project's own tools, and nothing is run for it", () => {
    const sandbox = nodeProject();
    const { out } = sandbox.loop("criteria", "discover");
    expect(out).toContain(`loop run "what you want" -c 'tests pass=npm run test'`);
    expect(out).toContain("lint");
    expect(sandbox.loop("start", "Fix add.js").out).toContain("loop criteria add 'tests pass'");
    const once = sandbox.loop("criteria", "discover").out;
    expect(once).toContain("loop criteria add 'tests pass' --check 'npm run test'");
  });

  test("run as a list of words see no shell", () => {
    const sandbox = nodeProject();
    sandbox.start(null, "Fix add.js");
    sandbox.loop(
      "criteria",
      "add",
      "literal",
      "--",
      "node",
      "-e",
      "process.exit(process.argv[1] === '$HOME; exit 1' ? 0 : 1)",
      "$HOME; exit 1",
    );
    expect(sandbox.loop("check", "literal").code).toBe(0);
  });

  test("looked at first, tell clean, fixed, regressed and broken before apart", () => {
    const sandbox = nodeProject();
    sandbox.start(
      null,
      "Fix add.js",
      "-c",
      "fixed=node test.js",
      "-c",
      "clean=true",
      "-c",
      "regressed=test ! -e gone",
      "-c",
      "broken=false",
    );
    const before = sandbox.only().criteria;
    expect(before.map((each) => each.alreadyTrue)).toEqual([false, true, true, false]);
    sandbox.write({ ...FIXED, gone: "" });
    sandbox.loop("check");
    const after = sandbox.only().criteria;
    expect(after.map((each) => each.attribution)).toEqual(["fixed", "clean", "regressed", "broken before"]);
    expect(sandbox.loop("status").out).toContain("already true");
  });

  test("after a change of protected files give void evidence, until a person approves", () => {
    const sandbox = nodeProject();
    sandbox.start("s1", "Fix add.js", "-c", "tests pass=node test.js", "--protect", "test.js");
    sandbox.write({ "test.js": "process.exit(0);\n" });
    expect(sandbox.loop("check").code).toBe(1);
    expect(sandbox.only().criteria[0]).toMatchObject({ status: "unverified", void: true });
    sandbox.agentLoop("s1", "done");
    expect(heldReason(sandbox.stop("s1"))).toContain("void");

    expect(sandbox.agentLoop("s1", "approve", "--yes").err).toContain("may only be run by the user");
    expect(sandbox.loop("approve").err).toContain("--yes");
    expect(sandbox.loop("approve", "--yes").out).toContain("changed  test.js");
    sandbox.loop("check");
    expect(sandbox.only().criteria[0]).toMatchObject({ status: "met", void: false });
    sandbox.agentLoop("s1", "done");
    expect(toldOf(sandbox.stop("s1"))).toMatch(
      /^\[LOOP\] ✓ done: \S.* \(weak: the checks pass without the work/,
    );
    // What decides is approved; the work itself is still missing, and the checks pass all the same.
    expect(sandbox.only()).toMatchObject({ phase: "completed", confidence: "weak" });
  });

  test("that change the project's own files each time are run once more and reported", () => {
    const sandbox = nodeProject();
    sandbox.write({ "notes.txt": "" });
    sandbox.start(
      null,
      "Fix add.js",
      "-c",
      "settles=test -e made || echo x > made",
      "-c",
      "logs=date +%N >> own.log",
      "-c",
      "restless=date +%N >> notes.txt",
    );
    const { out } = sandbox.loop("check");
    expect(out).toContain("restless changes the project's files");
    expect(out).not.toContain("logs changes");
    expect(out).not.toContain("settles changes files");
  });

  test("withhold secrets, and name them when they fail", () => {
    const sandbox = nodeProject();
    sandbox.start(null, "Fix add.js", "-c", 'has token=test -n "$DEPLOY_TOKEN"');
    const env = { DEPLOY_TOKEN: "s3cret-value" };
    expect(sandbox.loopWith({ env }, "check").out).toContain("withheld from it: DEPLOY_TOKEN");
    sandbox.loop(
      "criteria",
      "check",
      "has token",
      "--check",
      'test -n "$DEPLOY_TOKEN" && echo $DEPLOY_TOKEN',
      "--pass-env",
      "DEPLOY_TOKEN",
    );
    expect(sandbox.loopWith({ env }, "check").code).toBe(0);
    expect(readFileSync(sandbox.journal(sandbox.only().id), "utf8")).not.toContain("s3cret-value");
  });
});

describe("criteria", () => {
  const NAMES = [
    `"quoted" and 'single'`,
    "two\nlines\r\nof text",
    "🚀 emoji ✓",
    "x".repeat(10_000),
    "__proto__",
    "constructor",
    "$(touch canary) `touch canary`",
    "<script>&amp;",
  ];

  test.each(someOf(NAMES, 1, NAMES.length))("called %j work everywhere", (name) => {
    const sandbox = nodeProject();
    sandbox.start("s1", "Fix add.js");
    expect(sandbox.loop("criteria", "add", name, "--check", "false").code).toBe(0);
    sandbox.loop("check", name);
    expect(sandbox.only().criteria[0]).toMatchObject({ name, status: "unmet" });
    expect(JSON.parse(sandbox.read(".loop/state.json"))).toMatchObject({ criteria: [name] });
    for (const command of ["status", "criteria", "log"]) expect(sandbox.loop(command).code).toBe(0);
    sandbox.agentLoop("s1", "done");
    heldReason(sandbox.stop("s1"));
    expect(sandbox.loop("criteria", "check", name, "--check", "true").code).toBe(0);
    sandbox.agentLoop("s1", "done");
    expect(toldOf(sandbox.stop("s1"))).toMatch(/^\[LOOP\] ✓ done: [^\n]+\n\n---LOOP_STATUS---\n/);
    expect(sandbox.only().phase).toBe("completed");
    expect(sandbox.git("status", "--porcelain")).toBe("");
  });

  test("without a check need somebody's word; an assumption is none", () => {
    const sandbox = nodeProject();
    sandbox.start("s1", "Write docs", "-c", "docs read well");
    expect(sandbox.loop("criteria").out).toContain("no check configured");
    sandbox.agentLoop("s1", "criteria", "met", "docs read well", "--by", "assumption");
    sandbox.agentLoop("s1", "done");
    expect(heldReason(sandbox.stop("s1"))).toContain("No check decides docs read well");
    sandbox.agentLoop(
      "s1",
      "criteria",
      "met",
      "docs read well",
      "--by",
      "observation",
      "--note",
      "read them aloud",
    );
    sandbox.agentLoop("s1", "done");
    expect(toldOf(sandbox.stop("s1")).split("\n")[0]).toBe(
      `[LOOP] ✓ done: docs read well (weak: "docs read well" rests on the agent's observation)`,
    );
    expect(sandbox.only()).toMatchObject({ phase: "completed", confidence: "weak" });
  });

  test("without a check are verified by a person's word, which an agent's own neither is nor weakens", () => {
    const sandbox = nodeProject();
    const met = ["criteria", "met", "docs read well", "--by", "observation"];
    sandbox.start("s1", "Write docs", "-c", "docs read well");
    expect(sandbox.agentLoop("s1", ...met).out).toBe(
      `"docs read well" is met, on weak evidence (the agent's observation).\n`,
    );
    expect(sandbox.loop("status").out).toContain("attested by the agent's observation");
    expect(sandbox.only().criteria[0]).toMatchObject({ verification: "observation", attestedBy: "agent" });

    expect(sandbox.loop(...met).out).toBe('"docs read well" is met.\n');
    expect(sandbox.agentLoop("s1", ...met).out).toBe('"docs read well" is met.\n');
    expect(sandbox.loop("status").out).toContain("attested by a person's observation");
    sandbox.agentLoop("s1", "done");
    expect(toldOf(sandbox.stop("s1"))).toMatch(/^\[LOOP\] ✓ done: docs read well \(verified\)\n/);
    expect(sandbox.only()).toMatchObject({ phase: "completed", confidence: "verified" });
  });
});

describe("an agent", () => {
  test("may tighten its loop but not loosen it, and the journal keeps that it tried", () => {
    const sandbox = nodeProject();
    sandbox.start("s1", "Fix add.js", "-c", "tests pass=node test.js");
    expect(sandbox.agentLoop("s1", "criteria", "add", "more", "--check", "true").code).toBe(0);
    for (const command of [
      ["cancel"],
      ["pause"],
      ["continue", "--budget=25"],
      ["criteria", "remove", "tests pass"],
      ["criteria", "check", "tests pass", "--check", "true"],
    ]) {
      const ran = sandbox.agentLoop("s1", ...command);
      expect(ran.code).toBe(1);
      expect(ran.err).toMatch(/^loop: `loop [^`]+` may only be run by the user/);
    }
    expect(sandbox.only()).toMatchObject({ phase: "active", budgetUsd: 25 });
    expect(sandbox.only().criteria.map((each) => each.name)).toEqual(["tests pass", "more"]);
    expect(sandbox.loop("log").out.match(/loosening\.refused/g)).toHaveLength(5);
    expect(sandbox.agentLoop("s2", "start", "Spend it all", "--budget", "1000").err).toContain(
      "may only be run by the user, in their own terminal, or typed in this session",
    );
  });

  test("names the check that it cannot meet honestly, and a person reads it everywhere", () => {
    const sandbox = nodeProject();
    sandbox.start("s1", "Fix add.js", "-c", "tests pass=node test.js");
    const unknown = sandbox.agentLoop("s1", "blocked", "--check", "test", "it", "is", "wrong");
    expect(unknown).toMatchObject({
      code: 1,
      out: "",
      err: 'loop: No criterion is called "test"; there is "tests pass".\n',
    });
    expect(sandbox.only()).toMatchObject({ phase: "active" });

    const reason = "test.js expects 4, the spec says 5";
    const detail = `check "tests pass": ${reason}`;
    const said = sandbox.agentLoop("s1", "blocked", "--check", "tests pass", reason);
    expect(said).toMatchObject({ code: 0 });
    expect(said.out).toContain(`[LOOP] ⏸ Paused: blocked (${detail})\n`);
    expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "blocked", detail });
    expect(sandbox.loop("status").out).toContain(`paused (blocked: ${detail})`);
    expect(toldOf(sandbox.stop("s1"))).toContain("[LOOP] ⏸ Paused: blocked");

    sandbox.loop("continue");
    const words = saying("I stop.", `BLOCKED: ${JSON.stringify({ "tests pass": reason })}`);
    expect(sandbox.stop("s1", { last_assistant_message: words }).out).toContain(
      `Paused: blocked (${JSON.stringify(detail).slice(1, -1)})`,
    );
    expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "blocked", detail });
  });

  test("is told the way out when it starts a loop, which a person at a terminal need not be", () => {
    const opening = ["start", "Fix add.js", "-c", "tests pass=node test.js"];
    const told = nodeProject().agentLoop("s1", ...opening);
    expect(told.out).toContain("run `loop blocked --check NAME REASON`. Tests, scripts and configuration");
    expect(nodeProject().loop(...opening).out).not.toContain("loop blocked");
  });

  test("is bound by a bare start, says blocked, and cannot have two loops unless nested", () => {
    const sandbox = nodeProject();
    expect(JSON.parse(sandbox.agentLoop("s1", "start", "Fix add.js", "--json").out)).toMatchObject({
      session: "s1",
    });
    expect(sandbox.agentLoop("s1", "start", "Another").err).toContain("--nested");
    expect(sandbox.agentLoop("s1", "start", "Inner", "--nested", "-c", "ok=true").code).toBe(0);
    sandbox.agentLoop("s1", "done");
    expect(heldReason(sandbox.stop("s1"))).toContain("[ITERATION 1/10]");
    expect(sandbox.only()).toMatchObject({ spec: "Fix add.js", depth: 1, iteration: 1 });
    expect(sandbox.agentLoop("s1", "blocked", "needs", "a", "key").out).toContain(
      "Paused: blocked (needs a key)",
    );
    expect(toldOf(sandbox.stop("s1"))).toContain("Paused: blocked (needs a key)");
  });

  test("does not take a loop of another session along; a person's continue binds it", () => {
    const sandbox = nodeProject();
    const { id } = sandbox.start(null, "Fix add.js");
    expect(sandbox.stop("s1").out).toBe("");
    expect(sandbox.loop("continue", "--session", "s1").code).toBe(0);
    heldReason(sandbox.stop("s1"));
    expect(sandbox.agentLoop("s2", "done").err).toBe(
      `loop: No loop is open in this session. Another one has ${id}; name one with --loop ID, or open your own with: loop start "what you want"\n`,
    );
  });
});

test("who would resume what has ended is told that it has", () => {
  const sandbox = new Sandbox({ "notes.txt": "" });
  const { id } = sandbox.start(null, "Fix it");
  sandbox.loop("cancel");
  expect(sandbox.loop("continue").err).toBe(
    `loop: No loop is open in ${sandbox.root}: ${id} is cancelled. Open another one with: loop run "what you want"\n`,
  );
});

describe("bad input gets one clear sentence and changes nothing", () => {
  test.each([
    [["start"], 'The spec is empty. Say what you want, such as "Fix the failing tests".'],
    [["start", "x", "--budget", "lots"], "number above 0"],
    [["start", "x", "--iterations", "-1"], "whole number"],
    [["start", "x", "--exit-rule", "whenever"], "criteria, marker, tasks, signal"],
    [["start", "x", "--must-not", "touch db"], "path:GLOB"],
    [["start", "x", "--protect", "../outside"], "outside"],
    [["start", "x", "-c", "a=true", "-c", "a=false"], "Two criteria"],
    [["start", "x", "-c", "a="], "empty command"],
    [["start", "x", "--session", "../../x"], "session id"],
    [["start", "x", "--nested"], "No open loop"],
    [["start", "x", "-f", "missing.md"], "not both"],
    [["start", "-f", "missing.md"], "missing.md does not exist; name another file, or - for standard input."],
    [["pause"], "No loop is open"],
    [["status", "--no-such-flag"], "unknown option '--no-such-flag'\n(see loop status --help)"],
    [["demo", "opera"], "'opera' isn't a scene. Allowed choices are plan, fleet."],
    [["undo", "abc"], "'abc' isn't an iteration."],
    [["task", "T-001"], "There is no loop in"],
    [["frobnicate"], "unknown command"],
    [["pause", "--loop", "../../etc"], "No loop here"],
    [["score"], "Give a spec"],
  ])("loop %j", (args, sentence) => {
    const sandbox = nodeProject();
    const ran = sandbox.loop(...args);
    expect(ran.code).not.toBe(0);
    expect(ran.out).toBe("");
    expect(ran.err).toMatch(/^loop: /);
    expect(ran.err).toContain(sentence);
    expect(sandbox.status()).toEqual([]);
  });
});

test("limits come from flags, then the environment, within bounds", () => {
  const sandbox = nodeProject();
  const env = { LOOP_BUDGET: "400", LOOP_MAX_ITERATIONS: "20" };
  const ran = sandbox.loopWith({ env }, "start", "One", "--json");
  expect(JSON.parse(ran.out)).toMatchObject({ budgetUsd: 100, iterationLimit: 20 });
  expect(ran.err).toContain("only a flag may exceed");
  expect(
    JSON.parse(
      sandbox.loopWith({ env }, "start", "Two", "--budget", "400", "--iterations", "none", "--json").out,
    ),
  ).toMatchObject({ budgetUsd: 400, iterationLimit: null });
});

test("the shape comes from a flag, then the environment, then the score", () => {
  const shapes = [[], ["--shape", "tool"]].flatMap((flags) =>
    [undefined, "auto", "tool-review"].map((LOOP_SHAPE) => {
      const sandbox = new Sandbox();
      sandbox.loopWith({ env: { LOOP_SHAPE } }, "start", "Make it better", ...flags);
      return sandbox.only().shape;
    }),
  );
  expect(shapes).toEqual(["intent", "intent", "tool-review", "tool", "tool", "tool"]);
  const { code, err } = new Sandbox().loopWith({ env: { LOOP_SHAPE: "loud" } }, "start", "Make it better");
  expect(code).toBe(1);
  expect(err).toMatch(
    /^loop: LOOP_SHAPE is "loud"; set it to auto, tool, tool-review, colleague, or unset it\.\n/,
  );
});

test("the score shows the words that earned each point, as text and as JSON", () => {
  const sandbox = nodeProject();
  const spec =
    "Reduce p95 latency of GET /api/orders below 100ms. Use the existing stack. Tests pass. Stop when it works.";
  expect(JSON.parse(sandbox.loop("score", spec, "--json").out)).toMatchObject({
    outcome: 2,
    scope: 2,
    constraints: 1,
    success: 1,
    done: 1,
    total: 7,
    shape: "colleague",
    fit: 35,
  });
  expect(sandbox.loop("score", spec).out).toContain("100ms");
  expect(sandbox.loop("score", "Make it better").out).toContain("?");
});

test("the score of each cell of the table that the rubric was first written down in is what its column says", () => {
  const sandbox = new Sandbox();
  const TABLE = {
    outcome: ["Make it better", "Improve performance", "p95 latency <100ms"],
    scope: ["Fix the app", "Fix auth", "Fix /api/auth/token"],
    constraints: ["None stated", "Use existing stack", "No new deps, <500 LOC"],
    success: ["None stated", "Tests pass", "All tests + manual QA"],
    done: ["Implied", "When it works", "PR merged to main"],
  };
  const scored = Object.entries(TABLE).map(([dimension, cells]) => [
    dimension,
    ...cells.map(
      (cell) => (JSON.parse(sandbox.loop("score", cell, "--json").out) as Record<string, unknown>)[dimension],
    ),
  ]);
  expect(scored).toEqual(Object.keys(TABLE).map((dimension) => [dimension, 0, 1, 2]));
});

test("the score says in plain words what a shape does, and what fit is for", () => {
  const sandbox = nodeProject();
  const vague = sandbox.loop("score", "Make it better").out;
  expect(vague).toMatch(/^shape +Intent: asks what you mean first$/m);
  expect(vague).toMatch(/^fit +0\/75: as a workflow, a loop with tasks, it would be Blocked \(.+\)$/m);
  const checked = ["-c", "tests pass=npm test", "--must-not", "run:npm run lint"];
  const precise = sandbox.loop("score", "Remove `legacyRouter` from src/router.ts", ...checked).out;
  expect(precise).toMatch(/^shape +Tool: runs by itself and reports at the end$/m);
  expect(precise).toContain('"npm run lint": given with --must-not');
});

describe("what a check does to its own surroundings", () => {
  test("that rewrites a protected file voids its own evidence", () => {
    const sandbox = new Sandbox({
      "expected.txt": "right\n",
      "run.sh": "#!/bin/sh\necho wrong > expected.txt\n",
    });
    sandbox.commitAll();
    sandbox.start("s1", "Do it", "-c", "ok=./run.sh", "--protect", "expected.txt");
    sandbox.agentLoop("s1", "done");
    expect(heldReason(sandbox.stop("s1"))).toContain("void");
  });

  test("that violates a must-not pauses the loop instead of completing it", () => {
    const sandbox = new Sandbox({ "locked.txt": "1\n" });
    sandbox.commitAll();
    sandbox.start("s1", "Do it", "-c", "ok=echo 2 > locked.txt", "--must-not", "path:locked.txt");
    sandbox.agentLoop("s1", "done");
    expect(sandbox.stop("s1").out).toContain("must-not");
    expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "must-not" });
  });

  test("counts for no check that ran before it on another tree", () => {
    const sandbox = new Sandbox({ log: "" });
    sandbox.commitAll();
    sandbox.start("s1", "Do it", "-c", "few=test $(wc -l < log) -lt 1", "-c", "appends=echo x >> log");
    sandbox.agentLoop("s1", "done");
    expect(heldReason(sandbox.stop("s1"))).toContain("few");
    expect(sandbox.only().phase).toBe("active");
  });

  test("leaves by-products of tools out of what is protected", () => {
    const sandbox = new Sandbox({ "tests/a.py": "x = 1\n" });
    sandbox.commitAll();
    sandbox.start(
      "s1",
      "Do it",
      "-c",
      "ok=mkdir -p tests/__pycache__ && touch tests/__pycache__/a.pyc",
      "--protect",
      "tests/**",
    );
    sandbox.agentLoop("s1", "done");
    expect(toldOf(sandbox.stop("s1"))).toContain("✓ done: ok (");
    expect(sandbox.only().phase).toBe("completed");
  });
});

test("limits of minutes and tokens can be added to, and the text says how", async () => {
  const sandbox = nodeProject();
  const { startedAt } = sandbox.start("s1", "Fix add.js", "-c", "a=false", "--max-minutes", "0.0001");
  await until(() => Date.now() - Date.parse(startedAt ?? "") > 0.0001 * 60_000, "the minutes are over");
  expect(sandbox.stop("s1").out).toContain("/loop:continue --max-minutes=1");
  expect(sandbox.loop("continue").err).toContain("--max-minutes");
  expect(sandbox.loop("continue", "--max-minutes=60").code).toBe(0);
  heldReason(sandbox.stop("s1"));
});

test("loops of rule marker and signal say how they end", () => {
  const sandbox = nodeProject();
  sandbox.start("s1", "Grind", "--exit-rule", "signal", "--mode", "grind");
  expect(heldReason(sandbox.stop("s1"))).toContain("<grind-done>NO_MORE_ISSUES</grind-done>");
  expect(sandbox.agentLoop("s1", "done").err).toContain("<grind-done>");
});

test("a criterion is added in the form of -c, too", () => {
  const sandbox = nodeProject();
  sandbox.start(null, "Fix add.js");
  expect(sandbox.loop("criteria", "add", "b=true").out).toContain('Added "b"');
  expect(sandbox.loop("criteria", "add", "x=1 holds", "--check", "false").code).toBe(0);
  expect(sandbox.loop("criteria", "add", "empty=").err).toContain("write NAME=COMMAND, or NAME alone");
  expect(sandbox.only().criteria.map(({ name, check }) => [name, check])).toEqual([
    ["b", "true"],
    ["x=1 holds", "false"],
  ]);
});

test.runIf(isFullEffort)("24 criteria added at once are all there, and the loop stays trusted", async () => {
  const sandbox = nodeProject();
  const { id } = sandbox.start(null, "Fix add.js");
  const ran = await sandbox.loopsAtOnce(
    Array.from({ length: 24 }, (_, index) => [
      "criteria",
      "add",
      `c${index}`,
      "--check",
      "true",
      "--loop",
      id,
    ]),
  );
  expect(ran.filter((each) => each.code !== 0)).toEqual([]);
  expect(sandbox.only()).toMatchObject({ phase: "active" });
  expect(sandbox.only().criteria).toHaveLength(24);
});
