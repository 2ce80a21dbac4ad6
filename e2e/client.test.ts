import { describe, expect, test } from "vitest";
import type { Scenario } from "./model-server.ts";
import { Recorder, type Answers, type EventName } from "./recorder.ts";
import { World, bash } from "./world.ts";

const HOLDS = Array.from({ length: 12 }, () => ({ decision: "block", reason: "Not yet." }));
const says = (...texts: readonly string[]) => texts.map((text) => ({ text }));

async function watched(scenario: Scenario, answers: Answers = {}) {
  const world = await World.create({}, scenario);
  const recorder = new Recorder(world.home, answers);
  const callsOf = (event: EventName) => recorder.calls().filter((call) => call.event === event);
  return { world, recorder, callsOf, pluginDir: recorder.pluginDir };
}

/** What the engine has to reckon with in this client; none of it is ours. */
describe("Claude Code 2.1.197", () => {
  test("lets go of the ninth hold in a row without a tool call, and its result is empty", async () => {
    const texts = Array.from({ length: 12 }, (_, index) => `Answer ${index + 1}.`);
    const { world, callsOf, pluginDir } = await watched({ main: says(...texts) }, { Stop: HOLDS });
    const run = await world.claude({ prompt: "Go", pluginDir });
    expect(callsOf("Stop")).toHaveLength(9);
    expect(world.server.of("main")).toHaveLength(9);
    expect(run).toMatchObject({ exitCode: 0, result: { result: "", terminal_reason: "completed" } });
  });

  test("counts the holds anew after a tool call", async () => {
    const texts = ["1", "2", "3", "4", "5", "6"];
    const script = [...says(...texts), { tools: [bash("true")] }, ...says(...texts), { text: "The end." }];
    const { world, callsOf, pluginDir } = await watched({ main: script }, { Stop: HOLDS });
    const run = await world.claude({ prompt: "Go", pluginDir });
    expect(callsOf("Stop")).toHaveLength(13);
    expect(callsOf("Stop").filter(({ payload }) => payload["stop_hook_active"] === false)).toHaveLength(1);
    expect(run.result?.result).toBe("The end.");
  });

  test("starts a fork under the old session's id, and goes on under the new one", async () => {
    const { world, callsOf, pluginDir } = await watched({ main: says("One.", "Two.") });
    const first = await world.claude({ prompt: "Go" });
    const resume = first.result?.session_id ?? "";
    const fork = await world.claude({ prompt: "Go", resume, args: ["--fork-session"], pluginDir });
    expect(fork.result?.session_id).not.toBe(resume);
    expect(callsOf("SessionStart").map(({ payload }) => payload)).toMatchObject([
      { session_id: resume, source: "resume" },
    ]);
    for (const event of ["UserPromptSubmit", "Stop", "SessionEnd"] as const) {
      expect(callsOf(event)[0]?.payload["session_id"]).toBe(fork.result?.session_id);
    }
  });

  test("names its own session to its hooks, in a session that goes on, and inside another one", async () => {
    const turns = [{ tools: [bash("true")] }, { text: "One." }, { tools: [bash("true")] }, { text: "Two." }];
    const { world, recorder, pluginDir } = await watched({ main: turns });
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "the-outer-one" };
    const first = await world.claude({ prompt: "Go", pluginDir, env });
    const resume = first.result?.session_id ?? "";
    await world.claude({ prompt: "Go", resume, args: ["--fork-session"], pluginDir, env });
    const calls = recorder.calls().filter(({ event }) => event === "PostToolUse");
    expect(calls).toHaveLength(2);
    for (const { named, payload } of recorder.calls()) expect(named).toBe(payload["session_id"]);
  });

  test("hands the end of a background task in as a prompt, which starts a turn of its own", async () => {
    const sleeping = bash("sleep 2");
    const inBackground = { ...sleeping, input: { ...sleeping.input, run_in_background: true } };
    const { world, callsOf, pluginDir } = await watched({
      main: [{ tools: [inBackground] }, { text: "Waiting." }, { text: "It ended." }],
    });
    const run = await world.claude({ prompt: "Go", pluginDir });
    expect(callsOf("Stop").map(({ payload }) => payload)).toMatchObject([
      { last_assistant_message: "Waiting.", background_tasks: [{ type: "shell", status: "running" }] },
      { last_assistant_message: "It ended.", background_tasks: [] },
    ]);
    expect(callsOf("UserPromptSubmit")[1]?.payload["prompt"]).toMatch(/^<task-notification>/);
    expect(run.messages.filter(({ type }) => type === "result")).toHaveLength(2);
  });

  test("ends a compaction with a subagent's stop that has no type, and with no Stop", async () => {
    const { world, recorder, callsOf, pluginDir } = await watched({
      main: [{ tools: [bash("true")] }, { tools: [bash("true")] }, { text: "One." }],
    });
    const { result } = await world.claude({ prompt: "Go" });
    await world.claude({ prompt: "/compact", resume: result?.session_id ?? "", pluginDir });
    expect(world.server.of("compaction")).toHaveLength(1);
    expect(callsOf("SubagentStop").map(({ payload }) => payload["agent_type"])).toEqual([""]);
    const others = [
      "SessionStart",
      "PreCompact",
      "SubagentStop",
      "SessionStart",
      "PostCompact",
      "SessionEnd",
    ];
    const events = recorder.calls().map(({ event }) => event);
    expect(events.filter((event) => event !== "InstructionsLoaded")).toEqual(others);
  });

  // Of SIGINT the exit code is 0 or 1, and a result or a SessionEnd may be missing, as it happens.
  test.each([
    { signal: "SIGTERM", exitCodes: [143] },
    { signal: "SIGINT", exitCodes: [0, 1] },
  ] as const)("calls no Stop when it is ended by $signal", async ({ signal, exitCodes }) => {
    const { world, callsOf, pluginDir } = await watched({ main: [{ tools: [bash("sleep 60")] }] });
    const run = await world.claude({
      prompt: "Go",
      pluginDir,
      onMessage: ({ type }, stop) => {
        if (type === "assistant") setTimeout(() => stop(signal), 500);
      },
    });
    expect(run.timedOut).toBe(false);
    expect(exitCodes).toContain(run.exitCode);
    expect(callsOf("Stop")).toEqual([]);
    expect(callsOf("StopFailure")).toEqual([]);
  });

  test("calls no Stop when it reaches --max-turns", async () => {
    const { world, callsOf, pluginDir } = await watched({
      main: [{ tools: [bash("true")] }, { text: "End." }],
    });
    const run = await world.claude({ prompt: "Go", pluginDir, args: ["--max-turns", "1"] });
    expect(run).toMatchObject({ exitCode: 1, result: { terminal_reason: "max_turns" } });
    expect(callsOf("Stop")).toEqual([]);
  });

  test("asks again in one piece when a stream breaks off", async () => {
    const { world, callsOf, pluginDir } = await watched({
      main: [{ text: "Lost.", cut: true }, { text: "Whole." }],
    });
    const run = await world.claude({ prompt: "Go", pluginDir });
    expect(world.server.of("main").map(({ body }) => body.stream ?? false)).toEqual([true, false]);
    expect(callsOf("Stop").map(({ payload }) => payload["last_assistant_message"])).toEqual(["Whole."]);
    expect(run.result?.result).toBe("Whole.");
  });
});
