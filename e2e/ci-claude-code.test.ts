import { expect, test } from "vitest";
import { FIXED_CART, runGuide } from "../test/support/guide-on-github.ts";
import { claudeCodeAgent } from "./agents/claude-code.ts";
import { DrivenWorld, words } from "./driven-world.ts";

test("the workflow of the guide goes from an issue to a pull request with Claude Code, which runs the documented check", async () => {
  const world = await DrivenWorld.create(claudeCodeAgent, [
    { run: "npm test" },
    { write: "cart.js", text: FIXED_CART },
    { run: "npm test" },
    { say: words("total() adds up.", true) },
  ]);
  const { jobs, sent, show } = await runGuide({ env: world.env });

  expect(jobs["loop"]?.log).toContain("Outcome: completed (0). Completed and verified.");
  expect(jobs["pull-request"]).toMatchObject({ outcome: "success" });
  const { heard } = world.model;
  expect(heard[1]).toContain("adds up");
  expect(heard.join("\n")).not.toContain("requires approval");
  expect(show("cart.js")).toBe(FIXED_CART);
  expect(sent).toMatchObject([{ title: "Fix total() in cart.js", head: "loop/42-1", base: "main" }]);
});
