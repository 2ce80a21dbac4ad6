import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { isFullEffort, oneOf } from "./support/effort.ts";
import {
  CHECK,
  CLI,
  DONE,
  Driving,
  FINISHES,
  PREFLIGHT,
  Stage,
  saying,
  type PlayedTurn,
} from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { Emulator } from "./support/emulator.ts";
import type { Ran } from "./support/sandbox.ts";
import { awakeSleepers, sleepers, uniqueSeconds } from "./support/sleepers.ts";
import { variant } from "./support/variant.ts";

/** Of util-linux: its program runs in a terminal of its own, and it passes on what is typed and shown. */
const hasScript = (spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "").includes(
  "util-linux",
);

/** A command of `loop` in a terminal. `dumb`: one that shows lines and no live view. */
function inTerminal(stage: Stage, args: readonly string[], env: NodeJS.ProcessEnv = {}): Driving {
  const line = [process.execPath, CLI, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return new Driving("script", ["-qefc", `stty cols 100 rows 40; exec ${line}`, "/dev/null"], stage.root, {
    ...stage.env,
    SHELL: "/bin/sh",
    TERM: "dumb",
    ...env,
  });
}

/** What stands on the terminal in the end. */
function shown({ out }: { readonly out: string }): string {
  return stripVTControlCharacters(out).replaceAll("\r", "");
}

const FIRST: PlayedTurn = {
  do: [
    { write: "README.md", text: "Better\nwith two lines\n" },
    { write: "notes.txt", text: "a\nb\nc\n" },
  ],
  say: saying("Looked around.", 'STEPS: ["look around"]'),
  usd: 0.25,
};
const SECOND: PlayedTurn = {
  do: [{ delete: "notes.txt" }],
  say: saying("Cleaned up.", "EXIT_SIGNAL: false"),
  usd: 0.25,
};
const STEPS = ["-s", "look around", "-s", "write it"];

/** The exit code of a run that is finished without a criterion that shows it. */
const UNVERIFIED = 6;

const QUESTION = "? Continue? [Y/n/a] ";

describe.skipIf(!hasScript)("in a terminal (which takes `script` of util-linux)", () => {
  test("a colleague asks after each iteration, and shows what it changed", async () => {
    const stage = new Stage();
    const last = { ...FINISHES, say: saying("All done.", 'STEPS: ["write it"]', "EXIT_SIGNAL: true") };
    const args = stage.opening([FIRST, SECOND, last], ...STEPS, "--shape", "colleague");
    const terminal = inTerminal(stage, args);
    await terminal.printed(QUESTION);
    terminal.type("\r");
    await terminal.printed(`Iteration 2/10`);
    await terminal.printed("D notes.txt");
    // What is typed before the question would be echoed above it.
    await until(() => terminal.out.split(QUESTION).length === 3, "it asks again");
    terminal.type("yes\r");
    const ran = await terminal.ended();

    expect(ran.code).toBe(0);
    // The bell rings last.
    expect(shown(ran).endsWith("\u0007")).toBe(true);
    expect(
      shown(ran)
        .replace(/\d+ s,/, "N s,")
        .replace("\u0007", ""),
    ).toBe(
      `${PREFLIGHT}loop: It asks you after each iteration and waits for the answer; to run without questions: --shape tool
[LOOP] Starting | Shape: Colleague (6/10) | Steps: 2 | Budget: $25
[LOOP] Iteration 1/10 | Cost: $0/$25 | Step: look around
agent › Looked around.
[LOOP] ✓ look around complete | Progress: 1/2 | Next: write it
  ✗ done  failed with exit code 1
    done: done.txt is missing
Changed:
  M README.md  +2 -1
  A notes.txt  +3 -0
Next: write it
  y: continue, n: pause here, a: continue without asking again
? Continue? [Y/n/a] 
[LOOP] Iteration 2/10 | Cost: $0.25/$25 | Step: write it
agent › Cleaned up.
  ✗ done  failed with exit code 1
    done: done.txt is missing
Changed:
  D notes.txt  +0 -3
Next: write it
  y: continue, n: pause here, a: continue without asking again
? Continue? [Y/n/a] yes
[LOOP] Iteration 3/10 | Cost: $0.50/$25 | Step: write it
agent › All done.
[LOOP] ✓ write it complete | Progress: 2/2 | Next: none
  ✓ done  passed
<loop-complete>
All success criteria satisfied:
- done: ✓ (proofs: repeat, revert)
Changed: source 2
</loop-complete>
[LOOP] Files: README.md, done.txt
[LOOP] 3 iterations, N s, $0.51/$25 | Undo: loop undo 1
`,
    );
    // The conversation goes on after a question, too: what it knows is not said again.
    expect(stage.prompt("2-1")).toContain("The output is unchanged since you last saw it.");
  });

  variant("a no pauses, and continue goes on asking", async () => {
    const stage = new Stage();
    const terminal = inTerminal(stage, stage.opening([SECOND, FINISHES], "--shape", "colleague"));
    await terminal.printed(QUESTION);
    terminal.type("n\r");
    const ran = await terminal.ended();

    expect(ran.code).toBe(4);
    expect(shown(ran)).toContain(
      'No file changed.\nNext: meet "done"\n  y: continue, n: pause here, a: continue without asking again\n? Continue? [Y/n/a] n\n[LOOP] ⏸ Paused: user\nProgress: 0 steps complete, 0 remaining\nCriteria: 0 of 1 met\nResume: loop continue\n',
    );
    const again = inTerminal(stage, ["continue"]);
    expect((await again.ended()).code).toBe(0);
    expect(stage.turns()).toEqual(["1-1", "2-1"]);
  });

  test.runIf(isFullEffort)("an a goes on by itself, and continue asks no more", async () => {
    const stage = new Stage();
    const asks = { say: saying("Stuck.", "BLOCKED: needs a word") };
    const args = stage.opening([SECOND, FIRST, asks, SECOND, FINISHES], ...STEPS, "--shape", "colleague");
    const terminal = inTerminal(stage, args);
    await terminal.printed(QUESTION);
    terminal.type("a\r");
    const ran = await terminal.ended();

    expect(ran.code).toBe(4);
    expect(shown(ran)).toContain(`${QUESTION}a\nloop: It won't ask again.\n`);
    expect(ran.out.split(QUESTION)).toHaveLength(2);
    expect(stage.eventsOf("shape.changed")).toMatchObject([{ shape: "tool", by: "person" }]);
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "blocked", shape: "tool" });
    const again = await inTerminal(stage, ["continue"]).ended();
    expect(again.code).toBe(0);
    expect(again.out).not.toContain("Continue?");
    expect(stage.loop("log").out).toMatch(/shape\.changed +tool \(by person\)/);
  });

  variant("an answer that says neither is asked for again", async () => {
    const stage = new Stage();
    const terminal = inTerminal(stage, stage.opening([SECOND, FINISHES], "--shape", "colleague"));
    await terminal.printed(QUESTION);
    terminal.type("perhaps\r");
    await until(() => terminal.out.split(QUESTION).length === 3, "it asks again");
    terminal.type("n\r");
    const ran = await terminal.ended();

    expect(ran.code).toBe(4);
    expect(shown(ran)).toContain(
      `${QUESTION}perhaps\n  Please answer y (yes), n (no) or a (always). To tell it something, pause and use: loop criteria add, loop step add\n${QUESTION}n\n`,
    );
  });

  variant.each([
    ["Ctrl-C", (terminal: Driving) => terminal.type("\u0003"), 130],
    ["Ctrl-D", (terminal: Driving) => terminal.type("\u0004"), 4],
  ] as const)("%s at the question is no yes", async (_, answer, code) => {
    const stage = new Stage();
    const terminal = inTerminal(stage, stage.opening([SECOND, FINISHES], "--shape", "colleague"));
    await terminal.printed(QUESTION);
    answer(terminal);

    expect((await terminal.ended()).code).toBe(code);
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "user", iteration: 1 });
    expect(stage.turns()).toEqual(["1-1"]);
  });

  test.runIf(isFullEffort)("a signal at the question ends it", async () => {
    const stage = new Stage();
    const terminal = inTerminal(stage, stage.opening([SECOND, FINISHES], "--shape", "colleague"));
    await terminal.printed(QUESTION);
    const runner = stage.eventsOf("run.began")[0]?.process.pid ?? 0;
    process.kill(runner, "SIGTERM");

    expect((await terminal.ended()).code).toBe(130);
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "user" });
  });

  test("Ctrl-C twice in the middle of a turn ends the agent", async () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const terminal = inTerminal(stage, stage.opening([{ do: [{ run: `sleep ${seconds}` }] }]));
    await awakeSleepers(seconds, 1);
    terminal.type("\u0003");
    await terminal.printed("Finishing this iteration, then pausing.");
    terminal.type("\u0003");

    expect((await terminal.ended()).code).toBe(130);
    expect(sleepers(seconds)).toEqual([]);
  });

  variant("a terminal that is closed pauses the run, which ends calmly", async () => {
    const stage = new Stage();
    const code = join(stage.home, "code");
    const args = stage.opening([{ do: [{ run: stage.meet("work") }], say: "Working.", usd: 0 }]);
    const words = [process.execPath, CLI, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    // Only the session's leader is told; a shell tells its jobs, and lives on to say how they ended.
    const job = `exec 3<&0; ${words.join(" ")} <&3 & p=$!; trap "kill -HUP $p" HUP; wait $p; wait $p`;
    const line = `${job}; echo $? >'${code}.new'; mv '${code}.new' '${code}'`;
    const terminal = new Driving("script", ["-qefc", line, "/dev/null"], stage.root, {
      ...stage.env,
      SHELL: "/bin/sh",
      TERM: "xterm",
    });
    await stage.met("work");
    terminal.child.kill("SIGKILL");
    await until(() => existsSync(code), "the run has ended");

    expect(readFileSync(code, "utf8")).toBe("130\n");
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "user" });
  });

  test.runIf(isFullEffort)("who pressed Ctrl-C during the iteration is not asked after it", async () => {
    const stage = new Stage();
    const turn = { ...SECOND, do: [{ run: stage.meet("work") }] };
    const terminal = inTerminal(stage, stage.opening([turn, FINISHES], "--shape", "colleague"));
    await stage.met("work");
    terminal.type("\u0003");
    await terminal.printed("Finishing this iteration, then pausing.");
    stage.letGo("work");
    const ran = await terminal.ended();

    expect(ran.code).toBe(130);
    expect(ran.out).not.toContain(QUESTION);
  });

  variant("a tool under review asks only when something major was done", async () => {
    const stage = new Stage();
    const args = stage.opening([SECOND, FIRST, SECOND, FINISHES], ...STEPS, "--shape", "tool-review");
    const terminal = inTerminal(stage, args);
    await terminal.printed(QUESTION);
    expect(stage.turns()).toEqual(["1-1", "2-1"]);
    terminal.type("\r");
    const ran = await terminal.ended();

    expect(ran.code).toBe(0);
    expect(ran.out.split(QUESTION)).toHaveLength(2);
    expect(shown(ran)).toContain("✓ look around complete | Progress: 1/2 | Next: write it\n");
  });

  variant.each([
    ["a tool", ["--shape", "tool"], {}],
    ["a run with LOOP_HEADLESS=true", ["--shape", "colleague"], { LOOP_HEADLESS: "true" }],
    ["a run with --json", ["--shape", "colleague", "--json"], {}],
    ["a run with LOOP_SHAPE=tool", [], { LOOP_SHAPE: "tool" }],
  ])("%s asks nothing", async (_, flags, env) => {
    const stage = new Stage();
    const terminal = inTerminal(stage, stage.opening([FIRST, FINISHES], ...STEPS, ...flags), env);
    const ran = await terminal.ended();

    expect(ran.code).toBe(0);
    expect(ran.out).not.toContain("Continue?");
  });

  variant("LOOP_SHAPE asks where the score would not", async () => {
    const stage = new Stage();
    const env = { LOOP_SHAPE: "colleague" };
    const terminal = inTerminal(stage, stage.opening([FIRST, FINISHES]), env);
    await terminal.printed(QUESTION);
    terminal.type("\r");

    expect((await terminal.ended()).code).toBe(0);
  });

  variant("the live view makes room for the question", async () => {
    const stage = new Stage();
    const args = stage.opening([FIRST, FINISHES], "--shape", "colleague");
    const terminal = inTerminal(stage, args, { TERM: "xterm-256color" });
    await terminal.printed("Continue? [Y/n/a]");
    terminal.type("\r");
    const ran = await terminal.ended();

    expect(ran.code).toBe(0);
    expect(shown(ran)).toContain("Changed:\n  M README.md  +2 -1\n  A notes.txt  +3 -0\n");
    // Enter is written out behind the question, which stays.
    const screen = new Emulator(100);
    // oxlint-disable-next-line no-control-regex -- colours are exactly what is taken out
    screen.write(ran.out.replace(/\u001b\[\d*m/g, ""));
    expect(screen.lines).toContain("? Continue? [Y/n/a] yes");
  });
});

describe.skipIf(!hasScript)("a vague spec in a terminal", () => {
  /** Types one line to each time it asks, as far as it does. */
  async function answered(
    stage: Stage,
    answers: readonly string[],
    args: readonly string[] = ["Make it better"],
  ): Promise<Ran> {
    const terminal = inTerminal(stage, ["run", ...args, "--script", stage.script([{ say: DONE }])]);
    for (const [index, answer] of answers.entries()) {
      await until(
        () => terminal.isOver || terminal.out.split("\n? ").length > index + 1,
        "the next question",
      );
      terminal.type(answer);
    }
    return terminal.ended();
  }

  function questionsOf(ran: Ran): readonly string[] {
    return shown(ran)
      .split("\n")
      .filter((line) => /^ {2}(?:\? |\d {2})/.test(line));
  }

  test("asks, and the answers become part of it", async () => {
    const stage = new Stage();
    const answers = [
      "The response time of GET /users in src/api.ts is below 100 ms.",
      "Only src/api.ts and src/cache.ts.",
      "No new dependencies, the public API stays as it is.",
      "npm test passes and the benchmark in bench/users.ts shows it.",
      "When bench/users.ts reports less than 100 ms in three runs.",
    ];
    const ran = await answered(stage, [
      `${answers.map((answer, index) => `${index + 1}: ${answer}`).join(" ")}\r`,
    ]);

    expect(ran.code).toBe(UNVERIFIED);
    expect(shown(ran)).toMatch(
      /^loop: The spec is too vague to run \(\d\/10\)\. Answer these in it, or give a check/,
    );
    const { spec } = stage.only();
    expect(spec).toMatch(/^Make it better\.\n\n/);
    for (const answer of answers) expect(spec).toContain(answer);
  });

  variant("that is open already, with a check, is asked about after each iteration", async () => {
    const stage = new Stage();
    stage.start(null, "Make it better", "-c", CHECK);
    const script = stage.script([{ say: saying("Not yet.", "EXIT_SIGNAL: false") }, FINISHES]);
    const terminal = inTerminal(stage, ["run", "--script", script]);
    await terminal.printed(QUESTION);
    terminal.type("\r");

    expect((await terminal.ended()).code).toBe(0);
  });

  variant("a letter takes a proposal that the project itself suggests", async () => {
    const scripts = { "package.json": JSON.stringify({ scripts: { test: "true" } }), "src/cart.js": "" };
    const stage = new Stage(scripts);
    const terminal = inTerminal(stage, [
      "run",
      "Make the cart better",
      "--script",
      stage.script([{ say: DONE }]),
    ]);
    await terminal.printed("Which of these should decide?");
    terminal.type("none\r");
    await terminal.printed("Your answers");
    terminal.type("1z\r");
    await terminal.printed("Question 1 has no Z; for example: 1A, 2: your own words.");
    terminal.type("1A 2A,3A 4a; 5A\r");
    await terminal.printed("[LOOP] Starting");

    expect(stage.only()).toMatchObject({ score: 9 });
    expect(stage.only().spec).toBe(
      "Make the cart better.\n\nOutcome: `npm run test` passes, with a new test that fails today.\nScope: Only src/cart.js.\nBoundaries: No new dependencies, and the public API must not change.\nChecking: `npm run test` passes.\nEnding: Done when `npm run test` exits with code 0.",
    );
  });

  variant("words that say nothing earn nothing, and the same is asked again", async () => {
    const stage = new Stage();
    const ran = await answered(stage, ["1: dunno, 2: dunno, 3: dunno, 4: dunno, 5: dunno\r", "\u0004"]);

    expect(ran.code).toBe(5);
    expect(shown(ran).match(/too vague to run \(0\/10\)/g)).toHaveLength(2);
    const questions = questionsOf(ran);
    expect(questions).toHaveLength(10);
    expect(questions[0]).toBe(questions[5]);
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
  });

  variant("asks again only what is open still, in the words of the answers", async () => {
    const stage = new Stage();
    const ran = await answered(stage, [
      "1: less memory usage, 2: the login form; 3) no new dependencies\r",
      "3: npm test, 4: PR merged\r",
    ]);

    expect(ran.code).toBe(UNVERIFIED);
    expect(questionsOf(ran).slice(5)).toEqual([
      '  1  Which measurable value or exact behaviour shall "memory usage" reach?',
      '  2  Which files, functions or endpoints of "login form" are meant?',
      '  3  Which command or visible result shows that "Make it better" worked?',
      '  4  How can you tell that "Make it better" is finished (PR merged, a count at zero, a check green)?',
    ]);
    expect(stage.only().spec).toBe(
      "Make it better.\n\nOutcome: less memory usage.\nScope: the login form.\nBoundaries: no new dependencies.\nChecking: `npm test` passes.\nEnding: Until PR merged.",
    );
  });

  variant("with the shape intent a clear spec is asked about, once", async () => {
    const stage = new Stage();
    const spec = "Rename total to sum in src/cart.js, no new dependencies, until npm test passes";
    const ran = await answered(stage, ["I can see it\r"], [spec, "--shape", "intent"]);

    expect(ran.code).toBe(UNVERIFIED);
    expect(shown(ran)).toMatch(/^loop: The shape intent asks first; /);
    expect(questionsOf(ran)).toHaveLength(1);
    expect(stage.only()).toMatchObject({ shape: "tool" });
  });

  variant("of a loop that is open already stays as it is, so nobody is asked", async () => {
    const stage = new Stage();
    const { id } = stage.start(null, "Make it better");
    const ran = await answered(stage, [], []);

    expect(ran.code).toBe(5);
    expect(shown(ran)).toContain(
      `or end it with loop cancel --loop ${id} and run a spec that answers these:\n`,
    );
    expect(questionsOf(ran)).toHaveLength(5);
    expect(stage.eventsOf("run.began")).toEqual([]);
  });

  test.each(
    oneOf([
      ["no answers", ["\r"], 5],
      ["the end of the input", ["\u0004"], 5],
      ["Ctrl-C", ["\u0003"], 130],
    ]),
  )("%s: nothing is opened", async (_, keys, code) => {
    const stage = new Stage();

    expect((await answered(stage, keys)).code).toBe(code);
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
  });
});
