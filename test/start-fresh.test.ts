import { describe, expect, test } from "vitest";
import { Sandbox, heldReason, type Ran } from "./support/sandbox.ts";

/** A fresh start ends what is unfinished. In a session that is its user's to say, and only about a loop that nobody works on, or by its name. */
const OLD = "session-one";
const NEW = "session-two";
const WORKFLOW = ["Make the greeting better", "--workflow"] as const;
const PLAIN = ["Write more.txt", "-c", "more=test -f more.txt"] as const;

function unfinished(...args: readonly string[]): { readonly sandbox: Sandbox; readonly id: string } {
  const sandbox = new Sandbox({ "package.json": '{ "scripts": { "test": "test -f done.txt" } }\n' });
  sandbox.commitAll();
  sandbox.sessionStarts(OLD);
  expect(sandbox.agentLoop(OLD, "start", ...args)).toMatchObject({ code: 0 });
  return { sandbox, id: sandbox.only().id };
}

function types(sandbox: Sandbox, prompt: string): void {
  sandbox.event("user-prompt-submit", NEW, { prompt, prompt_id: prompt });
}

function startFresh(sandbox: Sandbox, ...args: readonly string[]): Ran {
  return sandbox.agentLoop(NEW, "start", "--start-fresh", ...args);
}

function phases(sandbox: Sandbox): readonly (readonly [string | null, string | null])[] {
  return sandbox.status().map(({ session, phase }) => [session, phase]);
}

const REPLACED = [
  [NEW, "active"],
  [OLD, "cancelled"],
];

describe("a fresh start in a session", () => {
  test.each([
    ["a workflow", WORKFLOW],
    ["a plain loop", PLAIN],
  ])("cancels %s of a session that was killed, if its user names it", (_, args) => {
    const { sandbox, id } = unfinished(...args);
    // While its session lives, nobody is handed the way to take it over.
    expect(sandbox.sessionStarts(NEW)).toEqual({
      toUser: `[LOOP] Active in this project: ${id}. Somebody else works on it now. See it: /loop:status`,
      toModel: "",
    });
    sandbox.event("session-end", OLD, { reason: "other" });
    const { toUser, toModel } = sandbox.sessionStarts(NEW);
    expect(toModel).toBe("");
    expect(toUser).toBe(
      `[LOOP] Active in this project: ${id}. Resume it here: /loop:continue --loop=${id}. See it: /loop:status. Start fresh: /loop:start --start-fresh --loop=${id} SPEC`,
    );

    types(sandbox, `/loop:start --start-fresh --loop=${id} ${args[0]}`);
    const ran = startFresh(sandbox, "--loop", id, ...args);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.err).toContain(`loop: Cancelled ${id}; its record is kept: loop log --loop ${id}\n`);
    expect(phases(sandbox)).toEqual(REPLACED);
  });

  test("isn't the agent's to make, and says what its user types", () => {
    const { sandbox, id } = unfinished(...WORKFLOW);
    const { code, err } = sandbox.agentLoop(NEW, "start", ...WORKFLOW);
    expect(code).toBe(1);
    expect(err).toContain(`start fresh (they type /loop:start --start-fresh --loop=${id} SPEC)`);

    // The user has asked for a loop, and not for the end of this one.
    types(sandbox, `/loop:start ${WORKFLOW[0]}`);
    expect(startFresh(sandbox, "--loop", id, ...WORKFLOW)).toMatchObject({ code: 1 });
    // Nor by its name, which another session may still work on.
    types(sandbox, `/loop:start --start-fresh ${WORKFLOW[0]}`);
    expect(startFresh(sandbox, ...WORKFLOW).err).toContain(
      `To cancel it and start fresh, the user types: /loop:start --start-fresh --loop=${id} SPEC`,
    );
    expect(phases(sandbox)).toEqual([[OLD, "active"]]);
  });

  test("needs no name for the session's own loop", () => {
    const { sandbox } = unfinished(...PLAIN);
    sandbox.event("user-prompt-submit", OLD, {
      prompt: "/loop:start --start-fresh Write other.txt",
      prompt_id: "1",
    });
    const args = ["--start-fresh", "Write other.txt", "-c", "other=test -f other.txt"];
    expect(sandbox.agentLoop(OLD, "start", ...args)).toMatchObject({ code: 0 });
    expect(phases(sandbox)).toEqual([
      [OLD, "active"],
      [OLD, "cancelled"],
    ]);
    expect(heldReason(sandbox.stop(OLD))).toContain("unmet criteria: other");
  });
});

describe("a fresh start", () => {
  test("ends nothing if nothing can be opened instead", () => {
    const { sandbox, id } = unfinished(...PLAIN);
    expect(sandbox.loop("start", "--start-fresh").err).toContain("Say what you want");
    expect(sandbox.loop("start", "--start-fresh", "--nested", "Write it").err).toContain("leave one out");
    expect(sandbox.loop("start", "--loop", id, "Write it").err).toContain("give both, or neither");
    expect(sandbox.loop("start", "--start-fresh", "--loop", "nobody", "Write it").err).toContain(
      "No loop here",
    );
    expect(phases(sandbox)).toEqual([[OLD, "active"]]);
  });

  test("is an ordinary one where nothing is unfinished, and asks which one if several are", () => {
    const { sandbox, id } = unfinished(...PLAIN);
    expect(sandbox.loop("start", "--start-fresh", "Write it")).toMatchObject({ code: 0 });
    expect(phases(sandbox)).toEqual([
      [null, "active"],
      [OLD, "cancelled"],
    ]);
    expect(sandbox.loop("cancel").code).toBe(0);
    expect(sandbox.loop("start", "--start-fresh", "Write it").err).not.toContain("Cancelled");
    expect(sandbox.loop("start", "Write that").code).toBe(0);
    const { code, err } = sandbox.loop("start", "--start-fresh", "Write it");
    expect(code).toBe(1);
    expect(err).toContain("Several loops are open here; choose one with --loop ID");
    expect(err).not.toContain(id);
  });
});
