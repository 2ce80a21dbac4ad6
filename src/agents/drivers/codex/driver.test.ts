import { expect, test } from "vitest";
import { A_TURN } from "../../../../test/support/turn.ts";
import type { Turn } from "../driver.ts";
import { launchOf } from "./driver.ts";

function wordsOf(turn: Partial<Turn>): readonly string[] {
  const { command } = launchOf({ ...A_TURN, ...turn });
  return command.kind === "argv" ? command.argv : [];
}

test("the prompt comes by standard input, and writing is allowed", () => {
  expect(launchOf(A_TURN)).toEqual({
    command: {
      kind: "argv",
      argv: [
        "codex",
        "exec",
        "-c",
        "sandbox_mode=workspace-write",
        "-c",
        "approval_policy=never",
        "-c",
        "allow_login_shell=false",
        "-c",
        "agents.enabled=false",
        "--skip-git-repo-check",
        "--json",
        "-",
      ],
    },
    stdin: A_TURN.prompt,
    env: {},
  });
});

test("every option stands before resume, and the user's own before one of ours", () => {
  const words = wordsOf({
    conversation: "01a1e28c-45f0-7b62-9289-147b39b549b5",
    model: "gpt-5.5",
    permissionMode: "read-only",
    args: ["--image", "a.png", "b.png"],
  });
  expect(words.slice(10)).toEqual([
    "--model=gpt-5.5",
    "--sandbox=read-only",
    "--image",
    "a.png",
    "b.png",
    "--skip-git-repo-check",
    "--json",
    "resume",
    "01a1e28c-45f0-7b62-9289-147b39b549b5",
    "-",
  ]);
});

test("a conversation that would be an option is a new one", () => {
  expect(wordsOf({ conversation: "--last" })).toEqual(wordsOf({}));
});
