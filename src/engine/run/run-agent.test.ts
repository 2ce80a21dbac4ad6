import { expect, test } from "vitest";
import { sessionId } from "../../../test/support/loop-builders.ts";
import { A_TURN } from "../../../test/support/turn.ts";
import { geminiCli } from "../../agents/drivers/gemini-cli/driver.ts";
import { agentEnvironment } from "./run-agent.ts";

const AROUND = {
  run: sessionId("run-1"),
  root: "/project",
  programs: "/programs",
  launch: { env: {} },
};

test("the program that drives is the first `loop` that the agent finds", () => {
  expect(agentEnvironment({ PATH: "/usr/bin:/bin" }, AROUND)["PATH"]).toBe("/programs:/usr/bin:/bin");
  expect(agentEnvironment({}, AROUND)["PATH"]).toBe("/programs");
});

function trustOf(env: NodeJS.ProcessEnv): string | undefined {
  const launch = geminiCli.command(A_TURN);
  return agentEnvironment(env, { ...AROUND, launch })["GEMINI_CLI_TRUST_WORKSPACE"];
}

test("Gemini CLI takes the folder for trusted, unless the user says that it is not", () => {
  expect(trustOf({})).toBe("true");
  expect(trustOf({ GEMINI_CLI_TRUST_WORKSPACE: "false" })).toBe("false");
});
