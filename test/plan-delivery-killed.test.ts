import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

/** A git before the real one on the PATH, with which the run is killed when it moves the user's branch: before, or after that. */
function gitThatKills(stage: PlanStage, moment: "before" | "after"): NodeJS.ProcessEnv {
  const bin = join(stage.home, "bin");
  mkdirSync(bin);
  const text = `#!/bin/sh
PATH=\${PATH#*:}
for word; do case "$word" in --ff-only) at_work=yes;; esac; done
[ -z "$at_work" ] && exec git "$@"
${moment === "after" ? 'git "$@"' : ""}
kill -9 "$PPID"
`;
  writeFileSync(join(bin, "git"), text, { mode: 0o755 });
  return { ...stage.env, PATH: `${bin}:${stage.env["PATH"]}` };
}

describe.skipIf(process.platform !== "linux")("a run that is killed", () => {
  variant.each(["before", "after"] as const)("%s it moved the user's branch", (moment) => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    stage.write({ "mine.txt": "mine\n" });
    const first = stage.git("rev-parse", "master").trim();
    const env = gitThatKills(stage, moment);
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
