import { expect, test } from "vitest";
import { Sandbox, toldOf } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const S = "session-one";
const PLAN = `Greet

### T-001: Write the greeting
verify: grep -q hello greeting.txt

### T-002: Say it aloud
blocked by: T-001
verify: true
`;

function started(): Sandbox {
  const sandbox = new Sandbox({ "README.md": "shop\n" });
  sandbox.commitAll();
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S };
  const ran = sandbox.loopWith({ env, input: PLAN }, "start", "--plan", "-", "--iterations", "1");
  expect(ran).toMatchObject({ code: 0 });
  return sandbox;
}

test("a session is let go when its agent has given back the last task that anybody could work on", () => {
  const sandbox = started();
  expect(sandbox.agentLoop(S, "task", "claim", "T-001")).toMatchObject({ code: 0 });
  expect(sandbox.agentLoop(S, "task", "drop", "T-001", "I cannot")).toMatchObject({ code: 0 });
  expect(toldOf(sandbox.stop(S))).toContain("2 of 2 tasks given up");
  expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "iterations" });
});

variant("a task that can't be claimed takes nothing from those that were claimed before it", () => {
  const sandbox = started();
  const { code, out, err } = sandbox.agentLoop(S, "task", "claim", "T-001", "T-002");
  expect(code).toBe(1);
  expect(out).toContain("T-001");
  expect(err).toContain("T-002 waits for other tasks");
  const again = sandbox.agentLoop(S, "task", "claim", "T-001", "T-002", "--json");
  expect(JSON.parse(again.out)).toMatchObject({ claimed: [{ task: "T-001" }] });
});
