import { expect, test } from "vitest";
import { loopWith } from "../../test/support/loop-builders.ts";
import { verificationPlanTexts } from "./verification-plan.ts";

test("a loop that works in the root is locked as before there were folders", () => {
  const [guard] = verificationPlanTexts(loopWith({}));
  expect(JSON.parse(guard ?? "")).toEqual(["guard", loopWith({}).id, [], [], null]);
});

test("the same checks in another folder are another plan", () => {
  const texts = ["", "packages/cart", "packages/shop"].map((folder) =>
    verificationPlanTexts(loopWith({ folder })).join("\n"),
  );
  expect(new Set(texts).size).toBe(3);
});
