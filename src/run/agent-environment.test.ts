import { expect, test } from "vitest";
import type { SessionId } from "../core/id.ts";
import { agentEnvironment } from "./agent-environment.ts";

const AROUND = {
  run: "run-1" as SessionId,
  root: "/project",
  programs: "/programs",
  launch: { env: {} },
};

test("the program that drives is the first `loop` that the agent finds", () => {
  expect(agentEnvironment({ PATH: "/usr/bin:/bin" }, AROUND)["PATH"]).toBe("/programs:/usr/bin:/bin");
  expect(agentEnvironment({}, AROUND)["PATH"]).toBe("/programs");
});
