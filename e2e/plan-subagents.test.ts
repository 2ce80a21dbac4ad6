import { expect, onTestFailed, test } from "vitest";
import { DONE } from "../test/support/driven.ts";
import { plan } from "../test/support/plan-stage.ts";
import { claudeCodeAgent } from "./agents/claude-code.ts";
import { ModelServer } from "./model-server.ts";
import { PlanWorld } from "./plan-world.ts";
import { bash } from "./world.ts";

const SUBAGENT = {
  name: "Agent",
  input: { description: "Look around", prompt: "Look around and report.", subagent_type: "general-purpose" },
};

test("an attempt of Claude Code with --subagents 0 starts no agents of its own, and works without them", async () => {
  const world = new PlanWorld(plan(["T-001", "test -f one.txt"]));
  const server = await ModelServer.start({
    main: [{ tools: [SUBAGENT, SUBAGENT] }, { tools: [bash("echo one > one.txt")] }, { text: DONE }],
    subagents: [{ text: "Nothing to see." }, { text: "Nothing to see." }],
  });
  const model = {
    url: server.url,
    heard: [],
    played: 0,
    outside: server.outside,
    play: () => undefined,
    close: () => server.close(),
  };
  await world.use({ ...claudeCodeAgent, startTalk: async () => model }, () => ({ say: DONE }));
  const run = world.driveAgents(
    ...world.plan("--agent", "claude-code", ...claudeCodeAgent.permissive, "--subagents", "0"),
  );
  onTestFailed(() => void process.stderr.write(`${run.out}${run.err}`));
  const { code } = await run.ended();

  expect(code).toBe(0);
  expect(server.of("subagent")).toEqual([]);
  expect(server.of("main")[1]?.toolResults.map(({ isError }) => isError)).toEqual([true, true]);
}, 240_000);
