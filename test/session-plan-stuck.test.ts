import { expect, test } from "vitest";
import { Sandbox, heldReason, toldOf } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const S = "session-one";
const PLAN = `Greet

### T-001: Write the greeting
verify: grep -q hello greeting.txt

### T-002: Say it aloud
blocked by: T-001
verify: true
`;

function stuckCount(sandbox: Sandbox): number | undefined {
  return sandbox.only().workflow?.tasks.find(({ id }) => id === "T-001")?.stuckCount;
}

function started(...flags: readonly string[]): Sandbox {
  const sandbox = new Sandbox({ "README.md": "shop\n" });
  sandbox.commitAll();
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S };
  const ran = sandbox.loopWith({ env, input: PLAN }, "start", "--plan", "-", ...flags);
  expect(ran).toMatchObject({ code: 0 });
  return sandbox;
}

test("a session is let go when its agent has given back the last task that anybody could work on", () => {
  const sandbox = started("--iterations", "1");
  expect(sandbox.agentLoop(S, "task", "claim", "T-001")).toMatchObject({ code: 0 });
  expect(sandbox.agentLoop(S, "task", "drop", "T-001", "I cannot")).toMatchObject({ code: 0 });
  const told = toldOf(sandbox.stop(S));
  expect(told).toContain("2 of 2 tasks given up");
  expect(told).toContain("Resume: /loop:continue --iterations=1\n");
  expect(told).toContain('Try it again, in a terminal: loop task retry T-001 --say "WHAT TO DO"');
  expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "iterations" });
});

test("its status line counts the tasks", () => {
  const sandbox = started();
  const input = JSON.stringify({ session_id: S });
  expect(sandbox.loopWith({ input }, "status", "--line").out).toMatch(
    /^loop 0\/10 · 0\/2 tasks · start T-001/,
  );
});

variant("a task that can't be claimed takes nothing from those that were claimed before it", () => {
  const sandbox = started("--iterations", "1");
  const { code, out, err } = sandbox.agentLoop(S, "task", "claim", "T-001", "T-002");
  expect(code).toBe(1);
  expect(out).toContain("T-001");
  expect(err).toContain("T-002 waits for other tasks");
  const again = sandbox.agentLoop(S, "task", "claim", "T-001", "T-002", "--json");
  expect(JSON.parse(again.out)).toMatchObject({ claimed: [{ task: "T-001" }] });
});

test("each failed verification of a task counts, advice comes at the first, and the attempt goes on with it", () => {
  const sandbox = started("--stuck-limit", "9");
  const [failing, claimAgain] = [
    () => sandbox.agentLoop(S, "task", "done", "T-001"),
    () => sandbox.agentLoop(S, "task", "claim", "T-001").out,
  ];
  claimAgain();
  expect(failing().err).toContain("loop task counsel T-001");
  expect(failing().code).toBe(1);
  expect(stuckCount(sandbox)).toBe(2);
  const held = heldReason(sandbox.stop(S));
  expect(held).toContain("T-001 failed. First give `loop task counsel T-001`");
  // What was noticed since the last stop isn't counted again.
  expect(stuckCount(sandbox)).toBe(2);

  expect(sandbox.agentLoop(S, "task", "counsel", "T-001").out).toContain("Its check failed");
  const answer = { views: [], approach: "Write the word into greeting.txt, where the check looks for it." };
  expect(sandbox.agentLoop(S, "task", "counsel", "T-001", JSON.stringify(answer)).code).toBe(0);
  expect(claimAgain()).toContain(answer.approach);
  expect(claimAgain()).toContain("T-001, attempt 1");

  // A worker that comes back without a word counts, too, and nobody is asked twice about one attempt.
  expect(heldReason(sandbox.stop(S))).not.toContain("First give");
  expect(stuckCount(sandbox)).toBe(3);
});

test("who works on a task is told the must-nots and what was learned before", () => {
  const sandbox = new Sandbox({ "README.md": "shop\n" });
  sandbox.commitAll();
  expect(sandbox.loop("learn", "greeting.txt is read as latin-1", "--kind", "constraint").code).toBe(0);
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S };
  sandbox.loopWith({ env, input: PLAN }, "start", "--plan", "-", "--must-not", "path:README.md");
  const { out } = sandbox.agentLoop(S, "task", "claim", "T-001");
  expect(out).toContain("# Must not\n\n- path:README.md");
  expect(out).toContain("constraint: greeting.txt is read as latin-1");
});
