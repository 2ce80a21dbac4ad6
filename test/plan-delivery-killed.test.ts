import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { gitThatKills } from "./support/git-that-kills.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

describe.skipIf(process.platform !== "linux")("a run that is killed", () => {
  variant.each(["before", "after"] as const)("%s it moved the user's branch", (moment) => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    stage.write({ "mine.txt": "mine\n" });
    const first = stage.git("rev-parse", "master").trim();
    const env = gitThatKills(stage, "--ff-only", moment);
    const working = stage.working({ "T-001": [writes("one.txt")] }, "--no-model");
    expect(stage.spawnLoopWith({ env }, ...working).code).toBeNull();
    rmSync(join(stage.home, "bin"), { recursive: true });

    expect(stage.eventsOf("delivery.begun")).toEqual([{ type: "delivery.begun", from: first }]);
    expect(stage.eventsOf("work.delivered")).toEqual([]);
    const there = stage.git("rev-parse", "master").trim();
    expect(there === first).toBe(moment === "before");
    expect(stage.loop("undo").err).toContain(`git log ${first.slice(0, 12)}..`);

    expectCode(stage.spawnLoop("continue"), 0);
    expect(stage.eventsOf("delivery.begun")).toHaveLength(moment === "before" ? 2 : 1);
    expect(stage.eventsOf("work.delivered")).toMatchObject([{ delivery: { how: "moved", why: null } }]);
    expect(stage.tasksOn("master")).toEqual(["T-001"]);
    expect(stage.git("status", "--porcelain")).toBe("?? mine.txt\n");
  });
});
