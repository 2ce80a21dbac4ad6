import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE } from "./support/driven.ts";
import { FIX, PlayedTask, SPEC } from "./support/played-task.ts";
import { heldReason } from "./support/sandbox.ts";
import { isFullEffort } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

const S = "impatient";
const IMPATIENT = { LOOP_HOOK_PATIENCE_MS: "200" };
const MORE_TESTS = `echo 'test("one", () => assert.equal(total([5]), 5));' >> test/total.test.js`;

/** A session whose host does not wait, with a check that counts its runs outside the project. */
class ImpatientTask extends PlayedTask {
  constructor() {
    super();
    const check = `tests pass=echo >> "${this.mark("runs")}"; sleep 0.3; node --test`;
    this.start(S, SPEC, "-c", check, "--no-progress-limit", "0");
  }

  get runs(): number {
    const path = this.mark("runs");
    return existsSync(path) ? readFileSync(path, "utf8").length : 0;
  }

  /** What the host is told. */
  claim(): string {
    return this.stop(S, { last_assistant_message: DONE }, IMPATIENT).out;
  }

  /** Held, since checks run. */
  claimAndWait(): void {
    const reason = heldReason(this.stop(S, { last_assistant_message: DONE }, IMPATIENT));
    if (!reason.includes("Checks are running: tests pass")) throw new Error(reason);
    this.agentLoop(S, "check", "--wait");
  }
}

describe("proofs that outlast the host's patience", () => {
  variant("are run beside the checks, are waited for, and count by the same ticket", () => {
    const task = new ImpatientTask();
    task.act(`${FIX}\n${MORE_TESTS}`);
    task.claimAndWait();
    // The look before the work, the check, the opening's judge, and the repeat.
    expect(task.runs).toBe(4);

    expect(task.claim()).toContain("✓ done");
    expect(task.runs).toBe(4);
    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "verified" });
    expect(task.shown().map((each) => each.split(",")[0])).toEqual([
      "counts stands",
      "judge stands",
      "repeat stands",
      "causes stands",
    ]);
    expect(task.only().iteration).toBe(0);
  });

  test("count when the version before left their ticket", () => {
    const task = new ImpatientTask();
    task.act(`${FIX}\n${MORE_TESTS}`);
    task.claimAndWait();
    const locks = join(task.home, "state", "loopwright", "loops");
    const ticket =
      readdirSync(locks, { recursive: true, encoding: "utf8" }).find((path) =>
        /judging.\w+\.json$/.test(path),
      ) ?? "";
    const stored = JSON.parse(readFileSync(join(locks, ticket), "utf8")) as {
      readonly asked: object;
      readonly result: object;
      readonly startedAt: number;
      readonly expiresAt: number;
    };
    const { startedAt, expiresAt, asked, result } = stored;
    writeFileSync(join(locks, ticket), JSON.stringify({ startedAt, expiresAt, ...asked, ...result }));

    expect(task.claim()).toContain("✓ done");
    expect(task.runs).toBe(4);
    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "verified" });
  });

  variant("contradict a claim as those that are waited for do", () => {
    const task = new ImpatientTask();
    task.act("rm test/total.test.js");
    task.claimAndWait();

    heldReason(task.stop(S, { last_assistant_message: DONE }, IMPATIENT));
    expect(task.shown().join("\n")).toContain("test/total.test.js (removed)");
    task.claimAndWait();
    task.claim();
    expect(task.ended()).toMatchObject({ phase: "paused", reason: "blocked" });
  });

  test.runIf(isFullEffort)("are void when files changed meanwhile", () => {
    const task = new ImpatientTask();
    task.act(FIX);
    task.claimAndWait();
    const { runs } = task;
    task.act("echo '// later' >> src/total.js");

    task.claimAndWait();
    // The check and its repeat.
    expect(task.runs).toBe(runs + 2);
    expect(task.claim()).toContain("✓ done");
    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "verified" });
  });

  test.runIf(isFullEffort)("say nothing for files that are broken since", () => {
    const task = new ImpatientTask();
    task.act(FIX);
    task.claimAndWait();
    task.act("git checkout -q src");

    task.claimAndWait();
    heldReason(task.stop(S, { last_assistant_message: DONE }, IMPATIENT));
    expect(task.only()).toMatchObject({ phase: "active", iteration: 1 });
  });
});
