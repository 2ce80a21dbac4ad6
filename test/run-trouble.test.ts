import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CHECK, FINISHES, Stage, type Driving } from "./support/driven.ts";
import { effort, isFullEffort, oneOf } from "./support/effort.ts";
import { readProc, sleepers, uniqueSeconds } from "./support/sleepers.ts";
import { variant } from "./support/variant.ts";

const WORDS = { transient: { kind: "transient", detail: "the service is overloaded" } } as const;

describe("a transient error", () => {
  test("is tried once more, in the same iteration, and all that was spent counts", () => {
    const stage = new Stage();
    const ran = stage.run([
      { do: [{ write: "half.txt", text: "x" }], trouble: WORDS.transient, usd: 0.5 },
      FINISHES,
    ]);

    expect(ran.code).toBe(0);
    expect(ran.out).toContain("[LOOP] Trouble: the service is overloaded | Retrying once\n");
    expect(stage.turns()).toEqual(["1-1", "1-2"]);
    expect(stage.only()).toMatchObject({ iteration: 1, costUsd: 0.51 });
    expect(stage.rows()).toMatchObject([{ iteration: 1, status: "completed", cost: 0.51 }]);
    expect(stage.prompt("1-2")).toContain("You were cut off in the middle of this iteration.");
  });

  test.runIf(isFullEffort)("that comes back pauses the loop, which then tries again from the start", () => {
    const stage = new Stage();
    const ran = stage.run([{ trouble: WORDS.transient }, { trouble: WORDS.transient }, FINISHES]);

    expect(ran.code).toBe(4);
    expect(ran.out).toContain(
      "[LOOP] ⏸ Paused: same-error (the service is overloaded, again after a retry)\n",
    );
    expect(stage.only()).toMatchObject({ iteration: 1 });
    expect(stage.loop("continue").code).toBe(0);
  });
});

describe("a usage limit", () => {
  variant("with a known reset is waited for where everybody sees it, and counts no iteration", () => {
    const stage = new Stage();
    const limit = { kind: "usage-limit", resetsInMs: 400, detail: "5-hour limit reached" } as const;
    const ran = stage.run([{ trouble: limit, usd: 0.02 }, { trouble: limit }, FINISHES]);

    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/\[LOOP\] Waiting until \d\d:\d\d:\d\d \(1 s\) \| 5-hour limit reached\n/);
    expect(ran.out).not.toContain("Iteration 2/");
    expect(stage.only()).toMatchObject({ iteration: 1, costUsd: 0.03 });
    expect(stage.eventsOf("usage-limit.met")).toHaveLength(2);
  });

  variant("without a known reset pauses the loop", () => {
    const stage = new Stage();
    const ran = stage.run([{ trouble: { kind: "usage-limit", detail: "limit reached" } }, FINISHES]);

    expect(ran.code).toBe(4);
    expect(ran.out).toContain("[LOOP] ⏸ Paused: rate-limit (limit reached)\n");
    expect(stage.loop("continue").code).toBe(0);
  });
});

describe("what only a person can mend", () => {
  test("pauses at once and says what is needed", () => {
    const stage = new Stage();
    const ran = stage.run([{ trouble: { kind: "blocking", detail: "not logged in: run claude login" } }]);

    expect(ran.code).toBe(4);
    expect(ran.out).toContain("[LOOP] ⏸ Paused: blocked (not logged in: run claude login)\n");
    expect(ran.out).toContain("Resume: loop continue\n");
    expect(ran.out).not.toContain("Answer:");
    expect(stage.turns()).toEqual(["1-1"]);
  });

  test("a program that is not there opens no loop, and one that its line doesn't find pauses", () => {
    const stage = new Stage();
    for (const line of ["no-such-agent-of-ours --stdin", "../no-such-agent", "/no/such/agent"])
      expect(stage.loop("run", "Write done.txt", "-c", CHECK, "--command", line)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`The program ${line.split(" ")[0]} isn't installed here`),
      });
    stage.write({ "agent.sh": "true\n", "tools/agent": "" });
    for (const [line, why] of [
      ["./agent.sh --fast", "./agent.sh is not executable; make it so with: chmod +x ./agent.sh"],
      ["./tools", "./tools is a folder"],
    ] as const)
      expect(stage.loop("run", "Write done.txt", "-c", CHECK, "--command", line)).toMatchObject({
        code: 1,
        err: expect.stringContaining(why),
      });
    expect(stage.status()).toEqual([]);
    const ran = stage.loop(
      "run",
      "Write done.txt",
      "-c",
      CHECK,
      "--command",
      "true && no-such-agent-of-ours",
    );
    expect(ran.code).toBe(4);
    expect(ran.out).toMatch(
      /Paused: blocked \(the program cannot be run \(exit code 127\).*no-such-agent-of-ours/,
    );
    expect(ran.out).not.toContain("Answer:");
    expect(ran.out).toContain("loop continue --command 'PROGRAM'");
  });

  variant(
    "a permission denied twice names the rule that would allow it, unless the work is done without",
    () => {
      const denied = { kind: "permission", tool: "Bash", rule: "Bash(npm test:*)" } as const;
      const stage = new Stage();
      const ran = stage.run([
        { say: "I may not.", trouble: denied },
        { say: "I may not, again.", trouble: denied },
      ]);
      expect(ran.code).toBe(4);
      expect(ran.out).toContain("may not do all it tried, and continues without: --allow 'Bash(npm test:*)'");
      expect(stage.prompt("2-1")).toContain("- 'Bash(npm test:*)'\n\nYou may edit the files here");
      expect(ran.out).toContain("Paused: blocked (permission is missing: --allow 'Bash(npm test:*)')");
      expect(ran.out).toContain("\nResume: loop continue --allow 'Bash(npm test:*)'\n");

      expect(new Stage().run([{ ...FINISHES, trouble: denied }]).code).toBe(0);
    },
  );

  variant("a denied look at the checks, which the prompt proposes, is no reason to pause", () => {
    const denied = { kind: "permission", tool: "Bash", rule: "Bash(loop check:*)" } as const;
    const ran = new Stage().run([{ do: [{ run: "true" }], say: "Not yet.", trouble: denied }, FINISHES]);
    expect(ran).toMatchObject({ code: 0 });
  });
});

describe("a conversation that is lost", () => {
  variant("is begun anew with all that has to be known", () => {
    const stage = new Stage();
    const ran = stage.run([
      { do: [{ run: "true" }], say: "One." },
      { trouble: { kind: "lost-conversation", detail: "no such session" } },
      FINISHES,
    ]);

    expect(ran.code).toBe(0);
    expect(stage.turns()).toEqual(["1-1", "2-1", "2-2"]);
    const [first, lost, anew] = stage.eventsOf("turn.launched");
    expect([first?.conversation, anew?.conversation]).toEqual([null, null]);
    expect(lost?.conversation).not.toBeNull();
    expect(stage.prompt("2-1")).not.toContain("# Task");
    expect(stage.prompt("2-2")).toContain("# Task\n\nWrite done.txt\n");
    expect(stage.prompt("2-2")).toContain("done.txt is missing");
    expect(stage.prompt("2-2")).not.toContain("unchanged");
  });
});

describe("anything else", () => {
  test.each(
    oneOf([
      ["an exit in the middle", [{ do: [{ write: "half.txt", text: "x" }, { exit: 3 }], usd: 0.02 }]],
      [
        "garbage",
        [{ do: [{ print: "\u0000\u001b[2J{{{" }, { print: '{"type":"ended"' }, { exit: 1 }], usd: 0.02 }],
      ],
      ["nothing at all", [{ do: [{ exit: 1 }], usd: 0.02 }]],
    ]),
  )("%s pauses and keeps everything", (_, turns) => {
    const stage = new Stage();
    const ran = stage.run([...turns, FINISHES]);

    expect(ran.code).toBe(4);
    expect(ran.out).toContain("Paused: unknown-error (the player ended in the middle of its turn");
    expect(stage.only()).toMatchObject({ phase: "paused", iteration: 1, costUsd: 0.01 });
    expect(stage.loop("continue").code).toBe(0);
    expect(stage.turns()).toEqual(["1-1", "1-2"]);
  });

  test.runIf(isFullEffort)("a program that fails without a word, and one that asks to be tried again", () => {
    const silent = new Stage().loop("run", "Write done.txt", "-c", CHECK, "--command", "exit 1");
    expect(silent.code).toBe(4);
    expect(silent.out).toContain("Paused: unknown-error (the program failed (exit code 1)");

    const stage = new Stage();
    const line = `if [ -e ${stage.mark("once")} ]; then touch done.txt; echo '<loop-complete>'; else touch ${stage.mark("once")}; exit 75; fi`;
    const ran = stage.loop("run", "Write done.txt", "-c", CHECK, "--command", line);
    expect(ran.out).toContain("Retrying once");
    expect(ran.code).toBe(0);
  });
});

describe("an agent that hangs", () => {
  variant("and ignores SIGTERM is ended with its tree, tried once more, then the loop pauses", () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const hangs = {
      do: [{ run: `trap '' TERM; sleep ${seconds} > /dev/null 2>&1 &` }, { hang: true } as const],
    };
    const ran = stage.run([hangs], "--hang-limit", "1s");

    expect(ran.code).toBe(4);
    expect(ran.out).toContain("Trouble: the agent printed nothing for 1 s and was ended | Retrying once");
    expect(ran.out).toContain(
      "Paused: same-error (the agent printed nothing for 1 s and was ended, again after",
    );
    expect(stage.turns()).toEqual(["1-1", "1-2"]);
    expect(sleepers(seconds)).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("an agent that prints more than memory may hold", () => {
  const MEGABYTE = 1024 ** 2;
  const PRINTED = effort(160, 1024) * MEGABYTE;
  /** Below what it would be if all of that were kept. */
  const MOST_MEMORY = effort(200, 400) * MEGABYTE;

  variant("in one line", async () => {
    const stage = new Stage();
    const driving = stage.drive(
      stage.opening([{ do: [{ flood: PRINTED }, ...(FINISHES.do ?? [])], say: FINISHES.say }]),
    );
    expect(await mostMemory(driving)).toBeLessThan(MOST_MEMORY);
    expect((await driving.ended()).code).toBe(0);
    expect(sizeOf(join(stage.root, ".loop"))).toBeLessThan(MEGABYTE);
  });

  test.runIf(isFullEffort)(
    "in lines",
    async () => {
      const stage = new Stage();
      const line = `yes "$(printf '%01000d' 7)" | head -c ${PRINTED}; touch done.txt; echo; echo '<loop-complete>'`;
      const driving = stage.drive(["run", "Write done.txt", "-c", CHECK, "--command", line]);
      expect(await mostMemory(driving)).toBeLessThan(MOST_MEMORY);
      expect((await driving.ended()).code).toBe(0);
      expect(sizeOf(join(stage.root, ".loop"))).toBeLessThan(40 * MEGABYTE);
      expect(statSync(stage.journal(stage.id)).size).toBeLessThan(MEGABYTE);
    },
    180_000,
  );

  async function mostMemory(driving: Driving): Promise<number> {
    let most = 0;
    while (!driving.isOver) {
      const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readProc(driving.pid, "status"))?.[1] ?? 0);
      most = Math.max(most, peak * 1024);
      await sleep(50);
    }
    return most;
  }

  function sizeOf(folder: string): number {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  }
});
