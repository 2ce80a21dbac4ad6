import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectCallerLocation } from "../src/engine/opening/openable.ts";
import { isFullEffort, isCiEffort } from "./support/effort.ts";
import type { PlayedTurn } from "./support/driven.ts";
import { DONE, Stage, saying } from "./support/driven.ts";
import { whyNoOverlay } from "./support/room-world.ts";
import { heldReason, Sandbox, toldOf } from "./support/sandbox.ts";
import type { Ran } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const why = await whyNoOverlay();

const TESTS = `import test from "node:test";
import assert from "node:assert/strict";
import { total } from "../total.js";
test("adds", () => assert.equal(total([2, 3]), 5));
`;

const FILES = {
  "package.json": JSON.stringify({ private: true, scripts: { test: "touch root-tests-ran && false" } }),
  ".gitignore": "where.txt\nroot-tests-ran\n",
  "shared/money.js": "export {};\n",
  "packages/a/package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
  "packages/a/total.js": "export const total = () => 0;\n",
  "packages/a/test/total.test.js": TESTS,
  "packages/a/keep/a.txt": "a\n",
  "packages/b/keep/b.txt": "b\n",
};

const HONEST = "export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n";
const WRITES_TOTAL: PlayedTurn = { do: [{ write: "total.js", text: HONEST }], say: DONE };
const WORKS_ON: PlayedTurn = {
  do: [{ write: "new.txt", text: "new\n" }],
  say: saying("More.", "EXIT_SIGNAL: false"),
};

/** Two packages in one repository, and somebody who stands in one of them. */
class Monorepo extends Stage {
  readonly a: string;
  readonly b: string;

  constructor(files: { readonly [path: string]: string } = {}) {
    super({ ...FILES, ...files });
    this.a = join(this.root, "packages/a");
    this.b = join(this.root, "packages/b");
  }

  in(cwd: string, ...args: readonly string[]): Ran {
    return this.loopWith({ cwd }, ...args);
  }

  runIn(cwd: string, turns: readonly PlayedTurn[], ...args: readonly string[]): Ran {
    const spec = "Make total() in total.js add up all prices";
    return this.in(cwd, "run", spec, "--script", this.script(turns), "--shape", "tool", ...args);
  }

  startIn(cwd: string, ...args: readonly string[]): Ran {
    return this.in(cwd, "start", "Fix total()", "--session", "s1", ...args);
  }

  configure(folder: string, config: unknown): void {
    writeFileSync(join(this.root, folder, "loop.config.json"), JSON.stringify(config));
    const { code, err } = this.in(join(this.root, folder), "trust", "--yes");
    if (code !== 0) throw new Error(err);
  }
}

describe("in a folder without tools of its own", () => {
  const CHECK_OF_ROOT = { command: { kind: "shell", line: "npm run test" }, folder: "" };
  const TESTED = {
    "package.json": JSON.stringify({ scripts: { test: "test -f src/lib/done.txt" } }),
    "src/lib/a.js": "",
  };
  const lib = ({ root }: Sandbox): string => join(root, "src/lib");

  variant("a run without a criterion takes the tests of the nearest folder above that has some", () => {
    const stage = new Stage(TESTED);
    const script = stage.script([{ do: [{ write: "done.txt", text: "" }], say: DONE }]);
    const ran = stage.loopWith({ cwd: lib(stage) }, "run", "Write it", "--shape", "tool", "--script", script);

    expect(ran.err).toContain(`decides: "tests pass" (npm run test) (in the project's root)\n`);
    expect(ran.code).toBe(0);
    expect(stage.eventsOf("loop.opened")).toMatchObject([
      { folder: "src/lib", goal: { criteria: [{ name: "tests pass", check: CHECK_OF_ROOT }] } },
    ]);
  });

  variant("words that are a check of the folder above are that check", () => {
    const stage = new Stage(TESTED);
    stage.loopWith({ cwd: lib(stage) }, "start", "Write it", "-c", "npm test");

    expect(stage.eventsOf("loop.opened")).toMatchObject([
      { goal: { criteria: [{ name: "tests pass", check: { folder: "" } }] } },
    ]);
  });

  variant("a folder with tools is not looked past", () => {
    const stage = new Stage({ ...TESTED, "src/package.json": JSON.stringify({ scripts: { test: "true" } }) });
    stage.loopWith({ cwd: lib(stage) }, "start", "Write it", "-c", "npm test");

    expect(stage.eventsOf("loop.opened")).toMatchObject([
      { goal: { criteria: [{ name: "tests pass", check: { folder: "src" } }] } },
    ]);
  });
});

describe("in a folder below the root of the repository", () => {
  test("the agent and the checks work there, and the records are in the root", () => {
    const repository = new Monorepo();
    const ran = repository.runIn(
      repository.a,
      [WRITES_TOTAL],
      "-c",
      "tests pass=pwd > where.txt && npm test",
    );

    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toContain("| Budget: $25 | Folder: packages/a\n");
    expect(repository.read("packages/a/where.txt")).toBe(`${repository.a}\n`);
    expect(repository.read("packages/a/total.js")).toBe(HONEST);
    expect(existsSync(join(repository.root, "total.js"))).toBe(false);
    expect(existsSync(join(repository.a, ".loop"))).toBe(false);
    expect(repository.only()).toMatchObject({
      phase: "completed",
      confidence: "verified",
      folder: "packages/a",
    });
  });

  variant("what defines a check is looked for there, and what changes it is held", () => {
    const repository = new Monorepo();
    repository.startIn(repository.a, "-c", "tests pass=npm test");

    const meaning = repository.loop("criteria", "show").out;
    expect(meaning).toContain("scripts.test in packages/a/package.json");
    expect(meaning).toContain("packages/a/test/total.test.js");
    expect(meaning).not.toContain(" in package.json");

    repository.write({ "packages/a/package.json": JSON.stringify({ scripts: { test: "true" } }) });
    repository.agentLoop("s1", "done");
    expect(heldReason(repository.stop("s1"))).toContain("packages/a/package.json");
  });

  test.runIf(isCiEffort && why === null)("the opening's tests are run there in the clean room", () => {
    const repository = new Monorepo();
    const cheats: PlayedTurn = {
      do: [{ write: "test/total.test.js", text: 'import test from "node:test";\ntest("adds", () => {});\n' }],
      say: DONE,
    };
    const restores: PlayedTurn = {
      do: [
        { write: "test/total.test.js", text: TESTS },
        { write: "total.js", text: HONEST },
      ],
      say: DONE,
    };
    const ran = repository.runIn(repository.a, [cheats, restores], "-c", "tests pass=npm test");

    expect(ran).toMatchObject({ code: 0 });
    const judged = repository.eventsOf("proof.shown").map(({ proof: { kind, result } }) => [kind, result]);
    expect(judged).toContainEqual(["judge", "fails"]);
    expect(repository.only()).toMatchObject({ phase: "completed", confidence: "verified" });
  });

  variant("the digest is over the whole repository: a change elsewhere makes evidence old", () => {
    const repository = new Monorepo();
    repository.write({ "packages/a/total.js": HONEST });
    repository.startIn(repository.a, "-c", "tests pass=npm test");
    repository.loop("check");
    expect(repository.only().criteria).toMatchObject([{ status: "met" }]);

    repository.write({ "shared/money.js": "export const cents = 100;\n" });
    expect(repository.only().criteria).toMatchObject([{ status: "unverified" }]);
  });

  test("loop start and loop status name the folder, and in the root they name none", () => {
    const repository = new Monorepo();
    expect(repository.startIn(repository.a).out).toContain("| Budget: $25 | Folder: packages/a\n");
    expect(repository.loop("status").out).toContain(" · in packages/a\n");

    const other = new Monorepo();
    const started = other.startIn(other.root).out;
    expect(started).toContain("| Budget: $25\n");
    expect(started).not.toContain("Folder:");
    expect(other.only().folder).toBe("");
  });

  test("a link to the folder is the folder", () => {
    const repository = new Monorepo();
    const link = join(repository.home, "a");
    symlinkSync(repository.a, link);
    repository.startIn(link);
    expect(repository.only().folder).toBe("packages/a");
  });

  test.each([".git", ".loop"])("%s is no place to work in", (own) => {
    const repository = new Monorepo();
    mkdirSync(join(repository.root, own, "inside"), { recursive: true });
    const ran = repository.startIn(join(repository.root, own, "inside"));
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain(`belongs to ${own}, which no agent works in; go to ${repository.root} `);
  });
});

describe("globs that are typed in a folder", () => {
  const stopped = (repository: Monorepo, change: { readonly [path: string]: string }): string => {
    repository.write(change);
    return toldOf(repository.stop("s1"));
  };

  test("--must-not path: is one of that folder", () => {
    const repository = new Monorepo();
    repository.startIn(repository.a, "-c", "x=false", "--must-not", "path:keep/**");

    repository.write({ "packages/b/keep/b.txt": "changed\n" });
    expect(heldReason(repository.stop("s1"))).toContain("unmet criteria: x");
    expect(stopped(repository, { "packages/a/keep/a.txt": "changed\n" })).toContain(
      "packages/a/keep/a.txt changed",
    );
    expect(repository.only()).toMatchObject({ phase: "paused", reason: "must-not" });
  });

  test.each([
    ["../b/keep", "packages/b/keep/b.txt"],
    ["../../shared/**", "shared/money.js"],
    ["./keep/", "packages/a/keep/a.txt"],
    [".", "packages/a/total.js"],
  ])("%s leads where it leads in a shell", (glob, path) => {
    const repository = new Monorepo();
    repository.startIn(repository.a, "-c", "x=false", "--must-not", `path:${glob}`);
    repository.write({ "package.json": "{}\n", "packages/b/new.txt": "new\n" });
    expect(heldReason(repository.stop("s1"))).toContain("unmet criteria: x");
    expect(stopped(repository, { [path]: "changed\n" })).toContain(`${path} changed`);
  });

  test.each([
    ["*.js", "app/[slug]/(shop)/page.js"],
    ["keep", "app/[slug]/(shop)/keep/x.txt"],
  ])("%s in a folder with a name like a pattern is of that very folder", (glob, path) => {
    const repository = new Monorepo({ "app/[slug]/(shop)/page.js": "1\n", [path]: "1\n" });
    const folder = join(repository.root, "app/[slug]/(shop)");
    repository.startIn(folder, "-c", "x=false", "--must-not", `path:${glob}`);
    repository.write({ "packages/a/total.js": "changed\n", "app/s/shop/page.js": "new\n" });
    expect(heldReason(repository.stop("s1"))).toContain("unmet criteria: x");
    expect(stopped(repository, { [path]: "2\n" })).toContain(`${path} changed`);
  });

  test("--protect voids by the files of that folder", () => {
    const repository = new Monorepo();
    repository.startIn(repository.a, "-c", "ok=true", "--protect", "keep/**");
    repository.write({ "packages/b/keep/b.txt": "changed\n" });
    repository.loop("check");
    expect(repository.only().criteria).toMatchObject([{ void: false }]);
    repository.write({ "packages/a/keep/a.txt": "changed\n" });
    repository.loop("check");
    expect(repository.only().criteria).toMatchObject([{ void: true }]);
    expect(repository.loop("approve").out).toContain("packages/a/keep/a.txt");
  });

  test.runIf(isFullEffort)("--may-change exempts the tests of that folder", () => {
    const repository = new Monorepo();
    const changes: PlayedTurn = {
      do: [
        { write: "total.js", text: HONEST },
        { write: "test/total.test.js", text: TESTS.replace("[2, 3]), 5", "[2, 3, 4]), 9") },
      ],
      say: DONE,
    };
    repository.runIn(repository.a, [changes], "-c", "tests pass=npm test", "--may-change", "test/**");
    expect(repository.eventsOf("proof.shown").map(({ proof }) => proof.kind)).not.toContain("judge");
    expect(repository.only().phase).toBe("completed");
  });

  test("one that leads out of the repository opens nothing", () => {
    const repository = new Monorepo();
    const ran = repository.startIn(repository.a, "--protect", "../../../x");
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.err).toContain('"../../../x" leads out of the project; ');
    expect(ran.err).toContain("relative to the folder you are in.");
    expect(repository.status()).toEqual([]);
  });
});

describe.skipIf(why !== null)("a holdout that is named in a folder", () => {
  const HIDDEN = TESTS.replace("[2, 3]), 5", "[7, 4, 1]), 12").replace('"adds"', '"adds others"');

  function heldOut(files: { readonly [path: string]: string }): Monorepo {
    const repository = new Monorepo();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(repository.home, "hidden", path, ".."), { recursive: true });
      writeFileSync(join(repository.home, "hidden", path), text);
    }
    return repository;
  }
  const shown = (repository: Monorepo): readonly string[] =>
    repository
      .eventsOf("proof.shown")
      .filter(({ proof }) => proof.kind === "holdout")
      .map(({ proof }) => proof.result);
  const CHEATS: PlayedTurn = {
    do: [{ write: "total.js", text: "export const total = () => 5;\n" }],
    say: DONE,
  };

  test.runIf(isFullEffort)("is laid over that folder", () => {
    const repository = heldOut({ "test/hidden.test.js": HIDDEN });
    const flags = ["-c", "tests pass=npm test", "--holdout-from", "../../../home/hidden"];
    expect(repository.runIn(repository.a, [CHEATS, WRITES_TOTAL], ...flags).code).toBe(0);
    expect(shown(repository)).toEqual(["fails", "stands"]);
  });

  test.runIf(isFullEffort)("runs checks of its own in that folder", () => {
    const check = { checks: { others: "node test/hidden.test.js" } };
    const repository = heldOut({
      "test/hidden.test.js": HIDDEN,
      "holdout.json": JSON.stringify(check),
    });
    const flags = ["-c", "tests pass=npm test", "--holdout-from", join(repository.home, "hidden")];
    expect(repository.runIn(repository.a, [CHEATS, WRITES_TOTAL], ...flags).code).toBe(0);
    expect(shown(repository)).toEqual(["fails", "stands"]);
  });

  test.runIf(isFullEffort)(
    "is found in holdouts.json for the nearest folder, and laid over the one that is named",
    () => {
      const repository = heldOut({ "packages/a/test/hidden.test.js": HIDDEN });
      const state = join(repository.home, "state/loopwright");
      mkdirSync(state, { recursive: true });
      const hidden = join(repository.home, "hidden");
      writeFileSync(
        join(state, "holdouts.json"),
        JSON.stringify({ [repository.root]: hidden, [repository.b]: "/nonexistent" }),
      );
      expect(repository.runIn(repository.a, [CHEATS, WRITES_TOTAL], "-c", "tests pass=npm test").code).toBe(
        0,
      );
      expect(shown(repository)).toEqual(["fails", "stands"]);
      expect(repository.startIn(repository.b).err).toContain("The holdout from holdouts.json cannot");
    },
  );
});

describe("loop.config.json", () => {
  const CONFIG = {
    checks: { everywhere: "pwd > where.txt; test -f shared/money.js", words: ["sh", "-c", "pwd"] },
    mustNot: ["path:shared/**", "run:test -d packages"],
    protect: ["packages/a/keep/**"],
  };

  test("of the root is used as its author wrote it, from a folder below", () => {
    const repository = new Monorepo();
    repository.configure("", CONFIG);
    const started = repository.startIn(repository.a, "-c", "own=pwd > where.txt; false");
    expect(started.err).not.toContain("not used");
    repository.loop("check");

    expect(repository.read("where.txt")).toBe(`${repository.root}\n`);
    expect(repository.read("packages/a/where.txt")).toBe(`${repository.a}\n`);
    expect(repository.only().criteria).toMatchObject([
      { name: "own", check: "pwd > where.txt; false" },
      {
        name: "everywhere",
        status: "met",
        check: "pwd > where.txt; test -f shared/money.js (in the project's root)",
      },
      { name: "words", evidence: { outputTail: expect.stringContaining(`${repository.root}\n`) } },
    ]);
    expect(heldReason(repository.stop("s1"))).toContain("unmet criteria: own");
    repository.write({ "shared/money.js": "changed\n" });
    expect(toldOf(repository.stop("s1"))).toContain("shared/money.js changed");
  });

  test("of the nearest folder counts alone, with its own globs", () => {
    const repository = new Monorepo();
    repository.configure("", CONFIG);
    repository.configure("packages", {
      checks: { near: "test -f a/total.js" },
      mustNot: ["path:b/**"],
    });
    repository.startIn(repository.a, "-c", "x=false");
    repository.loop("check");

    expect(repository.only().criteria).toMatchObject([
      { name: "x" },
      { name: "near", status: "met", check: "test -f a/total.js (in packages)" },
    ]);
    repository.write({ "packages/b/keep/b.txt": "changed\n" });
    expect(toldOf(repository.stop("s1"))).toContain("packages/b/keep/b.txt changed");
  });

  test("of the folder itself runs its checks there", () => {
    const repository = new Monorepo();
    repository.configure("packages/a", { checks: { near: "pwd > where.txt" } });
    repository.startIn(repository.a);
    expect(repository.read("packages/a/where.txt")).toBe(`${repository.a}\n`);
    expect(repository.only().criteria).toMatchObject([{ check: "pwd > where.txt" }]);
    const other = new Monorepo();
    other.configure("packages/a", { checks: { near: "pwd > where.txt" } });
    other.startIn(other.root);
    expect(other.only().criteria).toEqual([]);
  });

  test("that nobody approved hides the one above it, and is called by its path", () => {
    const repository = new Monorepo();
    repository.configure("", CONFIG);
    repository.write({ "packages/a/loop.config.json": JSON.stringify({ checks: { near: "true" } }) });
    const ran = repository.startIn(repository.a);
    expect(ran.err).toContain("Ignoring packages/a/loop.config.json: it is not approved");
    expect(repository.only().criteria).toEqual([]);
    expect(repository.in(repository.a, "trust").out).toContain("packages/a/loop.config.json");
    expect(repository.in(repository.a, "doctor").out).toContain(
      "packages/a/loop.config.json is not approved",
    );
  });

  test.runIf(isFullEffort)("of the root is defined by the files of the root, and held to them", () => {
    const repository = new Monorepo();
    repository.configure("", { checks: { whole: "npm test" } });
    repository.startIn(repository.a, "-c", "own=npm test");
    const [own, whole] = repository
      .loop("criteria", "show")
      .out.split("\n")
      .filter((line) => /→/.test(line));
    expect(own).toContain("own: npm test → scripts.test in packages/a/package.json");
    expect(whole).toContain("whole: npm test (in the project's root) → scripts.test in package.json");

    repository.write({
      "package.json": JSON.stringify({ private: true, scripts: { test: "true" } }),
      "packages/a/total.js": HONEST,
    });
    repository.agentLoop("s1", "done");
    expect(heldReason(repository.stop("s1"))).toContain("scripts.test in package.json");
  });

  test("of the root stands in the journal with its folder", () => {
    const repository = new Monorepo();
    repository.configure("", { checks: { whole: "true" } });
    repository.startIn(repository.a);
    const journal = repository.journal(repository.id);
    const text = readFileSync(journal, "utf8");
    expect(text).toContain('"passEnv":[],"folder":""}');
    expect(repository.loop("check").code).toBe(0);
    expect(repository.read(".loop/shape/SHAPE.md")).toContain("- Folder: packages/a\n");
  });

  test.runIf(isFullEffort)("notifies from its own folder", () => {
    const repository = new Monorepo();
    repository.configure("", { notify: "pwd > where.txt" });
    repository.runIn(repository.a, [WRITES_TOTAL], "-c", "tests pass=npm test");
    expect(repository.read("where.txt")).toBe(`${repository.root}\n`);
  });
});

describe("checks that the project's tools suggest", () => {
  test("are those of the folder", () => {
    const repository = new Monorepo({
      "package.json": JSON.stringify({ scripts: { test: "false", lint: "false" } }),
    });
    expect(repository.startIn(repository.a).out).toContain("'npm run test'");
    expect(repository.startIn(repository.a, "--nested").out).not.toContain("npm run lint");
  });

  test("are those of the root where the folder has no tools, by lines that go there first", () => {
    const repository = new Monorepo();
    expect(repository.startIn(repository.b).out).toContain(
      "loop criteria add 'tests pass' --check 'cd ../.. && npm run test'",
    );
  });

  test.runIf(isFullEffort)("decide a run that nobody attends, in the folder", () => {
    const repository = new Monorepo();
    const ran = repository.runIn(repository.a, [WRITES_TOTAL]);
    expect(ran.err).toContain('the project\'s own check decides: "tests pass" (npm run test)');
    expect(ran.code).toBe(0);
    expect(existsSync(join(repository.root, "root-tests-ran"))).toBe(false);
  });
});

describe("typed from elsewhere", () => {
  test("loop check uses the loop's folder", () => {
    const repository = new Monorepo();
    repository.startIn(repository.a, "-c", "where=pwd > where.txt");
    repository.in(repository.b, "check");
    expect(repository.read("packages/a/where.txt")).toBe(`${repository.a}\n`);
    expect(existsSync(join(repository.b, "where.txt"))).toBe(false);
  });

  test("loop criteria add adds a check of the loop's folder", () => {
    const repository = new Monorepo();
    repository.startIn(repository.a);
    repository.in(repository.b, "criteria", "add", "where", "--check", "pwd > where.txt");
    repository.in(repository.b, "check");
    expect(repository.read("packages/a/where.txt")).toBe(`${repository.a}\n`);
  });

  variant("loop continue drives the agent in the loop's folder, by the config of that folder", () => {
    const repository = new Monorepo();
    repository.configure("packages/a", { accept: "weak" });
    const first = repository.runIn(
      repository.a,
      [WORKS_ON],
      "-c",
      "done=test -f total.txt",
      "--iterations",
      "1",
    );
    expect(first.code).toBe(3);
    const script = repository.script([{ do: [{ write: "total.txt", text: "5\n" }], say: DONE }], true);
    const ran = repository.in(repository.b, "continue", "--iterations", "2", "--script", script);

    expect(ran.code).toBe(0);
    expect(existsSync(join(repository.a, "total.txt"))).toBe(true);
    expect(existsSync(join(repository.b, "total.txt"))).toBe(false);
  });

  test.runIf(isFullEffort)("loop undo brings all files back", () => {
    const repository = new Monorepo();
    const turn: PlayedTurn = {
      do: [{ write: "total.js", text: HONEST }, { run: "echo changed > ../../shared/money.js" }],
      say: DONE,
    };
    repository.runIn(repository.a, [turn], "-c", "tests pass=npm test");
    expect(repository.read("shared/money.js")).toBe("changed\n");

    expect(repository.in(repository.b, "undo", "--yes")).toMatchObject({ code: 0 });
    expect(repository.read("shared/money.js")).toBe(FILES["shared/money.js"]);
    expect(repository.read("packages/a/total.js")).toBe(FILES["packages/a/total.js"]);
  });
});

describe("in an agent's session", () => {
  const agent = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s1" };

  variant("loop start counts where the agent stands, and the hook's folder does not", () => {
    const repository = new Monorepo();
    const flags = ["start", "Fix total()", "-c", "tests pass=pwd > where.txt && npm test"];
    expect(repository.loopWith({ cwd: repository.a, env: agent }, ...flags).out).toContain(
      "| Folder: packages/a\n",
    );
    expect(heldReason(repository.stop("s1", { cwd: repository.b }))).toContain("unmet criteria: tests pass");

    repository.write({ "packages/a/total.js": HONEST });
    repository.loopWith({ cwd: repository.b, env: agent }, "done");
    expect(toldOf(repository.stop("s1", { cwd: "/" }))).toContain("[LOOP] ✓ done");
    expect(repository.read("packages/a/where.txt")).toBe(`${repository.a}\n`);
  });

  test("a nested loop's checks run where they were typed", () => {
    const repository = new Monorepo();
    repository.loopWith({ cwd: repository.a, env: agent }, "start", "Fix total()", "-c", "x=false");
    const inner = ["start", "Write b", "--nested", "-c", "where=pwd > where.txt"];
    expect(repository.loopWith({ cwd: repository.b, env: agent }, ...inner).code).toBe(0);
    repository.loop("check");
    expect(repository.read("packages/b/where.txt")).toBe(`${repository.b}\n`);
    expect(repository.only()).toMatchObject({ folder: "packages/a", depth: 2 });
  });
});

test("a folder of a check that became a link out of the repository is not run in", () => {
  const repository = new Monorepo();
  repository.startIn(repository.a, "-c", "x=false");
  repository.startIn(repository.b, "--nested", "-c", "where=pwd > where.txt");
  rmSync(repository.b, { recursive: true });
  symlinkSync(repository.home, repository.b);

  expect(repository.loop("check")).toMatchObject({ code: 1 });
  expect(existsSync(join(repository.home, "where.txt"))).toBe(false);
});

describe("without git", () => {
  function foldersOf(): { readonly sandbox: Sandbox; readonly outer: string; readonly inner: string } {
    const sandbox = new Sandbox({ "inner/deep/README.md": "Inside\n" });
    return { sandbox, outer: sandbox.root, inner: join(sandbox.root, "inner") };
  }
  const ids = (ran: Ran): readonly (string | null)[] =>
    (JSON.parse(ran.out) as { loops: readonly { spec: string | null }[] }).loops.map(({ spec }) => spec);

  test("a loop is opened where you stand, whatever is further up", () => {
    const { sandbox, outer, inner } = foldersOf();
    sandbox.loopWith({ cwd: outer }, "start", "Outer");
    sandbox.loopWith({ cwd: inner }, "start", "Inner", "-c", "where=pwd > where.txt");

    expect(existsSync(join(inner, ".loop"))).toBe(true);
    expect(sandbox.read("inner/where.txt")).toBe(`${realpathSync(inner)}\n`);
    expect(ids(sandbox.loopWith({ cwd: outer }, "status", "--json"))).toEqual(["Outer"]);
    expect(ids(sandbox.loopWith({ cwd: inner }, "status", "--json"))).toEqual(["Inner"]);
  });

  test("other commands find the nearest one upwards", () => {
    const { sandbox, inner } = foldersOf();
    sandbox.loopWith({ cwd: inner }, "start", "Inner", "-c", "where=pwd > where.txt");
    const deep = join(inner, "deep");
    expect(ids(sandbox.loopWith({ cwd: deep }, "status", "--json"))).toEqual(["Inner"]);
    sandbox.loopWith({ cwd: deep }, "check");
    expect(existsSync(join(deep, "where.txt"))).toBe(false);
    expect(existsSync(join(deep, ".loop"))).toBe(false);
  });

  test("a run counts where you stand, too", () => {
    const { sandbox, outer, inner } = foldersOf();
    sandbox.loopWith({ cwd: outer }, "start", "Outer");
    const script = join(sandbox.home, "script.json");
    const turn = { do: [{ write: "done.txt", text: "done\n" }], say: DONE };
    writeFileSync(script, JSON.stringify({ turns: [turn] }));
    const flags = ["-c", "done=test -f done.txt", "--shape", "tool", "--script", script];
    sandbox.loopWith({ cwd: inner }, "run", "Write done.txt", ...flags);
    expect(sandbox.read("inner/done.txt")).toBe("done\n");
    expect(ids(sandbox.loopWith({ cwd: inner }, "status", "--all", "--json"))).toEqual(["Write done.txt"]);
  });
});

describe("the home folder and the whole machine", () => {
  const HOW = "or add --here if you mean all of it.";

  test.each(["start", "run"])("loop %s refuses the home folder, in one sentence", (command) => {
    const sandbox = new Sandbox();
    const ran = sandbox.loopWith({ cwd: sandbox.home }, command, "Tidy up", "-c", "x=false");
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toBe(
      `loop: The project would be your home folder, ${sandbox.home}, with every file in it; go to the folder of one project, ${HOW}\n`,
    );
    expect(existsSync(join(sandbox.home, ".loop"))).toBe(false);
  });

  // By the function that both commands ask: where it failed, a command would leave its records in the root of this machine.
  test("the whole machine is refused, unless it is meant", () => {
    const machine = { cwd: "/", env: { HOME: "/home/somebody" } };
    const callerLocation = (here: boolean): unknown => expectCallerLocation(machine, { nested: false, here });
    expect(() => callerLocation(false)).toThrow(
      `The project would be the whole machine, /, with every file in it; go to the folder of one project, ${HOW}`,
    );
    expect(callerLocation(true)).toMatchObject({ project: { root: "/" }, folder: "" });
  });

  test("a repository that is the home folder is refused from below, too", () => {
    const sandbox = new Sandbox();
    const below = join(sandbox.home, "projects/shop");
    mkdirSync(below, { recursive: true });
    mkdirSync(join(sandbox.home, ".git"));
    const ran = sandbox.loopWith({ cwd: below }, "start", "Tidy up");
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("which is the git repository around this folder");
    expect(ran.err).toContain(`run git init in this folder, ${HOW}`);
  });

  test("whoever means it adds --here", () => {
    const sandbox = new Sandbox();
    const ran = sandbox.loopWith({ cwd: sandbox.home }, "start", "Tidy up", "--here");
    expect(ran.code).toBe(0);
    expect(existsSync(join(sandbox.home, ".loop"))).toBe(true);
    expect(sandbox.loopWith({ cwd: sandbox.home }, "status").code).toBe(0);
  });

  test("an agent does not mean it by itself", () => {
    const sandbox = new Sandbox();
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s1" };
    const ran = sandbox.loopWith({ cwd: sandbox.home, env }, "start", "Tidy up", "--here");
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("`loop start --here` may only be run by the user");
    expect(existsSync(join(sandbox.home, ".loop"))).toBe(false);
  });

  test("a folder in the home folder, even without git, is a project of its own", () => {
    const sandbox = new Sandbox();
    sandbox.loopWith({ cwd: sandbox.home }, "start", "Tidy up", "--here");
    const below = join(sandbox.home, "shop");
    mkdirSync(below);
    expect(sandbox.loopWith({ cwd: below }, "start", "Fix the shop").code).toBe(0);
    expect(existsSync(join(below, ".loop"))).toBe(true);
  });
});
