import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claudeCodeAgent } from "./agents/claude-code.ts";
import { codexAgent } from "./agents/codex.ts";
import { geminiCliAgent } from "./agents/gemini-cli.ts";
import { opencodeAgent } from "./agents/opencode.ts";
import { DrivenWorld } from "./driven-world.ts";

const SPEC =
  "Write one.txt in src, keep the public API as it is, until npm test passes and coverage is at least 90 %";
const TASK = {
  id: "T-001",
  subject: "Write one.txt",
  description: "",
  verify: "test -f src/one.txt",
  blockedBy: [],
  files: [],
  estimate: null,
};

describe.each([
  ["Claude Code", claudeCodeAgent],
  ["Codex", codexAgent],
  ["Gemini CLI", geminiCliAgent],
  ["opencode", opencodeAgent],
] as const)("loop plan asks %s", (_, agent) => {
  test("which reads a copy of the project, writes nothing, and is asked again about a plan that is none", async () => {
    const world = await DrivenWorld.create(agent, [
      { write: "README.md", text: "Changed\n" },
      { answer: { tasks: [{ ...TASK, blockedBy: ["T-009"] }] } },
      { answer: { tasks: [TASK] } },
    ]);
    const { code, out, err } = await world.loop("plan", SPEC, "--agent", agent.id, ...agent.stock, "--json");
    expect(err).toContain("loop: Cost: ");
    expect(JSON.parse(out)).toMatchObject({
      agent: agent.id,
      tasks: [{ id: "T-001", verify: "test -f src/one.txt", proposed: true }],
    });
    expect(code).toBe(0);
    expect(world.model).toMatchObject({ played: 3, outside: [] });
    expect(world.model.heard[0]).toContain(SPEC);
    expect(world.model.heard[2]).toContain('T-001 is blocked by "T-009"');
    expect(world.read("README.md")).toBe("A project\n");
    expect(existsSync(join(world.project, ".loop"))).toBe(false);
    expect(await world.processesAfterAMoment()).toEqual([]);
  });
});
