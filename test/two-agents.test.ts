import { describe, expect, test } from "vitest";
import { inProcess } from "./support/in-process.ts";
import { Sandbox, type Ran } from "./support/sandbox.ts";

/** One loop, two agents: held in one client's session, continued in another's, and back. */

interface Client {
  readonly host: string;
  readonly session: string;
  /** Variables in its agent's shells. */
  readonly env: NodeJS.ProcessEnv;
  /** What its user types to go on with a loop. */
  readonly typed: string;
}

const CLAUDE: Client = {
  host: "claude-code",
  session: "claude-1",
  env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "claude-1" },
  typed: "/loop:continue",
};
const CODEX: Client = {
  host: "codex",
  session: "codex-1",
  env: { CODEX_SESSION_ID: "codex-1" },
  typed: "loop:continue",
};

class Desk {
  readonly sandbox = new Sandbox();

  hook({ host, session }: Client, word: string, payload: object = {}): Ran {
    return inProcess({
      program: "hook",
      words: [word, "--host", host],
      cwd: this.sandbox.root,
      env: this.sandbox.env,
      input: JSON.stringify({ session_id: session, cwd: this.sandbox.root, ...payload }),
    });
  }

  loop({ env }: Client, ...args: readonly string[]): Ran {
    return this.sandbox.loopWith({ env }, ...args);
  }

  stop(client: Client): string {
    return this.hook(client, "stop", { last_assistant_message: "All done." }).out;
  }

  /** The user takes the loop into another session. */
  take(client: Client): Ran {
    const { id } = this.sandbox.only();
    this.hook(client, "session-start");
    this.hook(client, "user-prompt-submit", { prompt: `${client.typed} --loop=${id}` });
    return this.loop(client, "continue", "--loop", id);
  }
}

describe.each([
  [CLAUDE, CODEX],
  [CODEX, CLAUDE],
])("a loop of %o", (first, second) => {
  test("goes on in the session of another agent, and back, and loses nothing", () => {
    const desk = new Desk();
    desk.hook(first, "session-start");
    const started = desk.loop(
      first,
      "start",
      "Write a.txt and b.txt",
      "-c",
      "a=cat a.txt",
      "-c",
      "b=cat b.txt",
      "--shape",
      "tool",
    );
    expect(started).toMatchObject({ code: 0 });
    desk.sandbox.write({ "a.txt": "a\n" });
    desk.loop(first, "done");
    expect(desk.stop(first)).toContain("unmet criteria: b");
    const before = desk.sandbox.only();
    expect(before).toMatchObject({ iteration: 1, session: first.session });

    expect(desk.take(second)).toMatchObject({ code: 0 });
    expect(desk.sandbox.only()).toMatchObject({ id: before.id, iteration: 1, session: second.session });
    // The first session is free, and is told so once.
    expect(desk.stop(first)).toContain("No longer held");
    expect(desk.stop(first)).toBe("");
    desk.loop(second, "done");
    expect(desk.stop(second)).toContain("unmet criteria: b");
    expect(desk.sandbox.only()).toMatchObject({ iteration: 2 });

    expect(desk.take(first)).toMatchObject({ code: 0 });
    desk.sandbox.write({ "b.txt": "b\n" });
    desk.loop(first, "done");
    expect(desk.stop(first)).toContain("✓ done: a, b");
    const after = desk.sandbox.only();
    expect(after).toMatchObject({ id: before.id, phase: "completed", iteration: 2 });
    expect(after.costUsd ?? 0).toBeGreaterThanOrEqual(before.costUsd ?? 0);
    expect(desk.stop(second)).toContain("No longer held");
  });

  test("isn't taken by an agent whose user didn't type it", () => {
    const desk = new Desk();
    desk.hook(first, "session-start");
    desk.loop(first, "start", "Write a.txt", "-c", "a=cat a.txt", "--shape", "tool");
    desk.hook(second, "session-start");
    expect(desk.loop(second, "continue", "--loop", desk.sandbox.only().id).code).not.toBe(0);
    expect(desk.sandbox.only()).toMatchObject({ session: first.session });
  });
});
