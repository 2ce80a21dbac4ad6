import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownMark, startOfProcess } from "../src/system/process/process-facts.ts";
import { Sandbox, heldReason } from "./support/sandbox.ts";

const S = "session-one";
const NEXT = "session-two";

function held(): { readonly sandbox: Sandbox; readonly id: string } {
  const sandbox = new Sandbox({ "state.txt": "broken\n" });
  sandbox.commitAll();
  sandbox.sessionStarts(S);
  const { id } = sandbox.start(S, "Fix it", "-c", "fixed=grep -q fixed state.txt", "--shape", "tool");
  heldReason(sandbox.stop(S));
  return { sandbox, id };
}

const types = (sandbox: Sandbox, prompt: string, session = S): string =>
  sandbox.event("user-prompt-submit", session, { prompt });

describe("a typed /loop:status", () => {
  test("is no end of work: the session waits for its user, and nothing is counted", () => {
    const { sandbox } = held();
    types(sandbox, "/loop:status");
    expect(sandbox.stop(S).out).toBe("");
    expect(sandbox.only()).toMatchObject({ phase: "active", iteration: 1 });
    types(sandbox, "go on");
    expect(heldReason(sandbox.stop(S))).toContain("[ITERATION 2/");
  });
});

describe.each(["cancel", "pause"])("a typed /loop:%s without a loop", (command) => {
  test("is answered, and no error", () => {
    const sandbox = new Sandbox();
    types(sandbox, `/loop:${command}`);
    const ran = sandbox.agentLoop(S, command);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain("No loop is open");
    expect(sandbox.loop(command).code).toBe(1);
  });
});

test("loop cancel --all ends every open loop of the project", () => {
  const sandbox = new Sandbox({ "a.txt": "a\n" });
  sandbox.commitAll();
  const ids = ["One", "Two"].map((spec) => sandbox.start(null, spec, "-c", "ok=false").id);
  const ran = sandbox.loop("cancel", "--all");
  expect(ran.code).toBe(0);
  for (const id of ids) expect(ran.out).toContain(`[LOOP] Cancelled: ${id}`);
  expect(sandbox.status().map(({ phase }) => phase)).toEqual(["cancelled", "cancelled"]);
  expect(sandbox.loop("cancel", "--all").err).toContain("No loop is open");
});

describe("/loop:continue in a new session takes over a loop whose session", () => {
  const takesOver = (sandbox: Sandbox): ReturnType<Sandbox["loop"]> => {
    types(sandbox, "/loop:continue", NEXT);
    return sandbox.agentLoop(NEXT, "continue", "--session", NEXT);
  };

  test("ended, as after /clear", () => {
    const { sandbox, id } = held();
    expect(takesOver(sandbox).err).toContain("is active in another session");
    sandbox.event("session-end", S, { reason: "clear" });
    expect(takesOver(sandbox)).toMatchObject({ code: 0 });
    expect(sandbox.only()).toMatchObject({ id, session: NEXT });
  });

  test("comes back after it ended, only by name", () => {
    const { sandbox } = held();
    sandbox.event("session-end", S, { reason: "other" });
    sandbox.sessionStarts(S);
    expect(takesOver(sandbox).err).toContain("is active in another session");
  });

  test("had a client that crashed", async () => {
    const { sandbox, id } = held();
    const client = spawn("sleep", ["60"]);
    const mark = { ...ownMark(), pid: client.pid ?? 0, startedAt: startOfProcess(client.pid ?? 0) ?? "" };
    const path = join(sandbox.home, "state", "loopwright", "sessions", `${S}.start.json`);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), client: mark }));
    expect(takesOver(sandbox).err).toContain("is active in another session");
    client.kill("SIGKILL");
    await once(client, "close");
    expect(takesOver(sandbox)).toMatchObject({ code: 0 });
    expect(sandbox.only()).toMatchObject({ id, session: NEXT });
  });
});

describe("in a session, advice is what its user types there", () => {
  test("when the agent works on a paused loop, or pauses it itself", () => {
    const { sandbox } = held();
    expect(sandbox.agentLoop(S, "blocked", "needs a key").out).toContain("Resume: /loop:continue");
    expect(sandbox.agentLoop(S, "done").err).toContain("is paused (blocked); resume it with: /loop:continue");
    expect(sandbox.loop("done").err).toContain("resume it with: loop continue");
  });

  test("and in the status, with the answer as it is typed", () => {
    const { sandbox } = held();
    sandbox.agentLoop(S, "blocked", "which port?");
    expect(sandbox.agentLoop(S, "status").out).toContain("next: /loop:continue YOUR ANSWER\n");
    expect(sandbox.loop("status").out).toContain('next: loop continue --say "YOUR ANSWER"\n');
  });

  test("and what was to be shown of the last hold isn't shown after a pause", () => {
    const { sandbox } = held();
    sandbox.stop(S, { last_assistant_message: "---LOOP_STATUS---\nBLOCKED: no key\n---END_STATUS---" });
    const used = { tool_name: "Bash", tool_input: {}, tool_response: {} };
    expect(sandbox.event("post-tool-use", S, used)).toBe("");
  });
});

test("loop status --line shows the session's loop in one line, and nothing without one", () => {
  const { sandbox } = held();
  const line = (input: string): string => sandbox.loopWith({ input }, "status", "--line").out;
  expect(line(JSON.stringify({ session_id: S }))).toBe('loop 1/10 · 0/1 met · meet "fixed"\n');
  expect(line(JSON.stringify({ session_id: "another" }))).toBe("\n");
  expect(line("what?")).toBe("\n");
  sandbox.loop("pause");
  expect(line(JSON.stringify({ session_id: S }))).toBe("loop ⏸ user · 0/1 met\n");
});
