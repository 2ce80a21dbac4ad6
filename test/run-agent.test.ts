import { chmodSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { CHECK, CLI, DONE, FINISHES, Stage, saying, type PlayedTurn } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { heldReason, toldOf } from "./support/sandbox.ts";
import { awakeSleepers, sleepers, uniqueSeconds } from "./support/sleepers.ts";
import { variant } from "./support/variant.ts";
import { oneOf } from "./support/effort.ts";

const LOOP = `'${process.execPath}' '${CLI}'`;
const NOT_YET = saying("Not yet.", "EXIT_SIGNAL: false");

describe("who drives", () => {
  test("of two at once one wins; the other says who drives, and changes nothing", async () => {
    const stage = new Stage();
    const { id } = stage.start(null, "Write done.txt", "-c", CHECK);
    const script = stage.script([{ ...FINISHES, do: [{ run: stage.meet("work") }, ...(FINISHES.do ?? [])] }]);
    const args = ["run", "--loop", id, "--script", script];
    const both = [stage.drive(args), stage.drive(args)];
    await stage.met("work");
    await until(() => both.some((each) => each.isOver), "one of them gave up");

    const winner = both.find((each) => !each.isOver);
    const loser = both.find((each) => each.isOver);
    expect(await loser?.ended()).toMatchObject({
      code: 1,
      err: `loop: Process ${winner?.pid} is already driving the loop ${id}; watch it with: loop status --watch --loop ${id}\n`,
    });
    const going = stage.loop("continue");
    expect(going.out).toContain(`Process ${winner?.pid} already drives it`);
    expect(going.out).not.toContain("Iteration");
    expect(going.code).toBe(1);
    const other = stage.loop("run", "--loop", id, "--command", "touch done.txt");
    expect(other.err).toContain(`Process ${winner?.pid} is already driving`);
    expect(readdirSync(join(stage.home, "state/loopwright/sessions"))).toHaveLength(1);

    stage.loop("pause");
    expect((await winner?.ended())?.code).toBe(4);
    expect(stage.eventsOf("run.began")).toHaveLength(1);
    stage.letGo("work");
    expect(stage.loop("continue").code).toBe(0);
    expect(stage.eventsOf("run.began").map((event) => event.driver)).toEqual(["rehearsal", "rehearsal"]);
  });

  test("a pause from outside ends the agent at once, and the iteration is begun again", async () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const driving = stage.drive(stage.opening([{ do: [{ run: `sleep ${seconds}` }], usd: 0.02 }]));
    await awakeSleepers(seconds, 1);
    expect(stage.loop("pause").code).toBe(0);
    const ran = await driving.ended();

    expect(ran.code).toBe(4);
    expect(ran.out).toContain("[LOOP] ⏸ Paused: user\n");
    expect(ran.out).not.toContain("Trouble");
    expect(sleepers(seconds)).toEqual([]);
    expect(stage.only()).toMatchObject({ iteration: 1, costUsd: 0.01 });
    stage.script([FINISHES]);
    const again = stage.loop("continue");
    expect(again.code).toBe(0);
    expect(again.out).toMatch(/^\[LOOP RESUME\] Active loop detected\nSpec: Write done\.txt\n/);
    expect(stage.turns()).toEqual(["1-1", "1-2"]);
  });

  variant("a criterion that a person adds meanwhile counts from the next decision on", async () => {
    const stage = new Stage();
    const driving = stage.drive(
      stage.opening([
        { ...FINISHES, do: [...(FINISHES.do ?? []), { run: stage.meet("work") }] },
        { do: [{ write: "more.txt", text: "more" }], say: DONE },
      ]),
    );
    await stage.met("work");
    const check = "test -f more.txt || { echo 'more.txt is missing'; exit 1; }";
    expect(stage.loop("criteria", "add", "more", "--check", check).code).toBe(0);
    stage.letGo("work");

    expect((await driving.ended()).code).toBe(0);
    expect(stage.turns()).toEqual(["1-1", "2-1"]);
    expect(stage.prompt("2-1")).toContain("unmet criteria: more\n");
    expect(stage.prompt("2-1")).toContain("more.txt is missing");
  });

  variant("a loop of a session goes on in a run, and the session's hook lets go without a word", () => {
    const stage = new Stage();
    const { id } = stage.start("s1", "Write done.txt", "-c", CHECK);
    expect(heldReason(stage.stop("s1"))).toContain("[ITERATION 1/10]");
    expect(heldReason(stage.stop("s1"))).toContain("[ITERATION 2/10]");
    const ran = stage.loop(
      "run",
      "--loop",
      id,
      "--script",
      stage.script([{ do: [{ run: "true" }] }, FINISHES]),
    );

    expect(ran.code).toBe(0);
    expect(ran.out).toContain("[LOOP] Iteration 2/10 |");
    expect(stage.only()).toMatchObject({ phase: "completed", iteration: 3 });
    expect(stage.stop("s1")).toEqual({ code: 0, out: "", err: "" });
  });

  variant(
    "a run's loop goes on in the session where the user says so, with its counters and its cost",
    async () => {
      const stage = new Stage();
      const seconds = uniqueSeconds();
      const driving = stage.drive(
        stage.opening([
          { do: [{ run: "true" }], say: NOT_YET, usd: 0.25 },
          // Should its command end before it does itself, it does not come to the end of its turn.
          { do: [{ run: `sleep ${seconds}` }, { hang: true }], usd: 0.5 },
        ]),
      );
      await awakeSleepers(seconds, 1);
      stage.event("user-prompt-submit", "s2", {
        prompt: `/loop:continue --loop ${stage.id}`,
        prompt_id: "p1",
      });
      expect(stage.agentLoop("s2", "continue", "--loop", stage.id).code).toBe(0);
      const ran = await driving.ended();

      expect(ran.code).toBe(4);
      expect(ran.out).toContain(`[LOOP] Another session took over ${stage.id}.\n`);
      expect(sleepers(seconds)).toEqual([]);
      expect(stage.only()).toMatchObject({ phase: "active", session: "s2", iteration: 2, costUsd: 0.5 });
      expect(heldReason(stage.stop("s2"))).toContain("[ITERATION 3/10]");
      stage.write({ "done.txt": "" });
      stage.agentLoop("s2", "done");
      expect(toldOf(stage.stop("s2"))).toContain("[LOOP] ✓ done: done (");
      expect(stage.only()).toMatchObject({ phase: "completed" });
    },
  );

  test("a second session takes a loop from one that is alive only by its name, and says from which", () => {
    const stage = new Stage();
    const { id } = stage.start("s1", "Write done.txt", "-c", CHECK);
    stage.event("user-prompt-submit", "s2", { prompt: "/loop:continue", prompt_id: "p1" });
    const refused = stage.agentLoop("s2", "continue", "--session", "s2");
    expect(refused.code).toBe(1);
    expect(refused.err).toBe(
      `loop: The loop ${id} is active in another session (session s1, last active just now). To take it over, the user types: /loop:continue --loop=${id}\n`,
    );
    expect(heldReason(stage.stop("s1"))).toContain("[ITERATION 1/10]");

    stage.event("user-prompt-submit", "s2", { prompt: `/loop:continue --loop=${id}`, prompt_id: "p2" });
    const taken = stage.agentLoop("s2", "continue", "--session", "s2", "--loop", id);
    expect(taken).toMatchObject({ code: 0 });
    expect(taken.out).toMatch(/\nTaken from session s1, last active .*, which is no longer held\.\n$/);
    expect(stage.stop("s1").out).not.toContain("block");
    expect(stage.only()).toMatchObject({ session: "s2" });
  });

  test("in a session whose host has commands, status names what the user types there", () => {
    const stage = new Stage();
    stage.start("s1", "Write done.txt", "-c", CHECK);
    stage.agentLoop("s1", "blocked", "needs a password");
    expect(stage.agentLoop("s1", "status").out).toContain("next: /loop:continue");
    expect(stage.loop("status").out).toContain("next: loop continue");
  });

  test("an agent does not free its session by driving the loop itself", () => {
    const stage = new Stage();
    const { id } = stage.start("s1", "Write done.txt", "-c", CHECK);
    const ran = stage.agentLoop("s1", "run", "--loop", id, "--command", "true");

    expect(ran.code).toBe(1);
    expect(ran.err).toContain("`loop run` may only be run by the user");
    expect(heldReason(stage.stop("s1"))).toContain("[ITERATION 1/10]");
  });
});

describe("an agent inside a run", () => {
  variant("has its own words as commands", () => {
    const stage = new Stage();
    const ran = stage.run(
      [
        {
          do: [
            { run: `${LOOP} step done look` },
            { run: `${LOOP} check > ${stage.mark("check")} 2>&1` },
            { write: "done.txt", text: "" },
            { run: `${LOOP} done` },
          ],
          say: "Everything is there.",
        },
      ],
      ...["-s", "look"],
    );

    expect(ran.code).toBe(0);
    expect(ran.out).toContain("[LOOP] ✓ look complete | Progress: 1/1 | Next: none\n");
    expect(readFileSync(stage.mark("check"), "utf8")).toContain("done.txt is missing");
    expect(stage.eventsOf("exit.signalled")).toMatchObject([{ source: "command" }]);
  });

  test("that says it is blocked is ended at once", () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const ran = stage.run([
      { do: [{ run: `${LOOP} blocked needs the staging password` }, { run: `sleep ${seconds}` }] },
    ]);

    expect(ran.code).toBe(4);
    expect(ran.out).toContain("[LOOP] ⏸ Paused: blocked (needs the staging password)\n");
    expect(ran.out).not.toContain("Trouble");
    expect(sleepers(seconds)).toEqual([]);
    expect(stage.eventsOf("loop.paused")).toMatchObject([{ by: "agent" }]);
  });

  test.each(
    oneOf<[string, PlayedTurn]>([
      ["by the command", { do: [{ run: `${LOOP} blocked --check done it contradicts the spec` }] }],
      ["in its status block", { say: saying("Stuck.", 'BLOCKED: {"done": "it contradicts the spec"}') }],
    ]),
  )("names the check that it cannot meet, %s, and the summary says so", (_, turn) => {
    const stage = new Stage();
    const ran = stage.run([turn]);

    expect(ran.code).toBe(4);
    expect(ran.out).toContain('[LOOP] ⏸ Paused: blocked (check "done": it contradicts the spec)\n');
    expect(stage.read(".loop/summary.md")).toContain(
      '# Paused: blocked (check "done": it contradicts the spec)\n',
    );
  });

  test("asks something that loop answer doesn't take, and that says what does", () => {
    const stage = new Stage();
    const { id } = stage.start(null, "Write done.txt", "-c", CHECK);
    expect(stage.loop("answer", "8080").err).toContain("has no stages");

    const script = stage.script([{ say: saying("Which port?", "BLOCKED: which port?") }]);
    expect(stage.loop("run", "--loop", id, "--script", script).code).toBe(4);
    expect(stage.loop("answer", "8080").err).toBe(
      `loop: The agent of ${id} asks; answer it with: loop continue --loop ${id} --say "YOUR ANSWER"\n`,
    );
  });

  variant("may not loosen its loop", () => {
    const stage = new Stage({ "loop.config.json": '{ "checks": { "more": "true" } }', "a.lock": "1" });
    const tried = [
      "continue --budget 5",
      "continue",
      "cancel",
      "pause",
      "trust --yes",
      "approve --yes",
      "criteria remove done",
      "criteria check done 'true'",
      "undo --yes",
    ];
    const log = stage.mark("answers");
    const ran = stage.run(
      [
        {
          do: [
            { write: "a.lock", text: "2" },
            ...tried.map((words) => ({ run: `${LOOP} ${words} >> ${log} 2>&1 && echo ALLOWED >> ${log}` })),
            { write: "a.lock", text: "1" },
          ],
          say: NOT_YET,
        },
        FINISHES,
      ],
      ...["--protect", "*.lock"],
    );

    expect(ran.code).toBe(0);
    const answers = readFileSync(log, "utf8");
    expect(answers.match(/^loop: `loop [^`]*` may only be run by the user, .*$/gm)).toHaveLength(
      tried.length,
    );
    expect(answers).not.toContain("ALLOWED");
    expect(stage.eventsOf("loosening.refused").map((event) => event.what)).toEqual([
      "loop continue --budget=5",
      "loop continue",
      "loop cancel",
      "loop pause",
      "loop approve",
      "loop criteria remove",
      "loop criteria check",
      "loop undo",
    ]);
    expect(stage.only()).toMatchObject({ phase: "completed", budgetUsd: 25 });
  });

  variant(
    "is told apart from an outer agent, and has our hooks switched off; checks do not see its keys",
    () => {
      const stage = new Stage();
      const seen = (name: string): ReadonlyMap<string, string> =>
        new Map(
          readFileSync(stage.mark(name), "utf8")
            .split("\n")
            .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const),
        );
      const script = stage.script([
        { do: [{ run: `env > ${stage.mark("agent-env")}` }, ...(FINISHES.do ?? [])], say: DONE },
      ]);
      const env = {
        CLAUDECODE: "1",
        CLAUDE_CODE_SESSION_ID: "outer",
        CLAUDE_CODE_ENTRYPOINT: "cli",
        GEMINI_CLI: "1",
        OPENCODE: "1",
        CODEX_SANDBOX: "seatbelt",
        CURSOR_AGENT: "1",
        LOOP_SHAPE: "tool",
        LOOP_HEADLESS: "true",
        EXAMPLE_API_KEY: "sk-example-123456",
        PLAIN: "plain value",
      };
      const check = `done=env > ${stage.mark("check-env")}; test -f done.txt`;
      const ran = stage.loopWith({ env }, "run", "Write done.txt", "-c", check, "--script", script);
      expect(ran.code).toBe(0);

      const agent = seen("agent-env");
      expect(agent.get("LOOP_DISABLE")).toBe("1");
      expect(agent.get("LOOP_SESSION")).toBe(stage.eventsOf("run.began")[0]?.run);
      expect(agent.get("EXAMPLE_API_KEY")).toBe("sk-example-123456");
      expect(agent.get("PLAIN")).toBe("plain value");
      const outer = Object.keys(env).filter((name) => !["EXAMPLE_API_KEY", "PLAIN"].includes(name));
      expect(outer.filter((name) => agent.has(name))).toEqual([]);

      const checks = seen("check-env");
      expect(checks.get("PLAIN")).toBe("plain value");
      expect(checks.has("EXAMPLE_API_KEY")).toBe(false);
      expect(checks.has("LOOP_SESSION")).toBe(false);
    },
  );

  test.each(
    oneOf([
      ["as it is", "sk-live-4242424242"],
      ["that JSON writes in another way", 'pa"ss\\word\twith é'],
    ]),
  )("leaves no secret behind, %s", (_, secret) => {
    const stage = new Stage();
    const words = `The key is ${secret}.`;
    const env = { EXAMPLE_API_KEY: secret };
    const turns = [
      {
        do: [
          { say: words },
          { print: words },
          { run: 'printf "%s" "$EXAMPLE_API_KEY" | tee /dev/stderr; exit 1' },
          { write: "notes.txt", text: "no secret" },
        ],
        say: saying(words, "EXIT_SIGNAL: false"),
      },
      { say: words, trouble: { kind: "transient", detail: words } as const },
      { say: saying(words, `BLOCKED: ${secret.replaceAll("\t", " ")} is wrong`) },
    ];
    const args = stage.opening(turns, "--verbose");
    const ran = stage.loopWith({ env }, ...args);

    expect(ran.code).toBe(4);
    expect(ran.out + ran.err).not.toContain(secret);
    const folder = join(stage.root, ".loop");
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    const leaking = files.filter((file) => {
      const text = readFileSync(join(file.parentPath, file.name), "utf8");
      return text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1));
    });
    expect(leaking.map((file) => file.name)).toEqual([]);
    expect(stage.own("runs/1-1/output.jsonl")).toContain("[EXAMPLE_API_KEY withheld]");
    expect(stage.rows()[0]?.said).toBe("The key is [EXAMPLE_API_KEY withheld].");
  });
});

describe("which agent", () => {
  /** A PATH with git, and programs that do nothing but fail. */
  function pathWith(stage: Stage, ...programs: readonly string[]): NodeJS.ProcessEnv {
    const bin = join(stage.home, "bin");
    mkdirSync(bin);
    symlinkSync(execFileSync("which", ["git"], { encoding: "utf8" }).trim(), join(bin, "git"));
    for (const name of programs) {
      writeFileSync(join(bin, name), "#!/bin/sh\nexit 1\n");
      chmodSync(join(bin, name), 0o755);
    }
    return { PATH: bin };
  }
  const spec = ["run", "Write done.txt", "-c", "done=false"];
  const began = (stage: Stage) => stage.eventsOf("run.began").map(({ driver, model }) => ({ driver, model }));

  test("none: one sentence, and nothing is opened", () => {
    const stage = new Stage();
    const env = pathWith(stage);
    writeFileSync(join(stage.home, "bin", "claude"), "not a program");
    mkdirSync(join(stage.home, "bin", "codex"));
    const ran = stage.loopWith({ env }, ...spec);

    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(
      /^loop: No agent is installed: none of .*\(claude\).* is on PATH\. Install one\. `loop run` also takes any program, with: --agent command --command 'PROGRAM'\n$/,
    );
    expect(ran.out).toBe("");
    expect(readdirSync(stage.root)).not.toContain(".loop");
  });

  variant("the first that is installed, and the one that is named before it", () => {
    const stage = new Stage();
    const env = pathWith(stage, "gemini", "opencode");
    stage.loopWith({ env }, ...spec);
    expect(began(stage)).toEqual([{ driver: "gemini-cli", model: null }]);

    stage.loopWith({ env }, "run", "--loop", stage.id, "--agent", "opencode", "--model", "m2");
    expect(began(stage)[1]).toEqual({ driver: "opencode", model: "m2" });
    // Who goes on without saying more goes on with that one.
    stage.loopWith({ env }, "continue");
    expect(began(stage)[2]).toEqual({ driver: "opencode", model: "m2" });
  });

  variant("the project's, once a person has approved its config", () => {
    const stage = new Stage({ "loop.config.json": '{ "agent": "opencode", "model": "m1" }' });
    const env = pathWith(stage, "gemini", "opencode");
    const untrusted = stage.loopWith({ env }, ...spec);
    expect(untrusted.err).toContain("Ignoring loop.config.json: it is not approved");
    expect(began(stage)).toEqual([{ driver: "gemini-cli", model: null }]);
    stage.loop("cancel");

    expect(stage.loop("trust", "--yes").code).toBe(0);
    const other = new Set(readdirSync(join(stage.root, ".loop/loops")));
    stage.loopWith({ env }, ...spec);
    const fresh = readdirSync(join(stage.root, ".loop/loops")).find((id) => !other.has(id)) ?? "";
    expect(readFileSync(stage.journal(fresh), "utf8")).toContain('"driver":"opencode","model":"m1"');
    // Another agent has no use for that model.
    stage.loopWith({ env }, "run", "--loop", fresh, "--agent", "gemini-cli");
    expect(readFileSync(stage.journal(fresh), "utf8")).toContain('"driver":"gemini-cli","model":null');
  });

  test("says what is missing", () => {
    const stage = new Stage();
    expect(stage.loop(...spec, "--agent", "command").err).toBe(
      "loop: Say which program: --agent command --command 'PROGRAM'\n",
    );
    expect(stage.loop(...spec, "--agent", "rehearsal").err).toBe(
      "loop: Say what to play: --agent rehearsal --script FILE, or a folder with a script for each attempt of a plan\n",
    );
    expect(stage.loop(...spec, "--agent", "nobody").err).toContain("Allowed choices are claude-code, codex,");
    const env = { LOOP_SHAPE: "loud" };
    expect(stage.loopWith({ env }, ...spec, "--command", "true").err).toBe(
      'loop: LOOP_SHAPE is "loud"; set it to auto, tool, tool-review, colleague, or unset it.\n',
    );
    expect(readdirSync(stage.root)).not.toContain(".loop");
    expect(stage.loop("run").err).toMatch(/^loop: No loop is open in .*; open one with: loop run/);
  });
});
