import { describe, expect, test } from "vitest";
import { Sandbox, heldReason, toldOf } from "./support/sandbox.ts";

const S = "session-one";
const SPEC = "refactor all API routes to use validation middleware";
const ATTENDED = { CLAUDE_CODE_ENTRYPOINT: "cli" };

function shop(): Sandbox {
  const sandbox = new Sandbox({ "users.js": "old\n", "auth.js": "old\n" });
  sandbox.commitAll();
  return sandbox;
}

const uses = (sandbox: Sandbox): string =>
  sandbox.event("post-tool-use", S, { tool_name: "Bash", tool_input: {}, tool_response: {} });

describe("the user of a session is shown", () => {
  test("as many iterations in the story as in the status, and what was checked then", () => {
    const sandbox = shop();
    sandbox.start(S, SPEC, "-c", "done=test -f done.txt", "--shape", "tool");
    sandbox.agentLoop(S, "done");
    heldReason(sandbox.stop(S));
    sandbox.write({ "done.txt": "" });
    sandbox.agentLoop(S, "done");
    sandbox.stop(S);
    expect(sandbox.loop("status").out).toContain("iteration 1/10");
    const story = sandbox.loop("export", "--format", "md").out;
    expect(story).toContain("\n1 iteration, ");
    expect(story).toMatch(/^\| 1 \| ~~done~~ .*\n\| then \| done /m);
  });

  test("the opening with the score of each dimension, once, and the agent reads none of it", () => {
    const sandbox = shop();
    const printed = sandbox.agentLoop(
      S,
      "start",
      SPEC,
      "-s",
      "Refactor /api/users",
      "-s",
      "Refactor /api/auth",
    );
    expect(printed.out).not.toContain("Spec scoring");
    const shown = uses(sandbox);
    expect(shown.replaceAll(/\(.*\)$/gm, "(why)")).toBe(
      `[LOOP] Starting | Shape: Colleague (7/10) | Steps: 2 | Budget: $25

Spec scoring:
- Outcome: 2 (why)
- Scope: 2 (why)
- Constraints: 1 (why)
- Success: 1 (why)
- Done: 1 (why)
Total: 7/10 → Colleague-shaped

[LOOP] Iteration 1/10 | Cost: $0/$25 | Step: Refactor /api/users`,
    );
    expect(shown).toContain('- Success: 1 ("refactor": ');
    expect(uses(sandbox)).toBe("");
  });

  test("the shape of the user's own words, whatever flags the agent adds, and of flags that the user typed", () => {
    const flags = ["-c", "tests pass=npm test", "--must-not", "path:test/**", "--protect", "docs/**"];
    const startedWith = (typed: string | null): string => {
      const sandbox = shop();
      if (typed !== null) sandbox.event("user-prompt-submit", S, { prompt: typed });
      sandbox.agentLoop(S, "start", SPEC, ...flags);
      return uses(sandbox).split(" | ")[1] ?? "";
    };
    expect(startedWith(null)).toBe("Shape: Colleague (7/10)");
    expect(startedWith(`/loop:start ${SPEC}`)).toBe("Shape: Colleague (7/10)");
    expect(startedWith(`/loop:start ${SPEC} -c "tests pass=npm test" --must-not path:test/**`)).toBe(
      "Shape: Tool (9/10)",
    );
  });

  test("what a colleague did, where it stands, and whether to go on", () => {
    const sandbox = shop();
    sandbox.agentLoop(
      S,
      "start",
      SPEC,
      "--shape=colleague",
      ...["-s", "Refactor /api/users", "-s", "Refactor /api/auth"],
      ...["-c", "users refactored=grep -q new users.js", "-c", "auth refactored=grep -q new auth.js"],
    );
    sandbox.write({ "users.js": "new\n" });
    sandbox.agentLoop(S, "step", "done", "Refactor /api/users");
    sandbox.agentLoop(S, "check");
    expect(toldOf(sandbox.stop(S, {}, ATTENDED))).toBe(
      `[LOOP] Iteration 1/10 | Cost: $0/$25 | Step: Refactor /api/users
[LOOP] ✓ Refactor /api/users complete | Progress: 1/2 | Next: Refactor /api/auth

---LOOP_STATUS---
EXIT_SIGNAL: false
CRITERIA: {"users refactored": true, "auth refactored": false}
STUCK_COUNT: 0
NEXT: Refactor /api/auth
---END_STATUS---

Continue? [Y/n]`,
    );
    expect(sandbox.event("user-prompt-submit", S, { prompt: "y" })).toBe(
      "[LOOP] Iteration 2/10 | Cost: $0/$25 | Step: Refactor /api/auth",
    );
    expect(sandbox.event("user-prompt-submit", S, { prompt: "and mind the docs" })).toBe("");
  });

  test("nothing of the loop after a question that was only answered, which is no iteration", () => {
    const sandbox = shop();
    sandbox.sessionStarts(S);
    sandbox.agentLoop(S, "start", SPEC, "--shape=colleague", "-c", "auth refactored=grep -q new auth.js");
    uses(sandbox);
    expect(toldOf(sandbox.stop(S, {}, ATTENDED))).toContain("Continue? [Y/n]");
    sandbox.event("user-prompt-submit", S, { prompt: "how far are you?" });
    expect(sandbox.stop(S, { last_assistant_message: "Nothing is done yet." }, ATTENDED).out).toBe("");
    expect(sandbox.only()).toMatchObject({ phase: "active", iteration: 1, stuckCount: 0 });

    sandbox.event("user-prompt-submit", S, { prompt: "go on, please" });
    uses(sandbox);
    expect(toldOf(sandbox.stop(S, {}, ATTENDED))).toContain("[LOOP] Iteration 2/10");
  });

  test("that a plain no after a hand-back pauses the loop", () => {
    const sandbox = shop();
    sandbox.agentLoop(S, "start", SPEC, "--shape=colleague", "-c", "auth refactored=grep -q new auth.js");
    expect(sandbox.event("user-prompt-submit", S, { prompt: "no" })).toBe("");
    expect(sandbox.only()).toMatchObject({ phase: "active" });
    sandbox.stop(S, {}, ATTENDED);
    expect(sandbox.event("user-prompt-submit", S, { prompt: "n" })).toBe(
      "[LOOP] ⏸ Paused: user\nProgress: 0 steps complete, 0 remaining\nCriteria: 0 of 1 met\nResume: /loop:continue",
    );
    expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "user" });
    expect(sandbox.stop(S, {}, ATTENDED).out).toBe("");
  });

  test("each held iteration at its first tool call", () => {
    const sandbox = shop();
    sandbox.start(S, SPEC, "--shape=tool", "-c", "auth refactored=grep -q new auth.js");
    heldReason(sandbox.stop(S));
    expect(uses(sandbox)).toBe(`[LOOP] Iteration 1/10 | Cost: $0/$25 | Step: ${SPEC}`);
    expect(uses(sandbox)).toBe("");
  });

  test("the end with its list", () => {
    const sandbox = shop();
    sandbox.start(S, SPEC, "--shape=tool", "-c", "auth refactored=grep -q new auth.js");
    sandbox.write({ "auth.js": "new\n" });
    sandbox.agentLoop(S, "done");
    expect(toldOf(sandbox.stop(S))).toBe(
      `[LOOP] ✓ done: auth refactored (verified). Because of: auth.js

---LOOP_STATUS---
EXIT_SIGNAL: true
CRITERIA: {"auth refactored": true}
STUCK_COUNT: 0
NEXT: none
---END_STATUS---

<loop-complete>
All success criteria satisfied:
- auth refactored: ✓ (proofs: repeat)
Because of: auth.js
Changed: source 1
</loop-complete>`,
    );
  });
});

test("status --json names what fails, and when the work was last recorded", () => {
  const sandbox = shop();
  const { startedAt, lastCheckpoint } = sandbox.start(S, SPEC, "-c", "said=echo 'Error: no token'; exit 3");
  expect(lastCheckpoint).toBe(startedAt);
  sandbox.agentLoop(S, "done");
  heldReason(sandbox.stop(S));
  const held = sandbox.only();
  expect(held.errors).toEqual(["said: failed with exit code 3: Error: no token"]);
  expect(Date.parse(held.lastCheckpoint ?? "")).toBeGreaterThan(Date.parse(startedAt ?? ""));
});

test.each([
  ["marker", '{"ok":true,"reason":"complete"}'],
  ["criteria", '{"ok":true}'],
])("the reply ok says that a loop is complete as its rule %s did", (rule, reply) => {
  const sandbox = shop();
  sandbox.start(S, SPEC, "--exit-rule", rule);
  const payload = {
    session_id: S,
    cwd: sandbox.root,
    last_assistant_message: "<loop-complete>\nAll.\n</loop-complete>",
  };
  expect(sandbox.hook(JSON.stringify(payload), {}, ["--reply", "ok"]).out).toBe(reply);
  expect(sandbox.only().phase).toBe("completed");
});
