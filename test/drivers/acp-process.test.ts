import { resolve } from "node:path";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acpDriver } from "../../src/agents/drivers/acp/driver.ts";
import type { Turn } from "../../src/agents/drivers/driver.ts";
import { Sandbox } from "../support/sandbox.ts";
import { A_TURN } from "../support/turn.ts";
import { runTurn, type TurnOptions } from "./run-turn.ts";

const HELPER = [process.execPath, resolve("dist/cli.js"), "speak-acp"] as const;
const AGENT = `${process.execPath} ${resolve("test/drivers/acp-agent.mjs")}`;

/** A turn with a program as the agent; a name of one of the fake agent's scenes is that scene. */
function turn(
  line: string,
  part: Partial<Turn> = {},
  onAgentEvent: TurnOptions["onAgentEvent"] = () => {},
): ReturnType<typeof runTurn> {
  const { root } = new Sandbox({ "src/cart.js": "price\n" });
  symlinkSync("/etc", join(root, "way-out"));
  return runTurn(acpDriver(line, HELPER), { ...A_TURN, ...part }, { cwd: root, onAgentEvent });
}
const scene = (name: string): string => `${AGENT} ${name}`;

test("a turn of an agent is what it says, in one piece, in a conversation that can be continued", async () => {
  const { report, agentEvents } = await turn(scene("finish"));
  expect(report).toMatchObject({ trouble: null, lastMessage: "Worked.", conversation: "talk-9" });
  expect(agentEvents).toEqual([
    { type: "conversation", id: "talk-9" },
    { type: "said", text: "Worked." },
  ]);
});

test("what a continued conversation tells again is no part of the turn", async () => {
  const { report } = await turn(scene("finish"), { conversation: "talk-9" });
  expect(report).toMatchObject({ trouble: null, lastMessage: "Worked." });
});

test.each([
  ["no-such-program-anywhere", "blocking", /before its turn began \(exit code 127\).*not found/],
  ["true", "blocking", /before its turn began/],
  ["cat", "blocking", /does not speak the Agent Client Protocol/],
  [scene("old"), "blocking", /version 0/],
  [scene("login"), "blocking", /log in/],
  [scene("crash"), "unknown", /middle of its turn \(exit code 3\): Error: out of luck/],
])("`%s` as an agent ends with trouble of the kind %s", async (line, kind, detail) => {
  const { report } = await turn(line);
  expect(report.trouble).toMatchObject({ kind, detail: expect.stringMatching(detail) as string });
});

test("an agent that is to stop is told so, and is gone with its helper", async () => {
  let stderr = "";
  const { report } = await turn(scene("hang"), {}, ({ type }, child) => {
    child.stderr?.on("data", (text: string) => (stderr += text));
    if (type === "conversation") setTimeout(() => child.kill("SIGTERM"), 300);
  });
  expect(report.trouble?.kind).toMatch(/interrupted|unknown/);
  expect(stderr).toContain("cancelled");
});

test("noise and a line without an end change nothing", async () => {
  expect((await turn(scene("noise"))).report).toMatchObject({ trouble: null, lastMessage: "Still here." });
});

test("whole files in a message don't reach the kept lines", async () => {
  const { report, agentEvents } = await turn(scene("huge"));
  expect(report).toMatchObject({ trouble: null, toolUses: 1 });
  expect(agentEvents).toContainEqual({ type: "edited", path: "a.txt" });
});

test("files and terminals of ours are not for the agent", async () => {
  expect((await turn(scene("reach"))).report.lastMessage).toBe("-32601,-32601,-32601");
});

test("where the only choice is yes, the answer is neither", async () => {
  expect((await turn(scene("odd"))).report).toMatchObject({
    lastMessage: '{"outcome":{"outcome":"cancelled"}}',
    denials: [{ tool: "rm -rf /", rule: "execute(rm -rf /)" }],
  });
});

test.each([
  [{ kind: "edit", locations: [{ path: "src/cart.js" }] }, true],
  [{ kind: "edit", locations: [{ path: "way-out/passwd" }] }, false],
  [{ kind: "edit", locations: [{ path: "../other/cart.js" }] }, false],
  [{ kind: "edit" }, false],
  [{ kind: "read", locations: [{ path: "/etc/passwd" }] }, false],
  [{ kind: "execute", rawInput: { command: "loop status" } }, true],
])("a wish %j is answered by where it really leads", async (wish, allowed) => {
  const line = `WISH='${JSON.stringify(wish)}' ${scene("wish")}`;
  expect((await turn(line)).report.lastMessage).toBe(allowed ? "the-allow_once" : "the-reject_once");
});

test.each([
  [null, "default"],
  ["allow", "default"],
  ["YOLO", "yolo"],
])("with the permission mode %s the agent is set to its mode %s", async (permissionMode, mode) => {
  expect((await turn(scene("mode"), { permissionMode })).report.lastMessage).toBe(mode);
});

test("a mode that the agent doesn't have is for a person, with those that it has", async () => {
  const { report } = await turn(scene("finish"), { permissionMode: "nonsense" });
  expect(report.trouble).toEqual({
    kind: "blocking",
    detail: "the agent has no --permission-mode nonsense; it has allow, deny, auto, default, yolo",
  });
});
