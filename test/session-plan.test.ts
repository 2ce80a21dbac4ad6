import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFullEffort, oneOf } from "./support/effort.ts";
import { Sandbox, heldReason, toldOf } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";
import { until } from "./support/patience.ts";

const S = "session-one";
const PLAN = `Make the shop greet

### T-001: Write the greeting
verify: grep -q hello greeting.txt

### T-002: Write the farewell
verify: grep -q bye farewell.txt

### T-003: Join both
blocked by: T-001, T-002
verify: grep -q hello both.txt && grep -q bye both.txt
`;

function shop(plan = PLAN, files: { readonly [path: string]: string } = {}): Sandbox {
  const sandbox = new Sandbox({ "README.md": "shop\n", "PLAN.md": plan, ...files });
  sandbox.commitAll();
  return sandbox;
}

/** The plan is part of the command, which the host shows to its user. */
function start(sandbox: Sandbox, ...args: readonly string[]): void {
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S };
  const ran = sandbox.loopWith({ env, input: sandbox.read("PLAN.md") }, "start", "--plan", "-", ...args);
  expect(ran).toMatchObject({ code: 0 });
}

function started(plan?: string, files?: { readonly [path: string]: string }): Sandbox {
  const sandbox = shop(plan, files);
  start(sandbox);
  return sandbox;
}

interface Claimed {
  readonly task: string;
  readonly worktree: string;
  readonly spec: string;
}

/** Where the agent works on a task. */
function claim(sandbox: Sandbox, task: string): Claimed {
  const { out, err } = sandbox.agentLoop(S, "task", "claim", task, "--json");
  const [claimed] = (JSON.parse(out || `{"claimed":[]}`) as { claimed: readonly Claimed[] }).claimed;
  if (claimed === undefined) throw new Error(err);
  return claimed;
}

function write({ worktree }: Claimed, name: string, text: string): void {
  writeFileSync(join(worktree, name), text);
}

function workOn(sandbox: Sandbox, task: string, name: string, text: string): void {
  write(claim(sandbox, task), name, text);
  expect(sandbox.agentLoop(S, "task", "done", task)).toMatchObject({ code: 0 });
}

/** A reviewer's answer to `loop review brief`. */
function reviewed(sandbox: Sandbox, ...findings: readonly object[]): void {
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S };
  const input = JSON.stringify({ score: 8, findings });
  const ran = sandbox.loopWith({ env, input }, "review", "record", "-");
  if (ran.code !== 0) throw new Error(ran.err);
}

function statesOf(sandbox: Sandbox): readonly string[] {
  const { out } = sandbox.loop("task", "--json");
  return (JSON.parse(out) as { tasks: readonly { state: string }[] }).tasks.map(({ state }) => state);
}

/** Who judges and merges now; null before somebody does. */
function runningNote(sandbox: Sandbox): { readonly pid: number } | null {
  const locks = join(sandbox.home, "state", "loopwright", "loops");
  const note = readdirSync(locks)
    .map((lock) => join(locks, lock, "checking.json"))
    .find((path) => existsSync(path));
  return note === undefined ? null : (JSON.parse(readFileSync(note, "utf8")) as { pid: number });
}

function filesIn(folder: string, name: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => name.test(path))
    .map((path) => join(folder, path));
}

describe("a plan that the agent of a session works on", () => {
  test("is taken from its session by a run only if a person says so", () => {
    const sandbox = started();
    const [loop] = sandbox.status();
    const refused = sandbox.agentLoop(
      S,
      "run",
      "--loop",
      String(loop?.["id"]),
      "--agent",
      "command",
      "--command",
      "true",
    );
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("`loop run` may only be run by the user") as string,
    });
    expect(sandbox.status()).toMatchObject([{ phase: "active", session: S }]);
  });

  test("is worked on in worktrees, wave by wave, and merged at each stop", () => {
    const sandbox = started();
    const [loop] = sandbox.status();
    expect(loop).toMatchObject({ stage: "executing", session: S });
    const greeting = claim(sandbox, "T-001");
    expect(greeting.spec).toContain("T-001: Write the greeting");
    write(greeting, "greeting.txt", "hello\n");
    sandbox.agentLoop(S, "task", "done", "T-001");
    workOn(sandbox, "t-002", "farewell.txt", "bye\n");
    // Nothing is in the user's own files yet.
    expect(existsSync(join(sandbox.root, "greeting.txt"))).toBe(false);

    const reason = heldReason(sandbox.stop(S));
    expect(reason).toContain("pending tasks: T-003 Join both");
    expect(reason).toContain("Ready: T-003.");
    expect(statesOf(sandbox)).toEqual(["done", "done", "ready"]);

    const both = claim(sandbox, "T-003");
    const parts = ["greeting.txt", "farewell.txt"].map((name) => readFileSync(join(both.worktree, name)));
    write(both, "both.txt", parts.join(""));
    sandbox.agentLoop(S, "task", "done", "T-003");
    expect(heldReason(sandbox.stop(S))).toContain("Every task is merged.");
    expect(existsSync(join(sandbox.root, "both.txt"))).toBe(false);
    reviewed(sandbox);
    expect(toldOf(sandbox.stop(S))).toMatch(/^\[LOOP\] ✓ done/);
    expect(sandbox.status()[0]).toMatchObject({ phase: "completed", stage: "complete" });
    expect(sandbox.read("both.txt")).toBe("hello\nbye\n");
    expect(sandbox.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  variant(
    "counts only what its own stop sees: a task whose files were emptied after it was claimed isn't done",
    () => {
      const sandbox = started();
      const greeting = claim(sandbox, "T-001");
      write(greeting, "greeting.txt", "hello\n");
      sandbox.agentLoop(S, "task", "done", "T-001");
      write(greeting, "greeting.txt", "");
      const reason = heldReason(sandbox.stop(S));

      expect(reason).toContain("✗ T-001 isn't done:");
      expect(reason).toContain("grep -q hello greeting.txt");
      expect(statesOf(sandbox)).toEqual(["running", "ready", "blocked"]);

      write(greeting, "greeting.txt", "hello\n");
      sandbox.agentLoop(S, "task", "done", "T-001");
      heldReason(sandbox.stop(S));
      expect(statesOf(sandbox)).toEqual(["done", "ready", "blocked"]);
    },
  );

  variant("holds a task whose agent deletes the test that judges it", () => {
    const check = "sh test.sh";
    const test = "#!/bin/sh\ngrep -q hello greeting.txt\n";
    const sandbox = started(`Greet\n\n### T-001: Write the greeting\nverify: ${check}\n`, {
      "test.sh": test,
    });
    const greeting = claim(sandbox, "T-001");
    write(greeting, "test.sh", "#!/bin/sh\ntrue\n");
    sandbox.agentLoop(S, "task", "done", "T-001");

    expect(heldReason(sandbox.stop(S))).toContain("test.sh");
    expect(statesOf(sandbox)).toEqual(["running"]);
  });

  test.runIf(isFullEffort)(
    "sends work that fails only together back to its task, with the merged files",
    () => {
      const plan = `Count

### T-001: Say one
verify: test "$(cat *.txt | wc -l)" -le 1

### T-002: Say two
verify: test "$(cat *.txt | wc -l)" -le 1
`;
      const sandbox = started(plan);
      workOn(sandbox, "T-001", "one.txt", "1\n");
      workOn(sandbox, "T-002", "two.txt", "2\n");
      const reason = heldReason(sandbox.stop(S));

      expect(statesOf(sandbox)).toEqual(["done", "ready"]);
      expect(reason).toContain("Ready: T-002.");
      const again = claim(sandbox, "T-002");
      expect(again.spec).toContain("failed after the merge");
      expect(existsSync(join(again.worktree, "one.txt"))).toBe(true);
    },
  );

  test("tells the next attempt why a task was given back", () => {
    const sandbox = started();
    const first = claim(sandbox, "T-001");
    write(first, "greeting.txt", "good morning\n");
    const dropped = sandbox.agentLoop(S, "task", "drop", "T-001", "the greeting needs a language");
    expect(dropped.out).toContain("Its files are kept");
    const second = claim(sandbox, "T-001");

    expect(second.worktree).not.toBe(first.worktree);
    expect(second.spec).toContain("The agent gave it back: the greeting needs a language");
    expect(existsSync(join(second.worktree, "greeting.txt"))).toBe(false);
    rmSync(second.worktree, { recursive: true });
    const gone = sandbox.agentLoop(S, "task", "drop", "T-001", "it is gone");
    expect(gone.out).toContain("nothing of it is kept");
  });

  variant("is worked on one task at a time without git, where all share the same files", () => {
    const sandbox = shop();
    rmSync(join(sandbox.root, ".git"), { recursive: true });
    start(sandbox);
    const both = sandbox.agentLoop(S, "task", "claim", "T-001", "T-002");
    expect(both.out).toContain("T-001, attempt 1, in the project itself");
    expect(both.err).toContain("one at a time; first finish T-001");
    sandbox.write({ "greeting.txt": "hello\n" });
    sandbox.agentLoop(S, "task", "done", "T-001");
    sandbox.stop(S);
    expect(statesOf(sandbox)).toEqual(["done", "ready", "blocked"]);
    expect(sandbox.agentLoop(S, "task", "claim", "T-002").code).toBe(0);
  });

  test.runIf(isFullEffort)(
    "looks at its criteria when all tasks are merged, and claims what doesn't hold",
    () => {
      const sandbox = shop("Greet\n\n### T-001: Write the greeting\nverify: grep -q hello greeting.txt\n");
      start(sandbox, "-c", "signed=grep -q signed greeting.txt");
      workOn(sandbox, "T-001", "greeting.txt", "hello\n");

      expect(heldReason(sandbox.stop(S))).toContain("At work: END-1.");
      const last = claim(sandbox, "END-1");
      write(last, "greeting.txt", "hello\nsigned\n");
      sandbox.agentLoop(S, "task", "done", "END-1");
      heldReason(sandbox.stop(S));
      reviewed(sandbox);
      expect(toldOf(sandbox.stop(S))).toMatch(/^\[LOOP\] ✓ done/);
      expect(sandbox.read("greeting.txt")).toBe("hello\nsigned\n");
    },
  );

  test.runIf(isFullEffort)("waits for merges that outlast the host, without counting an iteration", () => {
    const sandbox = started("Greet\n\n### T-001: Write it\nverify: sleep 1; grep -q hello greeting.txt\n");
    workOn(sandbox, "T-001", "greeting.txt", "hello\n");
    const [before] = sandbox.status();
    expect(heldReason(sandbox.stop(S, {}, { LOOP_HOOK_PATIENCE_MS: "50" }))).toContain(
      "Checks are running: T-001.",
    );
    expect(sandbox.status()[0]?.iteration).toBe(before?.iteration);
    sandbox.agentLoop(S, "check", "--wait");
    expect(heldReason(sandbox.stop(S))).toContain("Every task is merged.");
    reviewed(sandbox);
    expect(toldOf(sandbox.stop(S))).toMatch(/^\[LOOP\] ✓ done/);
  });

  test.runIf(isFullEffort)("settles again after the process that judged and merged was killed", async () => {
    const sandbox = started("Greet\n\n### T-001: Write it\nverify: sleep 1; grep -q hello greeting.txt\n");
    workOn(sandbox, "T-001", "greeting.txt", "hello\n");
    heldReason(sandbox.stop(S, {}, { LOOP_HOOK_PATIENCE_MS: "50" }));
    await until(() => runningNote(sandbox) !== null, "its checks run");
    process.kill(runningNote(sandbox)?.pid ?? Number.NaN, "SIGKILL");
    expect(heldReason(sandbox.stop(S))).toContain("Every task is merged.");
    reviewed(sandbox);

    expect(toldOf(sandbox.stop(S))).toMatch(/^\[LOOP\] ✓ done/);
    expect(sandbox.read("greeting.txt")).toBe("hello\n");
    expect(sandbox.git("log", "--format=%s", "HEAD").split("\n").slice(0, 1)).toEqual(["T-001: Write it"]);
  });

  variant("tells of a completion whose process was killed before it could say so", async () => {
    const sandbox = started("Greet\n\n### T-001: Write it\nverify: grep -q hello greeting.txt\n");
    workOn(sandbox, "T-001", "greeting.txt", "hello\n");
    heldReason(sandbox.stop(S));
    reviewed(sandbox);
    heldReason(sandbox.stop(S, {}, { LOOP_HOOK_PATIENCE_MS: "1" }));
    await until(() => sandbox.only().phase === "completed", "it is completed");
    await until(() => runningNote(sandbox) === null, "its checks are over");
    const [ticket = ""] = filesIn(join(sandbox.home, "state", "loopwright", "loops"), /judging\/\w+\.json$/);
    const stored = JSON.parse(readFileSync(ticket, "utf8")) as object;
    writeFileSync(ticket, JSON.stringify({ ...stored, pid: null, result: null }));

    // Whoever comes first hears of it: another session of the project, too.
    expect(sandbox.sessionStarts("session-two").toUser).toMatch(
      /^\[LOOP\] ✓ \S+ was completed meanwhile \(verified\)\n<loop-complete>\n[^]*<\/loop-complete>$/,
    );
    expect(toldOf(sandbox.stop(S))).toMatch(/^\[LOOP\] ✓ done[^]*<loop-complete>\n[^]*<\/loop-complete>$/);
    expect(sandbox.stop(S).out).toBe("");
  });

  test.each([
    ["Make the shop greet", null, [], "colleague"],
    ["Make the shop greet", "grep -q hello a.txt", [], "tool-review"],
    ["Greet in greeting.txt, without new dependencies", "grep -q hello a.txt", [], "tool"],
    ["Make the shop greet", null, ["--shape", "tool"], "tool"],
  ])("asks as much as its fit says: %s, checked by %s %j", (spec, check, flags, shape) => {
    const sandbox = shop(`${spec}\n\n### T-001: Write it\n${check === null ? "" : `verify: ${check}\n`}`);
    start(sandbox, ...flags);
    expect(sandbox.only()).toMatchObject({ shape });
  });

  test("pauses when nothing happens any more", () => {
    const sandbox = started();
    const stops = [1, 2, 3, 4].map(() => sandbox.stop(S));

    expect(stops.slice(0, 2).map(heldReason).join("\n")).toContain("Ready: T-001, T-002.");
    expect(sandbox.status()[0]).toMatchObject({ phase: "paused", reason: "no-progress" });
  });

  test.runIf(isFullEffort)("survives the loss of a worktree", () => {
    const sandbox = started();
    const greeting = claim(sandbox, "T-001");
    write(greeting, "greeting.txt", "hello\n");
    sandbox.agentLoop(S, "task", "done", "T-001");
    rmSync(greeting.worktree, { recursive: true });
    expect(heldReason(sandbox.stop(S))).toContain("✗ T-001 isn't done:");

    workOn(sandbox, "T-001", "greeting.txt", "hello\n");
    heldReason(sandbox.stop(S));
    expect(statesOf(sandbox)).toEqual(["done", "ready", "blocked"]);
  });
});

describe("a task of a session's plan can't be claimed", () => {
  test.each([
    ["while others block it", "T-003", "waits for other tasks"],
    ["when it isn't there", "T-009", "has no task T-009; see them with: loop task"],
    ["with an id that is no id", "../../x", "has no task ../../x; see them with: loop task"],
  ])("%s, and nothing is tried first", (_, task, why) => {
    const sandbox = started();
    const { code, err } = sandbox.agentLoop(S, "task", "claim", task);

    expect(code).toBe(1);
    expect(err).toContain(why);
    expect(sandbox.git("branch", "--list", "loop/*")).toBe("");
  });

  test("beyond the number of tasks at once", () => {
    const sandbox = shop();
    start(sandbox, "--parallel", "1");
    claim(sandbox, "T-001");

    expect(sandbox.agentLoop(S, "task", "claim", "T-002").err).toContain("1 tasks are at work");
  });

  test("by another session", () => {
    const { code, err } = started().agentLoop("session-two", "task", "claim", "T-001");

    expect(code).toBe(1);
    expect(err).not.toBe("");
  });

  test("in a plan of a file whose commands nobody has read", () => {
    const sandbox = shop();
    const refused = sandbox.agentLoop(S, "start", "--plan", "PLAN.md");
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain("Nobody has approved the commands of PLAN.md");

    expect(sandbox.loop("plan", "PLAN.md", "--approve", "--yes")).toMatchObject({ code: 0 });
    expect(sandbox.agentLoop(S, "start", "--plan", "PLAN.md")).toMatchObject({ code: 0 });
  });

  test("in a plan that a run works on, or outside a session", () => {
    const sandbox = shop();

    expect(sandbox.loop("start", "--plan", "PLAN.md").err).toContain("loop run --plan PLAN.md");
  });
});

describe("the review of a session's plan", () => {
  const GREET = "Greet\n\n### T-001: Write the greeting\nverify: grep -q hello greeting.txt\n";

  function merged(): Sandbox {
    const sandbox = started(GREET);
    workOn(sandbox, "T-001", "greeting.txt", "hello\nwrold\n");
    expect(heldReason(sandbox.stop(S))).toContain("loop review brief");
    return sandbox;
  }

  variant("shows the spec and the diff of what was merged, and none of the agent's words", () => {
    const { out } = merged().agentLoop(S, "review", "brief");

    expect(out).toContain("Greet");
    expect(out).toContain("wrold");
    expect(out).toMatch(/: loop review record --of [0-9a-f]{12} '/);
    expect(out).not.toContain("Recorded.");
  });

  variant("makes a task of a blocker that quotes the diff, and reviews again", () => {
    const sandbox = merged();
    const { out: brief } = sandbox.agentLoop(S, "review", "brief");
    const [, of = ""] = /review record --of (\w+) /.exec(brief) ?? [];
    const blocker = {
      severity: "BLOCKER",
      perspective: "correctness",
      file: "greeting.txt",
      quote: "wrold",
      problem: "The greeting is misspelt.",
      breaks: "C-1",
      command: null,
      fix: "Write world.",
    };
    reviewed(sandbox, blocker, { ...blocker, quote: "not in the diff at all" });
    const reason = heldReason(sandbox.stop(S));

    expect(reason).toContain("Ready: R-1.");
    const remedy = claim(sandbox, "R-1");
    expect(remedy.spec).toContain("The greeting is misspelt.");
    write(remedy, "greeting.txt", "hello\nworld\n");
    sandbox.agentLoop(S, "task", "done", "R-1");
    expect(heldReason(sandbox.stop(S))).toContain("Every task is merged.");
    const late = sandbox.agentLoop(S, "review", "record", "--of", of, '{"score": 10, "findings": []}');
    expect(late.err).toContain("The work has changed since that brief");
    reviewed(sandbox);
    expect(toldOf(sandbox.stop(S))).toMatch(/^\[LOOP\] ✓ done/);
    expect(sandbox.read("greeting.txt")).toBe("hello\nworld\n");
  });

  variant.each(
    oneOf([
      ["no JSON", "fine, ship it"],
      ["another form", '{"approved": true}'],
      ["nothing", ""],
    ]),
  )("takes no answer with %s", (_, input) => {
    const sandbox = merged();
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S };
    const ran = sandbox.loopWith({ env, input }, "review", "record", "-");

    expect(ran.code).toBe(1);
    expect(ran.err).toContain("Nothing was recorded");
    expect(heldReason(sandbox.stop(S))).toContain("Every task is merged.");
  });

  test("isn't asked for before all tasks are merged", () => {
    expect(started(GREET).agentLoop(S, "review", "brief").err).toContain("Nothing is to be reviewed now");
  });
});
