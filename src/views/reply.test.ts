import { expect, test } from "vitest";
import { checked, loopWith, ran } from "../../test/support/loop-builders.ts";
import { DEFAULT_HOST } from "../agents/hosts/hosts.ts";
import { replyTo } from "./reply.ts";

test("a colleague that hands back names what was done and what is next", () => {
  const loop = loopWith(
    { goal: { criteria: [checked("tests pass"), checked("lint")], steps: ["look", "fix"] } },
    { type: "step.finished", name: "look", source: "command" },
    ran("tests pass"),
  );
  const reply = replyTo({ type: "let-go", because: "handed-back", iteration: 1 }, loop, DEFAULT_HOST);
  const { text } = reply as Extract<typeof reply, { type: "message" }>;
  expect(text.split("\n").slice(1)).toEqual([
    "Done: look, tests pass",
    "Progress: 1 steps complete, 1 remaining; 1 of 2 criteria met",
    "Next: fix. Your next prompt continues the loop.",
  ]);
});
