import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { isFullEffort } from "./support/effort.ts";
import { DONE, FINISHES, PREFLIGHT, Stage, saying } from "./support/driven.ts";
import { PATIENT, until } from "./support/patience.ts";
import { awakeSleepers, processesWith, sleepers, uniqueSeconds } from "./support/sleepers.ts";
import { variant } from "./support/variant.ts";

const NOT_YET = saying("Not yet.", "EXIT_SIGNAL: false");

/** The last line of what is complained about. */
const FINISHED_UNVERIFIED =
  /^loop: Finished, but unverified: no criterion says when it is done; to count that as a success: --accept weak\n$/m;

describe("a run that completes", () => {
  test("says each step on the way, in the words that scripts know", () => {
    const stage = new Stage();
    const ran = stage.run(
      [
        { do: [{ run: "true" }], say: saying("Half of it.", 'STEPS: ["parse"]'), usd: 0.5 },
        { ...FINISHES, say: saying("All of it.", 'STEPS: ["print"]', "EXIT_SIGNAL: true"), usd: 0.25 },
      ],
      ...["-s", "parse", "-s", "print"],
    );

    expect(ran.out.replace(/\d+ s,/, "N s,")).toBe(
      `[LOOP] Starting | Shape: Tool (6/10) | Steps: 2 | Budget: $25
[LOOP] Iteration 1/10 | Cost: $0/$25 | Step: parse
agent › Half of it.
[LOOP] ✓ parse complete | Progress: 1/2 | Next: print
  ✗ done  failed with exit code 1
    done: done.txt is missing
[LOOP] Iteration 2/10 | Cost: $0.50/$25 | Step: print
agent › All of it.
[LOOP] ✓ print complete | Progress: 2/2 | Next: none
  ✓ done  passed
<loop-complete>
All success criteria satisfied:
- done: ✓ (proofs: repeat, revert)
Changed: source 1
</loop-complete>
[LOOP] Files: done.txt
[LOOP] 2 iterations, N s, $0.75/$25 | Undo: loop undo 1
`,
    );
    expect(ran).toMatchObject({ code: 0, err: PREFLIGHT });
    expect(stage.only()).toMatchObject({ phase: "completed", iteration: 2, costUsd: 0.75 });
  });

  test("a claim that its check contradicts is not believed", () => {
    const stage = new Stage();
    const ran = stage.run([{ say: DONE, usd: 0.01 }, FINISHES]);

    expect(ran.code).toBe(0);
    expect(stage.eventsOf("turn.launched")).toHaveLength(2);
  });

  variant("work that is finished in the last iteration that is allowed is finished", () => {
    const stage = new Stage();
    const ran = stage.run([{ say: NOT_YET }, FINISHES], "--iterations", "2", "--budget", "0.01");

    expect(ran.code).toBe(0);
  });

  variant(
    "with --json prints the journal as lines of JSON, the agent's doings between them, and nothing else",
    () => {
      const stage = new Stage();
      const ran = stage.run([{ do: [{ run: "true" }], say: NOT_YET, usd: 0.01 }, FINISHES], "--json");
      const lines = ran.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { loop: string; type: string; seq?: number });

      expect(ran).toMatchObject({ code: 0, err: "" });
      expect(new Set(lines.map((line) => line.loop))).toEqual(new Set([stage.id]));
      const recorded = lines.filter((line) => !line.type.startsWith("agent."));
      expect(recorded.map((line) => line.type)).toEqual(stage.events().map((event) => event.type));
      expect(lines.map((line) => line.type)).toEqual(
        expect.arrayContaining(["agent.used", "agent.edited", "agent.said", "agent.billed"]),
      );
    },
  );

  test.runIf(isFullEffort)(
    "many iterations leave nothing behind that adds up",
    () => {
      const stage = new Stage();
      const turns = Array.from({ length: 14 }, (_, index) => ({
        do: [{ write: `part-${index}.txt`, text: "x" }],
        say: NOT_YET,
      }));
      const ran = stage.run(
        [...turns, FINISHES],
        ...["--iterations", "20", "--stuck-limit", "0", "--same-error-limit", "0"],
      );

      // Node tells of listeners that pile up.
      expect(ran).toMatchObject({ code: 0, err: PREFLIGHT });
    },
    120_000,
  );
});

describe("exit codes", () => {
  test("2, 3 and 4 tell what paused it, and the text says how to go on", () => {
    const stage = new Stage();
    const budget = stage.run([{ say: NOT_YET, usd: 0.02 }], "--budget", "0.02", "-s", "write it");
    expect(budget.code).toBe(2);
    expect(budget.out).toContain(
      "[LOOP] ⏸ Paused: budget ($0.02 of $0.02 spent)\nProgress: 0 steps complete, 1 remaining\nResume: loop continue --budget=0.02\n",
    );

    const iterations = new Stage();
    const ran = iterations.run([{ do: [{ run: "true" }], say: NOT_YET }], "--iterations", "1");
    expect(ran.code).toBe(3);
    expect(ran.out).toContain("Resume: loop continue --iterations=1\n");
    expect(iterations.turns()).toEqual(["1-1"]);

    const other = new Stage().run([{ say: saying("Stuck.", "BLOCKED: needs the staging password") }]);
    expect(other.code).toBe(4);
    expect(other.out).toContain("[LOOP] ⏸ Paused: blocked (needs the staging password)\n");
    expect(other.out).toContain("Resume: loop continue\n");

    const both = new Stage().run([{ say: saying("Stuck.", "BLOCKED: needs it") }], "--iterations", "1");
    expect(both.code).toBe(4);
    expect(both.out).toContain("Resume: loop continue --iterations=1\n");
  });

  test("5 is a spec too vague to spend money on; it says what to answer, and opens nothing", () => {
    const stage = new Stage();
    const ran = stage.loop("run", "Make it better", "--script", stage.script([FINISHES]));

    expect(ran.code).toBe(5);
    expect(ran.err).toContain("The spec is too vague to run");
    expect(ran.err.match(/^ {2}\? /gm)?.length).toBeGreaterThan(2);
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
    const insisted = ["run", "Make it better", "--shape", "tool", "--script", stage.script([{ say: DONE }])];
    expect(stage.loop(...insisted)).toMatchObject({
      code: 6,
      err: expect.stringMatching(FINISHED_UNVERIFIED),
    });
  });

  test("6 is finished without being shown, with the reason on stderr; 0 where weak is accepted", () => {
    const asked = ["run", "Say hello", "--shape", "tool"];
    const unshown = new Stage();
    expect(unshown.loop(...asked, "--script", unshown.script([{ say: DONE }]))).toMatchObject({
      code: 6,
      err: expect.stringMatching(FINISHED_UNVERIFIED),
    });
    expect(unshown.status()[0]).toMatchObject({
      phase: "completed",
      confidence: "unverified",
      why: ["no criterion says when it is done"],
    });
    const accepted = new Stage();
    const script = accepted.script([{ say: DONE }]);
    expect(accepted.loop(...asked, "--script", script, "--accept", "weak")).toMatchObject({
      code: 0,
      err: expect.not.stringContaining("Finished"),
    });
    expect(accepted.loop(...asked, "--script", script, "--accept", "verified").code).toBe(1);
  });

  variant("6 is 0, too, where an approved config accepts weak", () => {
    const stage = new Stage();
    const script = stage.script([{ say: DONE }]);
    stage.write({ "loop.config.json": JSON.stringify({ accept: "weak" }) });
    const asked = ["run", "Say hello", "--shape", "tool", "--script", script];
    expect(stage.loop(...asked).code).toBe(6);
    expect(stage.loop("trust", "--yes").out).toContain("accept: weak");
    expect(stage.loop(...asked).code).toBe(0);
  });

  test("weak is accepted by a person, and by nobody from within an agent's session", () => {
    const stage = new Stage();
    const asked = ["run", "Say hello", "--shape", "tool", "--script", stage.script([{ say: DONE }])];
    const ran = stage.agentLoop("s1", ...asked, "--accept", "weak");
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.err).toContain("`loop run --accept=weak` may only be run by the user");
    expect(stage.status()).toEqual([]);
  });

  test("a loop that goes on in a session is not asked how its run may end", () => {
    const stage = new Stage();
    stage.start("s1", "Say hello");
    stage.loop("pause");
    const ran = stage.loop("continue", "--session", "s1", "--accept", "weak");
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("--accept applies only to driven loops");
    expect(stage.only().phase).toBe("paused");
  });

  variant("a run that is continued ends with 6 and 0 likewise", () => {
    const turns = [{ say: NOT_YET }, { say: DONE }];
    const codes = [[], ["--accept", "weak"]].map((accepts) => {
      const stage = new Stage();
      const asked = ["run", "Say hello", "--shape", "tool", "--iterations", "1"];
      expect(stage.loop(...asked, "--script", stage.script(turns)).code).toBe(3);
      return stage.loop("continue", "--iterations", "1", ...accepts).code;
    });
    expect(codes).toEqual([6, 0]);
  });

  test("1 when it is cancelled meanwhile: the agent is ended with all it started", async () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const driving = stage.drive(stage.opening([{ do: [{ run: `sleep ${seconds} & sleep ${seconds}` }] }]));
    await awakeSleepers(seconds, 2);

    expect(stage.loop("cancel").code).toBe(0);
    const ran = await driving.ended();

    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/\n\[LOOP\] Cancelled: \S+\n$/);
    expect(ran.out).not.toContain("Trouble");
    expect(sleepers(seconds)).toEqual([]);
  });

  variant("1 when the loop is deleted meanwhile: said once, and nothing is written back", async () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const driving = stage.drive(stage.opening([{ do: [{ run: `sleep ${seconds}` }] }]));
    await awakeSleepers(seconds, 1);

    // The run may be writing a projection at this very moment.
    await vi.waitFor(() => rmSync(join(stage.root, ".loop"), { recursive: true }), PATIENT);
    const ran = await driving.ended();

    expect(ran.code).toBe(1);
    expect(ran.err).toBe(
      `${PREFLIGHT}loop: The loop's folder was deleted, which cancels the loop; nothing was written. See which files a run kept with: loop undo --list\n`,
    );
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
    expect(sleepers(seconds)).toEqual([]);
  });

  test("1 when the agent itself deletes the loop, whatever it says then", () => {
    const stage = new Stage();
    const named = '{"type":"conversation","id":"another-conversation"}';
    const ran = stage.run([
      { do: [{ run: "until rm -rf .loop; do sleep 0.05; done" }, { print: named }], say: NOT_YET },
    ]);

    expect(ran.code).toBe(1);
    expect(ran.err).toBe(
      `${PREFLIGHT}loop: The loop's folder was deleted, which cancels the loop; nothing was written. See which files a run kept with: loop undo --list\n`,
    );
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
  });

  test.runIf(isFullEffort)("1 when the loop is deleted between two turns", async () => {
    const stage = new Stage();
    const path = join(stage.root, ".loop");
    const driving = stage.drive(
      stage.opening([
        { say: NOT_YET, do: [{ run: "true" }], trouble: { kind: "usage-limit", resetsInMs: 3000 } },
      ]),
    );
    await driving.printed("[LOOP] Waiting until");
    rmSync(path, { recursive: true, maxRetries: 5 });

    expect((await driving.ended()).code).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  variant("1 when the state cannot be understood any more, and it says which file", () => {
    const stage = new Stage();
    // Not before the conversation is on record, which writes the file anew.
    const damaging = {
      run: "until grep -q conversation.opened .loop/loops/*/journal.jsonl; do sleep 0.05; done; sleep 0.2; echo '{' > .loop/state.json",
    };
    const ran = stage.run([{ do: [damaging], say: NOT_YET }]);

    expect(ran.code).toBe(1);
    expect(ran.err.replace(PREFLIGHT, "")).toMatch(/^loop: The loop \S+ is aborted: .*state\.json.*\n$/);
    rmSync(join(stage.root, ".loop/state.json"));
    stage.script([FINISHES, FINISHES]);
    expect(stage.loop("continue").code).toBe(0);
  });
});

describe("what this machine knows", () => {
  test.each(["loops", "sessions"])("%s deleted meanwhile: nothing more is run, and it says so", (folder) => {
    const stage = new Stage();
    const path = join(stage.home, "state", "loopwright", folder);
    const ran = stage.run([{ do: [{ run: `rm -r ${path}` }], say: NOT_YET }, FINISHES]);

    expect(ran.code).toBe(1);
    expect(ran.err.replace(PREFLIGHT, "")).toMatch(
      /^loop: The lock of the loop \S+ was changed or deleted while it ran/,
    );
    expect(stage.turns()).toEqual(["1-1"]);
  });
});

describe("an interrupt", () => {
  test("once: the iteration is finished, then the loop is paused; continue goes on with the next", async () => {
    const stage = new Stage();
    const driving = stage.drive(
      stage.opening([
        { do: [{ run: stage.meet("middle") }, { write: "half.txt", text: "half" }], say: NOT_YET, usd: 0.01 },
        FINISHES,
      ]),
    );
    await stage.met("middle");
    driving.child.kill("SIGINT");
    await driving.printed("Finishing this iteration, then pausing.");
    stage.letGo("middle");
    const ran = await driving.ended();

    expect(ran.code).toBe(130);
    expect(ran.out).toContain("[LOOP] ⏸ Paused: user (interrupted)\n");
    expect(stage.read("half.txt")).toBe("half");
    expect(stage.eventsOf("turn.ended")).toMatchObject([{ outcome: "finished" }]);
    expect(stage.loop("continue").code).toBe(0);
    expect(stage.turns()).toEqual(["1-1", "2-1"]);
    expect(stage.prompt("2-1")).not.toContain("cut off");
  });

  variant(
    "twice: the agent is ended at once, and continue begins the iteration again and says so",
    async () => {
      const stage = new Stage();
      const seconds = uniqueSeconds();
      const script = [{ do: [{ run: `sleep ${seconds}` }] }];
      const driving = stage.drive(stage.opening(script));
      await awakeSleepers(seconds, 1);
      driving.child.kill("SIGINT");
      await driving.printed("Finishing this iteration");
      driving.child.kill("SIGINT");
      const ran = await driving.ended();

      expect(ran.code).toBe(130);
      expect(sleepers(seconds)).toEqual([]);
      expect(ran.out).not.toContain("Trouble");
      expect(stage.only()).toMatchObject({ phase: "paused", reason: "user", iteration: 1 });
      await until(() => processesWith(stage.home).length === 0, "the guardian is gone");

      // Whether the player saw its command end before it was ended itself does not matter.
      stage.script([FINISHES], true);
      expect(stage.loop("continue")).toMatchObject({ code: 0, err: "" });
      expect(stage.turns()).toEqual(["1-1", "1-2"]);
      expect(stage.prompt("1-2")).toContain("You were cut off in the middle of this iteration.");
      expect(stage.rows()).toMatchObject([{ iteration: 1, status: "completed" }]);
    },
  );

  variant("SIGTERM stops at once, too", async () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const driving = stage.drive(stage.opening([{ do: [{ run: `sleep ${seconds}` }] }]));
    await awakeSleepers(seconds, 1);
    driving.child.kill("SIGTERM");

    expect((await driving.ended()).code).toBe(130);
    expect(sleepers(seconds)).toEqual([]);
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "user" });
  });

  variant(
    "during the checks: they are not waited for, and the finished turn is judged when the loop goes on",
    async () => {
      const stage = new Stage();
      const seconds = uniqueSeconds();
      const slow = `slow=test -f done.txt && test ! -e ${stage.mark("quick")} && sleep ${seconds}; test -f done.txt`;
      const driving = stage.drive([
        ...["run", "Write done.txt", "-c", slow, "--script", stage.script([FINISHES])],
        ...["--check-timeout", "1h"],
      ]);
      await awakeSleepers(seconds, 1);
      driving.child.kill("SIGTERM");
      const ran = await driving.ended();

      expect(ran.code).toBe(130);
      await until(() => sleepers(seconds).length === 0, "the check is ended");
      expect(stage.eventsOf("turn.ended")).toEqual([]);
      writeFileSync(stage.mark("quick"), "");
      const again = stage.loop("continue");
      expect(again.out).toContain(
        "[LOOP] Iteration 1 was finished when its run was cut off; it counts once.",
      );
      expect(again.code).toBe(0);
      expect(stage.turns()).toEqual(["1-1"]);
      expect(stage.only().costUsd).toBeCloseTo(0.01, 10);
    },
  );

  test.runIf(isFullEffort)(
    "once, while a usage limit is waited out: nothing is waited for any longer",
    async () => {
      const stage = new Stage();
      const driving = stage.drive(
        stage.opening([{ trouble: { kind: "usage-limit", resetsInMs: 3_600_000 } }, FINISHES]),
      );
      await driving.printed("[LOOP] Waiting until");
      driving.child.kill("SIGINT");

      expect((await driving.ended()).code).toBe(130);
      expect(stage.only()).toMatchObject({ phase: "paused", reason: "user", iteration: 1 });
    },
  );
});

describe("what a run leaves behind", () => {
  const turns = [
    { do: [{ run: "true" }], say: saying("A first try.", 'STEPS: ["look"]'), usd: 0.5 },
    { ...FINISHES, say: saying("Done.", 'STEPS: ["write"]', "EXIT_SIGNAL: true"), usd: 0.25 },
  ];

  test("state.json, one line an iteration, and a summary for people", () => {
    const stage = new Stage();
    stage.run(turns, "-s", "look", "-s", "write");

    expect(JSON.parse(stage.read(".loop/state.json"))).toMatchObject({
      loopId: stage.id,
      status: "completed",
    });
    expect(stage.rows()).toMatchObject([
      { iteration: 1, step: "look", status: "continued", cost: 0.5, said: "A first try." },
      { iteration: 2, step: "write", status: "completed", cost: 0.25 },
    ]);
    const summary = stage.read(".loop/summary.md");
    expect(summary).toMatch(/^# Completed\n\n> Write done\.txt\n/);
    expect(summary).toContain("- Cost: $0.75/$25, 0 tokens\n");
    expect(summary).toContain("| ✓ | done | `test -f done.txt");
    expect(summary).toContain("| 1 | continued | $0.50 | A first try. |\n");
    expect(summary).toContain("- [x] look\n- [x] write\n");
  });

  variant(
    "a paused run says in the summary how to go on, and its file of iterations grows with the next",
    () => {
      const stage = new Stage();
      stage.run(turns, "--iterations", "1");
      expect(stage.read(".loop/summary.md")).toMatch(/^# Paused: iterations \(1 of 1 iterations used\)\n/);
      expect(stage.read(".loop/summary.md")).toContain("- Resume: `loop continue --iterations=1`\n");
      expect(stage.rows()).toMatchObject([{ iteration: 1, status: "paused", reason: "iterations" }]);

      expect(stage.loop("continue", "--iterations", "5").code).toBe(0);
      expect(stage.rows().map((row) => row.status)).toEqual(["paused", "completed"]);
    },
  );

  test.runIf(isFullEffort)("what is deleted of it is made again, also in the middle of a run", () => {
    const stage = new Stage();
    const ran = stage.run([
      { do: [{ run: "true" }], say: "One." },
      { do: [{ run: "rm .loop/iterations.jsonl .loop/state.json" }], say: "Two." },
      FINISHES,
    ]);

    expect(ran.code).toBe(0);
    expect(stage.rows().map((row) => row.iteration)).toEqual([1, 2, 3]);
    expect(JSON.parse(stage.read(".loop/state.json"))).toMatchObject({ loopId: stage.id });
  });

  test.runIf(isFullEffort)("where they cannot be written the run goes on, and tells the same", () => {
    const stage = new Stage();
    const script = [{ do: [{ run: "rm .loop/iterations.jsonl; mkdir .loop/iterations.jsonl" }] }, FINISHES];
    const ran = stage.run(script, "--json");

    expect(ran.code).toBe(0);
    expect(ran.out).toContain('"type":"loop.completed"');
  });

  variant("a run that is over leaves no process, no session and no draft", async () => {
    const stage = new Stage();
    stage.run([FINISHES]);

    await until(() => processesWith(stage.home).length === 0, "everything is gone");
    expect(readdirSync(join(stage.home, "state", "loopwright", "sessions"))).toEqual([]);
    const files = readdirSync(join(stage.root, ".loop"), { recursive: true, encoding: "utf8" });
    expect(files.filter((name) => /\.tmp$|live\.json$/.test(name))).toEqual([]);
  });
});

variant("the status shows a loop that has just completed, although an older one is still open", () => {
  const stage = new Stage();
  const { id } = stage.start(null, "Tidy up");
  stage.loop("pause", "--loop", id);
  stage.run([FINISHES]);

  const { out } = stage.loop("status");
  expect(out).toMatch(/^completed [^]*Write done\.txt[^]*\npaused [^]*Tidy up/);
  stage.loop("continue", "--loop", id);
  expect(stage.loop("status").out).not.toContain("completed");
});

test.each([
  ["isn't installed", [], "Codex is not installed: codex is not on PATH"],
  ["takes no rules", ["--allow", "Bash(ls)"], "Codex has no rules for --allow; use --permission-mode."],
])("an agent that %s is refused before a loop is opened", (_, flags, says) => {
  const stage = new Stage();
  const ran = stage.loop(
    "run",
    "Write done.txt",
    "-c",
    "done=test -f done.txt",
    "--agent",
    "codex",
    ...flags,
  );
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining(says) });
  expect(existsSync(join(stage.root, ".loop"))).toBe(false);
});
