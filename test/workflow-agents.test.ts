import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFullEffort } from "./support/effort.ts";
import { type PlayedTurn } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

const TWO = plan(["T-001", "test -f one.txt"], ["T-002", "test -f two.txt"]);
/** Longer than any of this takes otherwise. */
const LONG_MS = 60_000;

function limited(resetsInMs?: number): PlayedTurn {
  const reset = resetsInMs === undefined ? {} : { resetsInMs };
  return { trouble: { kind: "usage-limit", detail: "5-hour limit reached", ...reset }, usd: 0.01 };
}

/** A program that does each task by its name: with driver `command` it is another agent. */
function otherAgent(stage: PlanStage): readonly string[] {
  const program = join(stage.home, "bin", "other-agent");
  mkdirSync(join(stage.home, "bin"), { recursive: true });
  const text = `#!/bin/sh
prompt=$(cat)
echo "$LOOP_SLOT" >> ${stage.mark("other")}
case "$prompt" in *T-001:*) touch one.txt;; *T-002:*) touch two.txt;; esac
`;
  writeFileSync(program, text, { mode: 0o755 });
  return ["--command", program, "--fallback", "command"];
}

describe("a usage limit", () => {
  test.runIf(isFullEffort)(
    "met by one attempt makes all of its agent's wait, with one countdown",
    async () => {
      const stage = new PlanStage(TWO);
      const scripts = {
        "T-001": [{ ...limited(4_000), do: [{ run: stage.meet("limit") }] }, writes("one.txt")],
        "T-002": [{ do: [{ run: stage.meet("second") }], say: "On my way.", usd: 0.01 }, writes("two.txt")],
      };
      const run = stage.drive(stage.working(scripts, "--parallel", "2"));
      await stage.met("limit");
      await stage.met("second");
      stage.letGo("limit");
      await until(() => stage.eventsOf("agent.limited").length > 0, "the limit is recorded");
      // It ends its turn while the other one waits, and begins no other before that.
      stage.letGo("second");
      expectCode(await run.ended(), 0);
      const [limit, ...more] = stage.eventsOf("agent.limited");
      expect(more).toEqual([]);
      expect(run.out.match(/met a usage limit; all of its attempts wait/g)).toHaveLength(1);
      const [, second] = stage.eventsOf("attempt.started");
      const turns = stage
        .timedEventsIn(second?.loop ?? "")
        .filter(({ event }) => event.type === "turn.launched");
      expect(turns).toHaveLength(2);
      expect(turns[1]?.at).toBeGreaterThanOrEqual(limit?.until ?? Number.POSITIVE_INFINITY);
      expect(stage.setbacks()).toEqual([]);
    },
  );

  variant("sends the work to --fallback meanwhile: the attempt that met it, and those that follow", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"], ["T-002", "test -f two.txt", "T-001"]));
    const scripts = { "T-001": [limited(LONG_MS)], "T-002": [limited(LONG_MS)] };
    const ran = stage.work(scripts, "--parallel", "1", ...otherAgent(stage));
    expectCode(ran, 0);
    expect(stage.setbacks()).toEqual([]);
    expect(stage.eventsOf("attempt.started").map(({ agent }) => agent)).toEqual(["rehearsal", "command"]);
    expect(stage.tasksOn("master")).toEqual(["T-001", "T-002"]);
    expect(stage.read("../home/other")).toBe("1\n1\n");
  });

  variant("without a known end pauses the plan and costs no attempt", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    const ran = stage.work({ "T-001": [limited(), writes("one.txt")] });
    expectCode(ran, 4);
    expect(ran.out).toContain("Paused: rate-limit");
    expect(stage.setbacks()).toEqual([]);
    expectCode(stage.spawnLoop("continue"), 0);
    expect(stage.eventsOf("attempt.started")).toHaveLength(1);
    expect(stage.tasksOn("master")).toEqual(["T-001"]);
  });

  test.runIf(isFullEffort)("without a known end, with another agent: that one goes on", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    const ran = stage.work({ "T-001": [limited()] }, ...otherAgent(stage));
    expectCode(ran, 0);
    expect(stage.tasksOn("master")).toEqual(["T-001"]);
  });

  test.runIf(isFullEffort)(
    "can be paused while it is waited for, and resumed with another agent beside",
    async () => {
      const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
      const run = stage.drive(stage.working({ "T-001": [limited(LONG_MS), writes("one.txt")] }));
      await run.printed("met a usage limit");
      expectCode(stage.spawnLoop("pause"), 0);
      expectCode(await run.ended(), 4);
      const again = ["run", "--loop", stage.id, "--agent", "rehearsal"];
      expectCode(stage.spawnLoop(...again, ...otherAgent(stage)), 0);
      expect(stage.read("../home/other")).toBe("1\n");
      expect(stage.setbacks()).toEqual([]);
    },
  );
});

describe("--fallback", () => {
  test.each([
    [["--fallback", "somebody"], "Allowed choices are claude-code"],
    [["--fallback", "rehearsal"], "names the agent that already does the work"],
    [["--fallback", "command"], "Say which program"],
  ])("%j is refused before anything is opened", (args, words) => {
    const stage = new PlanStage(TWO);
    const ran = stage.work({ "T-001": [writes("one.txt")] }, ...args);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(words);
    expect(stage.loops).toEqual([]);
  });
});

describe("files that git ignores", () => {
  const NEEDS_BOTH = "test -f one.txt && test -f .env && test -f secrets/key";
  const IGNORED = { ".gitignore": ".env\nsecrets/\ndeps\n", ".worktreeinclude": "secrets/\n" };

  test.runIf(isFullEffort)(
    "are in every worktree, also of merges and after loop continue, and in no commit",
    () => {
      const stage = new PlanStage(
        plan(["T-001", NEEDS_BOTH], ["T-002", `${NEEDS_BOTH} && test -f deps && test -f two.txt`, "T-001"]),
        IGNORED,
      );
      stage.write({ ".env": "A=1\n", "secrets/key": "k\n" });
      const scripts = {
        "T-001": [writes("one.txt")],
        "T-002": [{ trouble: { kind: "usage-limit", detail: "limit" } } as const, writes("two.txt")],
      };
      const ran = stage.work(scripts, "--copy", ".env", "--setup", "touch deps");
      expectCode(ran, 4);
      // What prepares a worktree was said once, and holds for the whole plan.
      for (const folder of stage.folders().filter((path) => path.endsWith("T-002-1")))
        stage.git("worktree", "remove", "--force", folder);
      expectCode(stage.spawnLoop("continue"), 0);
      expect(stage.tasksOn("master")).toEqual(["T-001", "T-002"]);
      expect(stage.git("ls-files").split("\n")).not.toContain(".env");
      expect(stage.git("log", "--all", "--format=%H", "--", ".env", "secrets", "deps")).toBe("");
    },
  );

  test.runIf(isFullEffort)("the setup of an approved config prepares worktrees, too", () => {
    const config = JSON.stringify({ worktreeSetup: ["touch deps", ["touch", "deps2"]] });
    const stage = new PlanStage(plan(["T-001", "test -f one.txt && test -f deps && test -f deps2"]), {
      "loop.config.json": config,
      ".gitignore": "deps*\n",
    });
    expectCode(stage.loop("trust", "--yes"), 0);
    expectCode(stage.work({ "T-001": [writes("one.txt")] }), 0);
    expect(stage.tasksOn("master")).toEqual(["T-001"]);
  });
});
