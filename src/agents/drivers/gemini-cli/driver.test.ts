import { expect, test } from "vitest";
import { A_TURN } from "../../../../test/support/turn.ts";
import type { Turn } from "../driver.ts";
import { launchOf } from "./driver.ts";

function argvOf(turn: Partial<Turn>): readonly string[] {
  const { command } = launchOf({ ...A_TURN, ...turn });
  if (command.kind !== "argv") throw new Error("a shell would see the words");
  return command.argv;
}

test("a new turn may edit, and has its prompt on standard input", () => {
  expect(launchOf(A_TURN)).toEqual({
    command: {
      kind: "argv",
      argv: [
        "gemini",
        "--output-format=stream-json",
        "--approval-mode=auto_edit",
        ...["check", "done", "blocked", "status", "criteria", "step"].map(
          (word) => `--allowed-tools=run_shell_command(loop ${word})`,
        ),
      ],
    },
    stdin: A_TURN.prompt,
    env: {},
    envDefaults: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  });
});

test("a turn is started with its conversation, model, mode and further arguments", () => {
  const turn = {
    conversation: "769115b6-9522-49be-83b8-92768884fa18",
    model: "gemini-2.5-pro",
    permissionMode: "yolo",
    args: ["--include-directories", "../lib"],
  };
  expect(argvOf(turn)).toEqual([
    "gemini",
    "--output-format=stream-json",
    "--approval-mode=yolo",
    "--model=gemini-2.5-pro",
    "--resume=769115b6-9522-49be-83b8-92768884fa18",
    "--include-directories",
    "../lib",
  ]);
});

test.each([["--approval-mode"], ["--approval-mode=plan"], ["--yolo"], ["-y"]])(
  "a mode among the user's arguments is the only one: %s",
  (argument) => {
    expect(argvOf({ args: [argument] })).toEqual(["gemini", "--output-format=stream-json", argument]);
  },
);

test("a conversation whose name is none is not resumed", () => {
  expect(argvOf({ conversation: "--help" })).toEqual(argvOf({}));
});

test("a prompt that begins like a command of the client's is none", () => {
  expect(launchOf({ ...A_TURN, prompt: "/quit is missing" }).stdin).toBe("\n/quit is missing");
});

test("at signs do not become files", () => {
  const note = "\n\n(In this message, \\@ stands for a plain at sign.)";
  const stdin = (prompt: string): string => launchOf({ ...A_TURN, prompt }).stdin;
  expect(stdin("@src, me@here.org")).toBe(`\\@src, me\\@here.org${note}`);
  expect(stdin("@@ -1 +1 @@ \\@done")).toBe(`\\@@ -1 +1 \\@@ \\@done${note}`);
  expect(stdin("one @ a time @")).toBe("one @ a time @");
});

test("what is allowed beside the preset is a rule of its own", () => {
  const allowed = argvOf({ allow: ["run_shell_command(npm test)"] });
  expect(allowed.at(-1)).toBe("--allowed-tools=run_shell_command(npm test)");
  expect(allowed.length).toBe(argvOf({}).length + 1);
});
