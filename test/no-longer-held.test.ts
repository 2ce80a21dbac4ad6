import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Sandbox, heldReason, toldOf } from "./support/sandbox.ts";

const S = "session-one";
const OTHER = "session-two";

function held(): { readonly sandbox: Sandbox; readonly id: string } {
  const sandbox = new Sandbox({ "state.txt": "broken\n" });
  sandbox.commitAll();
  const { id } = sandbox.start(S, "Fix it", "-c", "fixed=grep -q fixed state.txt", "--shape", "tool");
  heldReason(sandbox.stop(S));
  return { sandbox, id };
}

const says = (sandbox: Sandbox, session = S): string =>
  sandbox.event("user-prompt-submit", session, { prompt: "go on" });

describe("a session that is no longer held says so at the next event, once", () => {
  test("when the login ran out", () => {
    const { sandbox } = held();
    sandbox.event("stop-failure", S, {
      error: "authentication_failed",
      last_assistant_message: "Run /login",
    });
    expect(says(sandbox)).toMatch(/^\[LOOP\] ⏸ Paused: blocked \(Run \/login\)\n[^]*Resume: \/loop:continue/);
    expect(says(sandbox)).toBe("");
    expect(sandbox.stop(S).out).toBe("");
  });

  test("when the agent is blocked", () => {
    const { sandbox } = held();
    sandbox.agentLoop(S, "blocked", "needs the password");
    expect(toldOf(sandbox.stop(S))).toMatch(/^\[LOOP\] ⏸ Paused: blocked \(needs the password\)/);
    expect(sandbox.stop(S).out).toBe("");
  });

  test("when it was paused in a terminal, and again when it was paused again", () => {
    const { sandbox } = held();
    sandbox.loop("pause");
    expect(toldOf(sandbox.stop(S))).toMatch(/^\[LOOP\] ⏸ Paused: user\n/);
    expect(says(sandbox)).toBe("");
    sandbox.loop("continue", "--session", S);
    heldReason(sandbox.stop(S));
    sandbox.loop("pause");
    expect(says(sandbox)).toMatch(/^\[LOOP\] ⏸ Paused: user\n/);
  });

  test("when it was cancelled in a terminal", () => {
    const { sandbox, id } = held();
    sandbox.loop("cancel");
    expect(toldOf(sandbox.stop(S))).toBe(`[LOOP] Cancelled, no longer held: ${id}`);
    expect(sandbox.stop(S).out).toBe("");
  });

  test("when another session took the loop over", () => {
    const { sandbox, id } = held();
    sandbox.loop("continue", "--session", OTHER);
    expect(says(sandbox)).toBe(
      `[LOOP] No longer held: the session ${OTHER} has the loop ${id} now. Take it back: /loop:continue --loop=${id}`,
    );
    expect(sandbox.stop(S).out).toBe("");
    heldReason(sandbox.stop(OTHER));
  });

  test("when another session took the loop over and ended it, so nothing is left to take back", () => {
    const { sandbox, id } = held();
    sandbox.loop("continue", "--session", OTHER);
    sandbox.loop("cancel");
    expect(says(sandbox)).toBe(`[LOOP] No longer held: the loop ${id} is cancelled.`);
    expect(says(sandbox)).toBe("");
  });

  test("but not in the middle of the user's own command, nor what a stop has just said", () => {
    const { sandbox } = held();
    sandbox.loop("pause");
    expect(sandbox.event("user-prompt-submit", S, { prompt: "/loop:continue" })).toBe("");
    sandbox.loop("continue", "--session", S, "--iterations", "1");
    expect(
      toldOf(
        sandbox.stop(S, { last_assistant_message: "---LOOP_STATUS---\nBLOCKED: no key\n---END_STATUS---" }),
      ),
    ).toMatch(/^\[LOOP\] ⏸ Paused: blocked/);
    expect(says(sandbox)).toBe("");
  });

  test("when its checks are no longer those that were approved", () => {
    const { sandbox, id } = held();
    rmSync(join(sandbox.home, "state", "loopwright", "loops"), { recursive: true });
    expect(sandbox.stop(S).out).toBe("");
    expect(says(sandbox)).toContain(`loop trust ${id}`);
    expect(says(sandbox)).toBe("");
  });
});
