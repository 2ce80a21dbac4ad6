import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMachine } from "../src/storage/loops/machine.ts";
import { pruneEndedLoops } from "../src/engine/lifecycle/turn-folders.ts";
import { projectAt } from "../src/storage/home/project.ts";
import { digestOfEdited } from "../src/system/tree/file-version.ts";
import { CHECK, CLI, FINISHES, Stage, saying } from "./support/driven.ts";
import { variant } from "./support/variant.ts";

const NOT_YET = saying("Not yet.", "EXIT_SIGNAL: false");

describe("money", () => {
  test("a check that an agent wrote is no person: it cannot give the loop more", () => {
    const stage = new Stage();
    const greedy = `done=${process.execPath} ${CLI} continue --budget=1000; test -f done.txt`;
    const script = stage.script([{ say: NOT_YET, usd: 0.1 }, FINISHES]);
    const ran = stage.loop("run", "Write done.txt", "-c", greedy, "--script", script);

    // In a clean room nobody drives the loop, and the command ends what it takes for left over: itself. So it is weak.
    expect(ran.code).toBe(6);
    expect(stage.only()).toMatchObject({ budgetUsd: 25 });
    expect(stage.eventsOf("loosening.refused").length).toBeGreaterThan(0);
  });

  variant("an agent that is driven does not have another one driven", () => {
    const stage = new Stage();
    const inner = {
      run: `${process.execPath} ${CLI} run "More" -c a=true --command true 2> ${stage.mark("refused")}`,
    };
    const ran = stage.run([{ ...FINISHES, do: [inner, ...(FINISHES.do ?? [])] }]);

    expect(ran.code).toBe(0);
    expect(stage.status()).toHaveLength(1);
    expect(spawnSync("cat", [stage.mark("refused")], { encoding: "utf8" }).stdout).toMatch(
      /cannot start another run/,
    );
  });

  test("work that is done in the turn that reaches the budget is done", () => {
    const stage = new Stage();
    // Half of the bill comes early, and is the whole budget.
    const ran = stage.run([{ ...FINISHES, usd: 1 }], "--budget", "0.5");

    expect(ran.code).toBe(0);
    expect(stage.only()).toMatchObject({ phase: "completed", costUsd: 1 });
  });

  variant("what a loop was not opened with is not given to it by going on", () => {
    const stage = new Stage();
    expect(stage.run([{ say: NOT_YET, usd: 0.1 }], "--iterations", "1").code).toBe(3);
    const ran = stage.loop("run", "--budget", "1");

    expect(ran.code).toBe(1);
    expect(ran.err).toContain("loop continue --budget");
  });
});

describe("a turn that came to its end", () => {
  variant("is kept when somebody pauses the loop during its checks, and judged when it goes on", async () => {
    const stage = new Stage();
    const slow = `done=if [ -e done.txt ]; then ${stage.meet("check")}; fi; test -f done.txt`;
    const driving = stage.drive(["run", "Write done.txt", "-c", slow, "--script", stage.script([FINISHES])]);
    await stage.met("check");
    stage.loop("pause");
    stage.letGo("check");
    expect((await driving.ended()).code).toBe(4);
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "user" });

    expect(stage.loop("continue").code).toBe(0);
    expect(stage.turns()).toEqual(["1-1"]);
    expect(stage.only()).toMatchObject({ phase: "completed", iteration: 1, costUsd: 0.01 });
  });

  variant("without a word counts as a claim for a program that has none, and a check decides", () => {
    const stage = new Stage();
    const ran = stage.loop("run", "Write done.txt", "-c", CHECK, "--command", "touch done.txt; echo fine");

    expect(ran.code).toBe(0);
    expect(stage.only()).toMatchObject({ phase: "completed", confidence: "verified", iteration: 1 });
  });
});

describe("breakers", () => {
  variant("one failure less at a time is no repeated error", () => {
    const stage = new Stage({ "todo.txt": "a\nb\nc\nd\ne\n" });
    const check = "none left=! grep -n . todo.txt | sed 's/^/FAILED /' | grep FAILED";
    const turns = ["b c d e", "c d e", "d e", "e", ""].map((left) => ({
      do: [{ write: "todo.txt", text: left === "" ? "" : `${left.replaceAll(" ", "\n")}\n` }],
      say: saying("One more.", `EXIT_SIGNAL: ${left === ""}`),
      usd: 0.01,
    }));
    const script = stage.script(turns);

    expect(stage.loop("run", "Empty todo.txt", "-c", check, "--script", script)).toMatchObject({ code: 0 });
    expect(stage.only()).toMatchObject({ iteration: 5 });
  });

  test("a must-not that is violated already costs no turn", () => {
    const stage = new Stage({ "guarded.txt": "as it was\n" });
    const ran = stage.run(
      [{ do: [{ write: "guarded.txt", text: "other\n" }], say: NOT_YET, usd: 0.1 }, FINISHES],
      "--must-not",
      "path:guarded.txt",
    );
    expect(ran.code).toBe(4);
    expect(stage.loop("continue").code).toBe(4);

    expect(stage.turns()).toEqual(["1-1"]);
    expect(stage.only()).toMatchObject({ reason: "must-not", costUsd: 0.1 });
  });

  test("nor does one that the spec says in words", () => {
    const stage = new Stage({ "guarded.js": "1;\n" });
    const script = stage.script([
      {
        do: [{ write: "guarded.js", text: "2;\n" }],
        say: saying("All done.", "EXIT_SIGNAL: true"),
        usd: 0.1,
      },
      { say: NOT_YET, usd: 0.1 },
      FINISHES,
    ]);
    const spec = "Write done.txt. All changes belong in done.txt";
    expect(stage.loop("run", spec, "-c", "x=test -f done.txt", "--script", script).code).toBe(4);
    expect(stage.loop("continue").out).toContain("Paused: must-not");

    expect(stage.turns()).toEqual(["1-1"]);
    const { out } = stage.loop("export", "--format", "md");
    // Nothing was checked, so nothing contradicts the claim.
    expect(out).not.toContain("did not hold");
    expect(out).toContain("Iteration 1: it did what it must not");
    expect(out).toContain('\n> All done.\n\n"All changes belong in done.txt": guarded.js changed\n');
    expect(stage.loop("undo", "--yes").out).toContain("Back to before iteration 1");
    expect(stage.read("guarded.js")).toBe("1;\n");

    // Whoever works on is told once what it was.
    expect(stage.loop("continue").code).toBe(0);
    const told =
      'Earlier work broke a rule of this task: "All changes belong in done.txt": guarded.js changed.';
    expect(stage.turns().map((turn) => stage.prompt(turn).includes(told))).toEqual([false, true, false]);
  });
});

describe("those who watch", () => {
  test("may go away: a run that nobody reads goes on to its end", () => {
    const stage = new Stage();
    const args = stage.opening([
      { say: NOT_YET, usd: 0.01 },
      { ...FINISHES, do: [{ wait: 500 }, ...(FINISHES.do ?? [])] },
    ]);
    const line = `"$0" "$@" | head -n 1 > /dev/null; exit \${PIPESTATUS[0]}`;
    const { status } = spawnSync("bash", ["-c", line, process.execPath, CLI, ...args], {
      cwd: stage.root,
      env: stage.env,
      input: "",
    });

    expect(status).toBe(0);
    expect(stage.only()).toMatchObject({ phase: "completed", iteration: 2 });
  });

  variant("may hang up: without a terminal that ends nothing", async () => {
    const stage = new Stage();
    const driving = stage.drive(
      stage.opening([{ ...FINISHES, do: [{ run: stage.meet("work") }, ...(FINISHES.do ?? [])] }]),
    );
    await stage.met("work");
    driving.child.kill("SIGHUP");
    driving.child.kill("SIGHUP");
    stage.letGo("work");

    expect(await driving.ended()).toMatchObject({ code: 0 });
  });
});

describe("what is not ours", () => {
  test("a pipe in an edited file's place is not waited for", () => {
    const stage = new Stage();
    const pipe = join(stage.root, "pipe");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);

    expect(digestOfEdited(pipe)).toBeNull();
    writeFileSync(join(stage.root, "file"), "x");
    expect(digestOfEdited(join(stage.root, "file"))).toMatch(/^[0-9a-f]{32}$/);
  });

  variant("checkpoints of a loop that only another worktree knows stay", async () => {
    const stage = new Stage();
    expect(stage.run([{ say: NOT_YET, usd: 0 }], "--iterations", "1").code).toBe(3);
    stage.git("worktree", "add", "-q", join(stage.home, "other"));
    const machine = createMachine(stage.env, join(stage.home, "other"));
    const later = { ...machine, now: () => Date.now() + 100 * 24 * 3_600_000 };
    await pruneEndedLoops(later, projectAt(join(stage.home, "other")));

    expect(stage.git("for-each-ref", "refs/loopwright")).toContain("refs/loopwright/");
  });
});

variant("a loop whose run was killed before it drove anything is gone on with all the same", () => {
  const stage = new Stage();
  const script = stage.script([FINISHES]);
  expect(stage.run([{ say: NOT_YET, usd: 0 }], "--iterations", "1").code).toBe(3);
  stage.loop("cancel");
  // As it is left between the opening and the run: unbound, with its agent on record.
  const { id } = stage.start(null, "Write done.txt", "-c", CHECK);
  const folders = join(stage.home, "state/loopwright/loops");
  const [of, to] = [stage.status().find((each) => each.id !== id)?.id, id].map((each) =>
    readdirSync(folders).find((name) => name.startsWith(`${each}.`)),
  );
  cpSync(join(folders, of ?? "", "agent.json"), join(folders, to ?? "", "agent.json"));
  stage.script([{ say: NOT_YET, usd: 0 }, FINISHES]);

  expect(stage.loop("continue", "--script", script).code).toBe(0);
  expect(stage.status()[0]).toMatchObject({ id, phase: "completed" });
});
