import { describe, expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const OWN = "session-one";
const NEXT = "session-two";

function paused(pause: (sandbox: Sandbox) => void): { readonly sandbox: Sandbox; readonly id: string } {
  const sandbox = new Sandbox({ "state.txt": "broken\n" });
  sandbox.commitAll();
  const { id } = sandbox.start(OWN, "Fix it", "-c", "fixed=grep -q fixed state.txt", "--iterations", "1");
  pause(sandbox);
  return { sandbox, id };
}

const atItsLimit = (sandbox: Sandbox): void => {
  sandbox.stop(OWN);
  sandbox.stop(OWN);
};

describe("at the start of a session, a paused loop", () => {
  test("of another one is told to the user with its reason and the command, and not to the model", () => {
    const { sandbox, id } = paused(atItsLimit);
    const { toUser, toModel } = sandbox.sessionStarts(NEXT);
    expect(toModel).toBe("");
    expect(toUser).toBe(
      `[LOOP] ⏸ Paused in this project: ${id}: iterations (1 of 1 iterations used). Resume it here: /loop:continue --iterations=1 --loop=${id}. See it: /loop:status. Start fresh: /loop:start --start-fresh --loop=${id} SPEC`,
    );
    expect(sandbox.sessionStarts(NEXT).toUser).toBe(toUser);
    sandbox.loop("cancel");
    expect(sandbox.sessionStarts(NEXT)).toEqual({ toUser: "", toModel: "" });
  });

  test("of this conversation is told to both", () => {
    const { sandbox } = paused((each) => {
      each.loop("pause");
    });
    const { toUser, toModel } = sandbox.sessionStarts(OWN);
    expect(toUser).toBe(
      "[LOOP] ⏸ Paused: user\nProgress: 0 steps complete, 0 remaining\nCriteria: 0 of 1 met\nResume: /loop:continue",
    );
    expect(toModel).toBe(
      "[LOOP] ⏸ Paused: user. Leave its work alone until the user resumes it with /loop:continue.",
    );
  });

  test("is named beside an active one", () => {
    const { sandbox, id } = paused(atItsLimit);
    const active = sandbox.start(null, "Write more", "-c", "more=test -f more.txt").id;
    const lines = sandbox.sessionStarts(NEXT).toUser.split("\n");
    expect(lines[0]).toContain(`[LOOP] Active in this project: ${active}. `);
    expect(lines[1]).toContain(`[LOOP] ⏸ Paused in this project: ${id}: iterations (`);
  });
});
