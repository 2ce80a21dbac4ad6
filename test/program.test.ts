import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CHECK, CLI, FINISHES, PREFLIGHT, Stage } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { heldReason, type Ran } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

/**
 * Most tests run `loop` in a process that stays for all of them. Here each command is the built program as users start it: its
 * exit code, what it prints, and what it complains of.
 */
interface Smoke {
  readonly words: readonly string[];
  readonly code?: number;
  readonly out?: RegExp;
  readonly err?: RegExp;
  /** What has to be there first. */
  readonly given?: (stage: Stage) => void;
}

const NOTHING = /^$/;

const opened = (stage: Stage): void => void stage.start("s1", "Write done.txt", "-c", CHECK, "-s", "look");
const finished = (stage: Stage): void => expect(stage.run([FINISHES]).code).toBe(0);
const paused = (stage: Stage): void => {
  opened(stage);
  expect(stage.loop("pause").code).toBe(0);
};
const protectedOne = (stage: Stage): void => {
  stage.start(null, "Write done.txt", "-c", CHECK, "--protect", "README.md");
  stage.write({ "README.md": "Another\n" });
};

const COMMANDS: readonly Smoke[] = [
  {
    words: ["run", "Make it better", "--command", "true"],
    code: 5,
    err: /^loop: The spec is too vague to run/,
  },
  {
    words: ["start", "Write done.txt", "-c", CHECK],
    out: /^\[LOOP\] Starting \| /,
    err: new RegExp(`^${PREFLIGHT}$`),
  },
  { words: ["answer", "1A"], given: opened, code: 1, err: /^loop: The loop \S+ has no stages; / },
  { words: ["status"], out: /^No loop is open in .*\nOpen one with: loop run "what you want"\n$/ },
  { words: ["check"], given: opened, code: 1, out: /^✗ done .*\n {4}done\.txt is missing\n$/ },
  { words: ["continue", "--session", "s1"], given: paused, out: /^\[LOOP\] / },
  { words: ["pause"], given: opened, out: /^\[LOOP\] ⏸ Paused: user\n/ },
  { words: ["cancel"], given: opened, out: /Remaining: look, done\n/ },
  { words: ["done"], given: opened, out: /\S/ },
  { words: ["blocked", "needs", "a", "key"], given: opened, out: /Paused: blocked \(needs a key\)\n/ },
  { words: ["tell", "the", "port", "is", "8080"], given: opened, out: /^Recorded\. The agent hears it / },
  { words: ["undo", "--yes"], given: finished, out: /^Back to before iteration 1 of / },
  { words: ["criteria"], given: opened, out: /done/ },
  { words: ["step"], given: opened, out: /look/ },
  {
    words: ["plan", "### T-001: Dig. Verify: true"],
    out: /^spec: 1 task in 1 wave, .*\n\nWave 1\n {2}T-001 {2}Dig/,
  },
  { words: ["task"], given: opened, out: /^The loop \S+ has no tasks\.\n$/ },
  { words: ["review"], given: opened, code: 1, err: /^loop: The loop \S+ has no plan; loop review shows / },
  { words: ["worktrees"], out: /^There are no worktrees of loops for this project\.\n$/ },
  { words: ["worker"], code: 1, err: /^loop: Say which fleet: --fleet URL, or LOOP_FLEET\.\n$/ },
  { words: ["fleet", "trust", "w1", "abc"], code: 1, err: /^loop: "abc" is not a key; / },
  { words: ["score", "Make it better"], out: /^outcome +\d\/2 / },
  { words: ["recall", "Fix the cart"], out: /^Nothing that was learned here is about this\.\n$/ },
  { words: ["learn", "The tests need a database."], out: /^Kept \w{12}: The tests need a database\.\n$/ },
  {
    words: ["init"],
    given: (stage) => stage.write({ "package.json": '{"scripts":{"test":"true"}}' }),
    out: /"tests pass": "npm run test"[^]*\nNothing was written, because there is no terminal to ask in; /,
  },
  { words: ["dashboard", "--port", "none"], code: 1, err: /^loop: .*--port/ },
  { words: ["export", "--format", "md"], given: finished, out: /Write done\.txt/ },
  { words: ["log"], given: opened, out: /loop\.opened/ },
  { words: ["trust"], out: /^Nothing needs approval\.\n$/ },
  {
    words: ["approve", "--yes"],
    given: protectedOne,
    out: /changed {2}README\.md\n +- A project\n +\+ Another\nAccepted;/,
  },
  {
    words: ["install", "claude-code", "--yes"],
    out: /^\S+settings\.json \(new\)\nInstalled the hooks for new sessions[^]*"statusLine"[^]*loop status --line/,
  },
  { words: ["uninstall", "claude-code"], out: /^No loop hooks found in the settings\.\n$/ },
  { words: ["mcp", "--setup"], out: /^\[mcp_servers\.loop\]$/m },
  { words: ["plugin", "path"], out: /\/dist\n$/ },
  { words: ["doctor"], out: /^✓ \S/ },
  {
    words: ["demo"],
    out: /\nloop {2}› Caught: the checks pass only because test\/cart\.test\.js changed\.\n[^]*\n4 iterations, .*Two of the agent's claims were false: /,
  },
  { words: ["completion", "bash"], out: /complete/ },
  { words: ["help", "status"], out: /^Usage: loop status \[options\] \[id\]\n/ },
];

/** Silence is expected where nothing else is said. */
function outcomeOf({ code = 0, out = NOTHING, err = NOTHING }: Omit<Smoke, "words">): Ran {
  return { code, out: expect.stringMatching(out) as string, err: expect.stringMatching(err) as string };
}

describe("loop, as its users start it", () => {
  test.each(COMMANDS.map((smoke) => [smoke.words[0] ?? "", smoke] as const))(
    "prints and ends as it should: %s",
    (_, smoke) => {
      const stage = new Stage();
      smoke.given?.(stage);
      expect(stage.spawnLoop(...smoke.words)).toEqual(outcomeOf(smoke));
    },
  );

  test("has no command that is not started here", () => {
    const { code, out, err } = new Stage().spawnLoop("--help");
    expect([code, err]).toEqual([0, ""]);
    // Names stand at the beginning of a line of their group; options do not, and neither do examples.
    const named = [...out.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name);
    expect(named).toEqual(COMMANDS.map(({ words }) => words[0]));
  });

  variant("plays a plan with a conflict, and with work that only fails together", () => {
    const stage = new Stage();
    const { code, out, err } = stage.spawnLoop("demo", "plan");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      /T-002: its result conflicts with what was merged meanwhile: Conflicts in src\/cart\.js\./,
    );
    expect(out).toMatch(
      /T-004: it passes alone and fails after the merge: .*: FAILED: expected Total 17\.00, got An item without a name\n/,
    );
    expect(out).toMatch(/\nAll tasks verified:\n[^]*\n6 attempts at 4 tasks, \$0\.24 \(scripted\), /);
    const [, folder] = /(\S+)\/corner-shop\n/.exec(out) ?? [];
    expect(folder).toMatch(/loopwright-demo-/);
    expect(existsSync(folder ?? "")).toBe(false);
    expect(stage.spawnLoop("demo", "dance")).toMatchObject({ code: 1, out: "" });
  });

  test("leaves no folder behind when the reader of a demo goes away", async () => {
    const stage = new Stage();
    const folder = stage.mark("scratch");
    mkdirSync(folder);
    const line = `"${process.execPath}" "${CLI}" demo | head -n 5 > /dev/null`;
    const { status } = spawnSync("bash", ["-c", line], { env: { ...stage.env, TMPDIR: folder } });
    // From version 22 on, Node itself keeps there what npm has it compile.
    const left = (): readonly string[] => readdirSync(folder).filter((name) => name !== "node-compile-cache");

    expect(status).toBe(0);
    await until(() => left().length === 0, "the folder was removed");
  });

  test("runs a spec to its end", () => {
    const stage = new Stage();
    const ran = stage.spawnLoop(...stage.opening([{ say: "Not yet." }, FINISHES]));
    expect(ran).toEqual(outcomeOf({ out: /\n<loop-complete>\n/, err: new RegExp(`^${PREFLIGHT}$`) }));
    expect(stage.only()).toMatchObject({ phase: "completed", iteration: 2 });
  });

  test("records a run as it does in a process that stays, where nothing but words and files is played without a process", () => {
    const turns = [{ say: "Not yet.", usd: 0.5 }, FINISHES];
    const [one, other] = [new Stage(), new Stage()];
    one.spawnLoop(...one.opening(turns));
    other.run(turns);
    const recorded = (stage: Stage): readonly string[] => stage.events().map(({ type }) => type);
    expect(recorded(other)).toEqual(recorded(one));
    expect(other.own("runs/1-1/output.jsonl").replace(/"id":"[^"]*"/, "")).toBe(
      one.own("runs/1-1/output.jsonl").replace(/"id":"[^"]*"/, ""),
    );
    expect(other.only()).toMatchObject({ costUsd: one.only().costUsd, iteration: one.only().iteration });
  });

  test.each([
    [["--version"], { out: /^\d+\.\d+\.\d+\n$/ }],
    [["frobnicate"], { code: 1, err: /^loop: unknown command 'frobnicate'/ }],
    [["status", "--no-such-flag"], { code: 1, err: /^loop: unknown option '--no-such-flag'/ }],
    [["pause"], { code: 1, err: /^loop: No loop is open/ }],
  ])("answers %j as it does in a process that stays", (words, expected) => {
    const stage = new Stage();
    const ran = stage.spawnLoop(...words);
    expect(ran).toEqual(outcomeOf(expected));
    expect(stage.loop(...words)).toEqual(ran);
  });

  variant("reads standard input, and says the same help as in a process that stays", () => {
    const stage = new Stage();
    const input = "Write done.txt\n";
    const words = ["score", "--file", "-", "--json"];
    const ran = stage.spawnLoopWith({ input }, ...words);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(stage.loopWith({ input }, ...words)).toEqual(ran);
    for (const help of [["--help"], ["help", "criteria"], ["run", "--help"], ["step", "add", "--help"]])
      expect(stage.loop(...help)).toEqual(stage.spawnLoop(...help));
  });
});

describe("the program of the hook", () => {
  const stop = JSON.stringify({ hook_event_name: "Stop", session_id: "s1", stop_hook_active: false });

  test("holds, counts, and lets go of whom it does not know", () => {
    const stage = new Stage();
    opened(stage);
    const ran = stage.spawnHook(stop);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(heldReason(ran)).toContain("unmet criteria: done");
    expect(stage.only().iteration).toBe(1);
    expect(stage.spawnHook(stop.replace("s1", "nobody"))).toEqual({ code: 0, out: "", err: "" });
  });

  variant("answers in a process that stays in the same words", () => {
    const stage = new Stage();
    opened(stage);
    for (const [env, flags] of [
      [{}, ["--reply", "ok"]],
      [{ LOOP_DISABLE: "1" }, ["--reply=ok"]],
      [{ LOOP_DISABLE: "1" }, []],
    ] as const)
      expect(stage.hook(stop, env, flags)).toEqual(stage.spawnHook(stop, env, flags));
    expect(stage.hook("{", {})).toEqual(stage.spawnHook("{", {}));
  });

  variant("is what loop hook is", () => {
    const stage = new Stage();
    opened(stage);
    const ran = stage.spawnLoopWith({ input: stop }, "hook", "stop");
    expect(ran).toMatchObject({ code: 0, err: "" });
    heldReason(ran);
  });
});
