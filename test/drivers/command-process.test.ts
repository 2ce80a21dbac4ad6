import { expect, test } from "vitest";
import { commandDriver } from "../../src/agents/drivers/command/driver.ts";
import { Sandbox } from "../support/sandbox.ts";
import type { Reading } from "./faults.ts";
import { A_TURN } from "../support/turn.ts";
import { runTurn } from "./run-turn.ts";

async function run(line: string, part: Partial<typeof A_TURN> = {}): Promise<Reading> {
  const { root } = new Sandbox({ "locked.sh": "echo never" });
  return runTurn(commandDriver(line), { ...A_TURN, ...part }, { cwd: root });
}

test("a program gets the prompt on standard input, and its text is its message", async () => {
  const prompt = "Mend $(the cart) `now`\n\n  and \"quote\" 'it'";
  const { report, agentEvents } = await run("sed s/Mend/Mended/", { prompt });
  expect(report).toMatchObject({ trouble: null, lastMessage: prompt.replace("Mend", "Mended") });
  expect(agentEvents).toEqual([
    { type: "said", text: "Mended $(the cart) `now`" },
    { type: "said", text: "and \"quote\" 'it'" },
  ]);
});

test("a status block is not among the words that are shown", async () => {
  const { report, agentEvents } = await run("cat", {
    prompt: "Half of it.\n```\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---\n```\n",
  });
  expect(agentEvents).toEqual([{ type: "said", text: "Half of it." }]);
  expect(report.lastMessage).toContain("EXIT_SIGNAL: true");
});

test("a program gets further arguments as words, whatever stands in them", async () => {
  const args = ["two words", "$(echo pwned)", "'", ""];
  const { report } = await run("printf '%s|'", { args });
  expect(report.lastMessage).toBe(`${args.join("|")}|`);
});

test("a program that prints too much has said what it said last", async () => {
  const { report } = await run("seq 100000; echo the end");
  expect(report.lastMessage?.length).toBeLessThanOrEqual(64 * 1024);
  expect(report.lastMessage).toMatch(/^\d{5}\n[^]*\n99999\n100000\nthe end$/);
});

test.each([
  ["cat", null],
  ["true", null],
  ["no-such-program-anywhere", "blocking"],
  ["./locked.sh", "blocking"],
  ["exit 75", "transient"],
  ["echo no key >&2; exit 2", "unknown"],
  ["kill -KILL $$", "unknown"],
])("a command as an agent, `%s`, ends with trouble of the kind %s", async (line, kind) => {
  const { report } = await run(line);
  expect(report.trouble?.kind ?? null).toBe(kind);
});
