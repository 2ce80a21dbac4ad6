import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Sandbox, heldReason, toldOf } from "./support/sandbox.ts";

const S = "session-one";
const PLAN = `Make the shop greet

### T-001: Write the greeting
verify: grep -q hello greeting.txt

### T-002: Write the farewell
verify: grep -q bye farewell.txt

### T-003: Join both
blocked by: T-001, T-002
verify: grep -q hello both.txt && grep -q bye both.txt
`;

function shop(): Sandbox {
  const sandbox = new Sandbox({ "README.md": "shop\n", "PLAN.md": PLAN });
  sandbox.commitAll();
  return sandbox;
}

interface Claimed {
  readonly task: string;
  readonly worktree: string;
  readonly spec: string;
}

function claim(sandbox: Sandbox, ...tasks: readonly string[]): readonly Claimed[] {
  const { out } = sandbox.agentLoop(S, "task", "claim", ...tasks, "--json");
  return (JSON.parse(out) as { claimed: readonly Claimed[] }).claimed;
}

describe("a plan that the agent of a session works on", () => {
  test("is worked on in worktrees, wave by wave, and merged at each stop", () => {
    const sandbox = shop();
    sandbox.agentLoop(S, "start", "--plan", "PLAN.md");
    expect(sandbox.only()).toMatchObject({ stage: "executing", session: S });

    const [greeting, farewell] = claim(sandbox, "T-001", "T-002");
    expect(greeting?.spec).toContain("T-001: Write the greeting");
    writeFileSync(join(greeting?.worktree ?? "", "greeting.txt"), "hello\n");
    writeFileSync(join(farewell?.worktree ?? "", "farewell.txt"), "bye\n");
    sandbox.agentLoop(S, "task", "done", "T-001");
    sandbox.agentLoop(S, "task", "done", "t-002");
    // Nothing is in the user's own files yet.
    expect(existsSync(sandbox.path("greeting.txt"))).toBe(false);

    const reason = heldReason(sandbox.stop(S));
    expect(reason).toContain("pending tasks: T-003 Join both");
    expect(reason).toContain("Ready: T-003.");
    expect(sandbox.only().tasks).toMatchObject([
      { id: "T-001", status: "completed" },
      { id: "T-002", status: "completed" },
      { id: "T-003", status: "pending" },
    ]);

    const [both] = claim(sandbox, "T-003");
    const read = (name: string): string => readFileSync(join(both?.worktree ?? "", name), "utf8");
    writeFileSync(join(both?.worktree ?? "", "both.txt"), read("greeting.txt") + read("farewell.txt"));
    sandbox.agentLoop(S, "task", "done", "T-003");
    expect(toldOf(sandbox.stop(S))).toMatch(/^\[LOOP\] ✓ done/);
    expect(sandbox.only()).toMatchObject({ phase: "completed", stage: "complete" });
    expect(readFileSync(sandbox.path("both.txt"), "utf8")).toBe("hello\nbye\n");
  });
});
