import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { CLI, World, bash, stopHookSettings } from "./world.ts";

const OVERLOADED = { status: 529, type: "overloaded_error", message: "Overloaded" };
const RATE_LIMITED = {
  status: 429,
  type: "rate_limit_error",
  message: "This request would exceed your account's rate limit.",
  headers: { "retry-after": "1" },
};

describe("Claude Code on a scripted model", () => {
  test("prints the scripted answer, and reaches for nothing outside", async () => {
    const world = await World.create({}, { main: [{ text: "Hello from the script." }] });
    const run = await world.claude({ prompt: "Say hello" });
    expect(run).toMatchObject({ exitCode: 0, stderr: "", timedOut: false });
    expect(run.result).toMatchObject({
      is_error: false,
      result: "Hello from the script.",
      terminal_reason: "completed",
    });
    expect(world.server.of("main")).toHaveLength(1);
    expect(world.server.of("main")[0]?.newText).toContain("Say hello");
    expect(world.server.of("main")[0]?.sessionId).toBe(run.result?.session_id);
    expect(world.server.outside).toEqual([]);
  });

  test("runs a tool for real and gives the model its output", async () => {
    const world = await World.create(
      { "numbers.txt": "19\n23\n" },
      {
        main: [
          {
            text: "Adding up.",
            tools: [bash("paste -sd+ numbers.txt | sed 's/^/sum=$((/; s/$/))/' > s.sh")],
          },
          { tools: [bash(". ./s.sh; echo the sum is $sum")] },
          ({ toolResults }) => ({ text: `The tool said: ${toolResults[0]?.text ?? "nothing"}` }),
        ],
      },
    );
    const run = await world.claude({ prompt: "Add up numbers.txt" });
    expect(run.result?.result).toBe("The tool said: the sum is 42");
    expect(world.read("s.sh")).toBe("sum=$((19+23))\n");
    expect(world.server.unplayed).toBe(0);
  });

  test("says that the script is over when it is", async () => {
    const world = await World.create({}, { main: [{ tools: [bash("true")] }] });
    expect((await world.claude({ prompt: "Go" })).result?.result).toBe("Script over.");
  });

  test("is ended at the time limit with all that it started", async () => {
    const world = await World.create({}, { main: [{ tools: [bash("echo $$ > pid; exec sleep 300")] }] });
    const run = await world.claude({ prompt: "Sleep", timeLimitMs: 8_000 });
    expect(run).toMatchObject({ timedOut: true, result: null });
    expect(() => process.kill(Number(world.read("pid")), 0)).toThrow("ESRCH");
  });
});

describe("the Stop hook in Claude Code", () => {
  test("holds a false done with the failing check, and lets a true one go", async () => {
    const session = randomUUID();
    const done = bash(`node ${CLI} done`);
    const world = await World.create(
      { "state.txt": "broken\n" },
      {
        main: [
          { tools: [done] },
          { text: "All done." },
          { text: "Not yet, then.", tools: [bash("echo fixed > state.txt"), done] },
          { text: "Now it is done." },
        ],
      },
    );
    const check = "fixed=grep -q fixed state.txt";
    world.loop("start", "Fix it", "-c", check, "--shape", "tool", "--session", session);
    const run = await world.claude({ prompt: "Fix it", sessionId: session, settings: stopHookSettings() });

    const [, , held, last] = world.server.of("main");
    expect(world.server.of("main")).toHaveLength(4);
    expect(held?.newText).toContain("Stop hook feedback:\n[ITERATION 1/10]");
    expect(held?.newText).toContain("unmet criteria: fixed");
    expect(held?.newText).toContain("grep -q fixed state.txt");
    expect(last?.toolResults.map(({ isError }) => isError)).toEqual([false, false]);
    expect(run).toMatchObject({ exitCode: 0, result: { result: "Now it is done.", is_error: false } });
    expect(world.loops()).toMatchObject([{ phase: "completed", session, iteration: 1 }]);
  });
});

describe("an error of the model's server", () => {
  test("is retried until an answer comes", async () => {
    const world = await World.create(
      {},
      {
        main: [
          { tools: [bash("echo before")] },
          { error: OVERLOADED },
          { error: RATE_LIMITED },
          { text: "Survived." },
        ],
      },
    );
    const run = await world.claude({ prompt: "Go", env: { CLAUDE_CODE_MAX_RETRIES: "3" } });
    expect(run).toMatchObject({ exitCode: 0, result: { result: "Survived.", is_error: false } });
    const retries = run.messages.filter(({ subtype }) => subtype === "api_retry");
    expect(retries).toMatchObject([
      { attempt: 1, max_retries: 3, error_status: 529, error: "overloaded" },
      { attempt: 2, max_retries: 3, error_status: 429, error: "rate_limit" },
    ]);
  });

  test.each([
    { error: OVERLOADED, said: /529/ },
    { error: RATE_LIMITED, said: /rate limit/i },
  ])("ends the run when the retries are used up: $error.status", async ({ error, said }) => {
    const world = await World.create({}, { main: [{ tools: [bash("echo before")] }, { error }, { error }] });
    const run = await world.claude({ prompt: "Go", env: { CLAUDE_CODE_MAX_RETRIES: "1" } });
    expect(run.exitCode).toBe(1);
    expect(run.result).toMatchObject({
      subtype: "success",
      is_error: true,
      api_error_status: error.status,
    });
    expect(run.result?.result).toMatch(said);
    expect(world.server.unplayed).toBe(0);
  });
});
