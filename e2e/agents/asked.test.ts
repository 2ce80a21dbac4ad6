import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { claudeCode } from "../../src/agents/drivers/claude-code/driver.ts";
import { codex } from "../../src/agents/drivers/codex/driver.ts";
import type { AskedForm, Driver, Turn } from "../../src/agents/drivers/driver.ts";
import { geminiCli } from "../../src/agents/drivers/gemini-cli/driver.ts";
import { opencode } from "../../src/agents/drivers/opencode/driver.ts";
import type { ScriptedAgent } from "./agent.ts";
import { claudeCodeAgent } from "./claude-code.ts";
import { codexAgent } from "./codex.ts";
import { carriedOver, setDriverStage } from "./driver-stage.ts";
import { geminiCliAgent } from "./gemini-cli.ts";
import { opencodeAgent } from "./opencode.ts";

const SCHEMA: AskedForm["schema"] = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
  additionalProperties: false,
};

function question(): AskedForm {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-form-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const schemaFile = join(folder, "schema.json");
  writeFileSync(schemaFile, JSON.stringify(SCHEMA));
  return { id: "review-1", schema: SCHEMA, schemaFile };
}

const ANSWER = { answer: "42" };
const IN_WORDS = JSON.stringify(ANSWER);

/** Each with what a user may have allowed it for other turns. */
const CLIENTS: readonly (readonly [name: string, Driver, ScriptedAgent, Partial<Turn>, Partial<Turn>])[] = [
  [
    "Claude Code",
    claudeCode,
    claudeCodeAgent,
    {},
    {
      permissionMode: "bypassPermissions",
      allow: ["Bash", "Edit"],
      args: ["--dangerously-skip-permissions"],
    },
  ],
  [
    "Codex",
    codex,
    codexAgent,
    { model: "gpt-5.5" },
    { permissionMode: "danger-full-access", args: ["-s", "danger-full-access"] },
  ],
  [
    "Gemini CLI",
    geminiCli,
    geminiCliAgent,
    {},
    { permissionMode: "yolo", allow: ["run_shell_command", "write_file"], args: ["--yolo"] },
  ],
  [
    "opencode",
    opencode,
    opencodeAgent,
    { model: "scripted/model" },
    { permissionMode: "auto", allow: ["edit", "bash"], args: ["--auto"] },
  ],
];

describe.each(CLIENTS)("%s, asked a question", (_, driver, agent, usual, allowed) => {
  test("answers it", async () => {
    const stage = await setDriverStage(driver, agent, usual);
    const { report } = await stage.turn([{ answer: ANSWER }], { question: question() });
    expect(report).toMatchObject({ trouble: null, lastMessage: IN_WORDS });
  });

  test("writes nothing, whatever it is allowed otherwise", async () => {
    const stage = await setDriverStage(driver, agent, usual);
    const { report } = await stage.turn(
      [{ write: "a.txt", text: "a\n" }, { run: "echo b > b.txt" }, { answer: ANSWER }],
      { ...allowed, question: question() },
    );
    expect(() => stage.read("a.txt")).toThrow("ENOENT");
    expect(() => stage.read("b.txt")).toThrow("ENOENT");
    expect(report).toMatchObject({ trouble: null, lastMessage: IN_WORDS });
  });

  test("goes on with the conversation for a second answer", async () => {
    const stage = await setDriverStage(driver, agent, usual);
    const form = question();
    const first = await stage.turn([{ answer: { answer: "41" } }], { question: form });
    const second = await stage.turn([{ answer: ANSWER }], {
      ...carriedOver(first.report),
      prompt: "Again.",
      question: form,
    });
    expect(second.report).toMatchObject({
      trouble: null,
      lastMessage: IN_WORDS,
      conversation: first.report.conversation,
    });
  });
});
