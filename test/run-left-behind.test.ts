import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LoopId } from "../src/core/loop/id.ts";
import { approvalFolder } from "../src/storage/home/approval-record.ts";
import { isFullEffort, oneOf } from "./support/effort.ts";
import { CHECK, DONE, FINISHES, Stage, saying, type Driving, type PlayedTurn } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { awakeSleepers, sleepers, uniqueSeconds } from "./support/sleepers.ts";
import { variant } from "./support/variant.ts";

const SESSION = "0b6f0f0e-8f0a-4c62-9a1b-5d3c2b1a0f9e";
const NOT_YET = saying("Not yet.", "EXIT_SIGNAL: false");

/** A loop whose check, once the agent has had a turn, takes until the test says so. */
function openingWithSlowCheck(stage: Stage, turns: readonly PlayedTurn[]): readonly string[] {
  const check = `slow=test -e done.txt && { ${stage.meet("check")}; }`;
  return ["run", "Write done.txt", "-c", check, "--script", stage.script(turns)];
}

/** A rehearsal bills half of its turn at once; from here on that is known. */
async function billed(stage: Stage): Promise<void> {
  await until(() => {
    try {
      return stage.own("runs/1-1/output.jsonl").includes('"usd"');
    } catch {
      return false;
    }
  }, "the first bill was kept");
}

async function killed(driving: Driving): Promise<void> {
  driving.child.kill("SIGKILL");
  await driving.ended();
}

describe("a turn that was finished, but not judged", () => {
  test("is charged by then, and is neither charged again nor repeated", async () => {
    const stage = new Stage();
    const driving = stage.drive(openingWithSlowCheck(stage, [{ ...FINISHES, usd: 2 }]));
    await stage.met("check");

    expect(stage.only()).toMatchObject({ costUsd: 2, iteration: 1 });
    await killed(driving);
    stage.letGo("check");
    expect(stage.loop("continue").code).toBe(0);

    expect(stage.only()).toMatchObject({ phase: "completed", costUsd: 2, iteration: 1 });
    expect(stage.turns()).toEqual(["1-1"]);
  });

  variant("has gone in no circles only because its edits cannot be seen again as they were", async () => {
    const stage = new Stage();
    const edits = Array.from({ length: 7 }, (_, number) => [
      { write: "notes.txt", text: `${number}\n` },
      { run: `echo "error ${"x".repeat(number + 1)}"; exit 1` },
    ]).flat();
    const turn = { do: [...edits, { write: "done.txt", text: "" }], say: NOT_YET, usd: 1 };
    const driving = stage.drive(openingWithSlowCheck(stage, [turn, { ...FINISHES, usd: 1 }]));
    await stage.met("check");
    await killed(driving);
    stage.letGo("check");

    expect(stage.loop("continue")).toMatchObject({ code: 0 });
    expect(stage.turns()).toEqual(["1-1", "2-1"]);
  });

  variant("does not complete the loop once it is undone", async () => {
    const stage = new Stage();
    const says = { do: [{ write: "done.txt", text: "done\n" }], say: DONE, usd: 1 };
    const driving = stage.drive(openingWithSlowCheck(stage, [says, { ...says, usd: 4 }]));
    await stage.met("check");
    await killed(driving);
    stage.letGo("check");

    expect(stage.loop("undo", "--yes").code).toBe(0);
    expect(stage.loop("continue").code).toBe(0);

    expect(stage.turns()).toEqual(["1-1", "1-2"]);
    expect(stage.prompt("1-2")).toContain("A person restored the files");
    expect(stage.read("done.txt")).toBe("done\n");
    expect(stage.only()).toMatchObject({ phase: "completed", costUsd: 5 });
  });

  variant("is charged when a session goes on with the loop instead", async () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const driving = stage.drive(stage.opening([{ do: [{ run: `sleep ${seconds}` }], usd: 2 }]));
    await awakeSleepers(seconds, 1);
    await billed(stage);
    await killed(driving);

    expect(stage.loop("continue", "--session", SESSION).code).toBe(0);

    expect(stage.only()).toMatchObject({ phase: "active", costUsd: 1 });
    expect(stage.eventsOf("run.ended")).toHaveLength(1);
    expect(sleepers(seconds)).toEqual([]);
  });

  variant("is charged when the loop is cancelled instead", async () => {
    const stage = new Stage();
    const driving = stage.drive(stage.opening([{ do: [{ run: stage.meet("work") }], usd: 2 }]));
    await stage.met("work");
    await billed(stage);
    await killed(driving);

    expect(stage.loop("cancel").code).toBe(0);
    expect(stage.only()).toMatchObject({ phase: "cancelled", costUsd: 1 });
  });

  test("stays in the user's files when the loop is cancelled, which says how to take it back", () => {
    const stage = new Stage();
    const half = { do: [{ write: "half.txt", text: "x" }], say: NOT_YET };
    expect(stage.run([half, { say: NOT_YET }], "--iterations", "2").code).toBe(3);
    const undo = `loop undo 1 --loop ${stage.id}`;
    expect(stage.loop("cancel").out).toContain(
      `Its edits stay in your files; take them back with: ${undo}\n`,
    );
    expect(stage.loop(...undo.split(" ").slice(1), "--yes").code).toBe(0);
    expect(existsSync(join(stage.root, "half.txt"))).toBe(false);
  });

  variant("leaves no summary behind that tells how to go on, once the loop is cancelled", () => {
    const stage = new Stage();
    expect(stage.run([{ say: NOT_YET, usd: 1 }], "--budget", "1").code).toBe(2);
    expect(stage.read(".loop/summary.md")).toContain("# Paused: budget");

    expect(stage.loop("cancel").code).toBe(0);

    expect(stage.read(".loop/summary.md")).toMatch(/^# Cancelled\n/);
    expect(stage.rows()).toMatchObject([{ iteration: 1, status: "paused", cost: 1 }]);
  });
});

describe("what a session has spent since its last stop", () => {
  variant("goes along when a run takes the loop", () => {
    const stage = new Stage();
    const transcript = stage.mark("transcript.jsonl");
    writeFileSync(transcript, "");
    stage.event("session-start", SESSION, { hook_event_name: "SessionStart", transcript_path: transcript });
    stage.start(SESSION, "Write done.txt", "-c", CHECK);
    const usage = { input_tokens: 0, output_tokens: 1_000_000 };
    const message = { id: "m1", role: "assistant", model: "claude-sonnet-4-5", usage, content: [] };
    writeFileSync(transcript, `${JSON.stringify({ type: "assistant", requestId: "r1", message })}\n`);

    const ran = stage.loop("run", "--loop", stage.id, "--script", stage.script([FINISHES]));

    expect(ran.code).toBe(0);
    expect(stage.only().costUsd).toBeCloseTo(15.01, 6);
  });
});

describe("a run that was killed", () => {
  test("leaves nothing half-written beside its loop's records, once somebody goes on", async () => {
    const stage = new Stage();
    const driving = stage.drive(stage.opening([{ do: [{ run: stage.meet("work") }] }, FINISHES]));
    await stage.met("work");
    await killed(driving);
    stage.letGo("work");
    const record = approvalFolder({
      home: join(stage.home, "state", "loopwright"),
      root: stage.root,
      loop: stage.only().id as LoopId,
    });
    const written = (pid: number): readonly string[] =>
      ["opened.json", "openings/written.json"].map((name) => `${name}.${pid}.abc123.tmp`);
    for (const name of [...written(driving.child.pid ?? 0), ...written(process.pid)])
      writeFileSync(join(record, name), "{");

    expect(stage.loop("continue").code).toBe(0);

    const drafts = readdirSync(record, { recursive: true, encoding: "utf8" });
    // Those of the living stay.
    expect(drafts.filter((name) => name.endsWith(".tmp")).toSorted()).toEqual(written(process.pid));
  });

  variant("has worked until it was last seen, and not until somebody goes on", async () => {
    const stage = new Stage();
    const driving = stage.drive(stage.opening([{ do: [{ run: stage.meet("work") }] }, FINISHES]));
    await stage.met("work");
    await killed(driving);
    const then = Date.now();
    stage.letGo("work");

    expect(stage.loop("continue", "--max-minutes", "60").code).toBe(0);

    const [ended] = stage.eventsOf("run.ended");
    expect(ended?.lastSeenAt).toBeLessThanOrEqual(then);
    expect(stage.eventsOf("run.ended")).toHaveLength(2);
  });

  variant("has worked until then also when it is paused first", async () => {
    const stage = new Stage();
    const driving = stage.drive(stage.opening([{ do: [{ run: stage.meet("work") }] }, FINISHES]));
    await stage.met("work");
    await killed(driving);

    expect(stage.loop("pause").code).toBe(0);

    expect(stage.events().slice(-2)).toMatchObject([
      { type: "run.ended", lastSeenAt: expect.any(Number) },
      { type: "loop.paused" },
    ]);
  });
});

describe("whoever pauses or ends a loop", () => {
  test.each(
    oneOf([
      ["pause", 4, "paused"],
      ["cancel", 1, "cancelled"],
    ] as const),
  )("by loop %s does not wait for its checks", async (command, code, phase) => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const check = `slow=test ! -e done.txt || sleep ${seconds}`;
    const script = stage.script([{ ...FINISHES, usd: 3 }]);
    const driving = stage.drive(["run", "Write done.txt", "-c", check, "--script", script]);
    await awakeSleepers(seconds, 1);

    expect(stage.loop(command).code).toBe(0);

    expect((await driving.ended()).code).toBe(code);
    expect(sleepers(seconds)).toEqual([]);
    expect(stage.only()).toMatchObject({ phase, costUsd: 3 });
    expect(stage.eventsOf("check.ran").map(({ atStart }) => atStart)).toEqual([true]);
  });
});

describe("who pauses and goes on at once, while its checks run,", () => {
  variant("has the turn judged that is there, by the run that is there", async () => {
    const stage = new Stage();
    // The check ends late, so that the run is still busy with it when it is to go on.
    const check = `slow=test -e done.txt && { test -e ${stage.mark("check.go")} || { trap 'touch ${stage.mark("term")}' TERM; ${stage.meet("check")}; }; }`;
    const script = stage.script([
      { ...FINISHES, usd: 1 },
      { say: DONE, usd: 5 },
    ]);
    const driving = stage.drive(["run", "Write done.txt", "-c", check, "--script", script]);
    await stage.met("check");

    expect(stage.loop("pause").code).toBe(0);
    await until(() => existsSync(stage.mark("term")), "the check is to end");
    expect(stage.loop("continue").out).toMatch(/already drives it; watch it with/);
    stage.letGo("check");

    expect((await driving.ended()).code).toBe(0);
    expect(stage.turns()).toEqual(["1-1"]);
    expect(stage.only()).toMatchObject({ phase: "completed", costUsd: 1, iteration: 1 });
  });
});

describe("what an agent spent and did not tell", () => {
  test.each(
    oneOf([
      ["when it ends", "touch done.txt", 0],
      ["when it is ended for its silence", "echo working; sleep 1000", 4],
    ]),
  )("is unknown, not nothing, %s", (_, command, code) => {
    const stage = new Stage();
    const line = ["run", "Write done.txt", "-c", CHECK, "--command", command, "--hang-limit", "1s"];

    expect(stage.loop(...line).code).toBe(code);

    expect(stage.only().costUsd).toBeNull();
    expect(stage.rows()).toMatchObject([{ iteration: 1, cost: null }]);
  });
});

describe("a limit", () => {
  variant("of tokens ends a turn in the middle", () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const turn = { do: [{ run: `sleep ${seconds}` }], tokens: { input: 1_000, output: 1_000 } };
    const ran = stage.run([turn], "--budget", "none", "--max-tokens", "900");

    expect(ran.code).toBe(2);
    expect(ran.out).toContain("Paused: budget (1000 of 900 tokens used)");
    expect(sleepers(seconds)).toEqual([]);
  });

  test.runIf(isFullEffort)("that is raised during a turn counts for that turn", async () => {
    const stage = new Stage();
    const turn = {
      do: [{ run: stage.meet("work") }, { say: "More." }, { wait: 3_000 }, ...(FINISHES.do ?? [])],
      say: DONE,
      usd: 1,
    };
    const driving = stage.drive(stage.opening([turn], "--max-minutes", "0.05"));
    await stage.met("work");

    expect(stage.loop("continue", "--max-minutes", "60").out).toContain("already drives it");
    stage.letGo("work");

    expect((await driving.ended()).code).toBe(0);
    expect(stage.turns()).toEqual(["1-1"]);
  });

  test("is not added to by a continue that cannot begin", () => {
    const stage = new Stage();
    stage.run([{ say: NOT_YET, usd: 1 }], "--budget", "1");
    const given = stage.only().budgetUsd;

    const refused = stage.loop("continue", "--budget", "5", "--agent", "codex");

    expect(refused.code).toBe(1);
    expect(stage.only()).toMatchObject({ phase: "paused", budgetUsd: given });
  });
});
