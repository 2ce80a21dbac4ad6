import { expect, test } from "vitest";
import { loopWith } from "../../../test/support/loop-builders.ts";
import { adopted, planned } from "../../../test/support/workflow-builders.ts";
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

test("the same check in a folder of its own is another plan", () => {
  const command = { kind: "shell", line: "npm test" } as const;
  const texts = [{}, { folder: "" }, { folder: "packages/cart" }].map((where) => {
    const check = { command, timeoutMs: 1000, passEnv: [], ...where };
    const mustNots = [{ kind: "run", check } as const];
    return verificationPlanTexts({
      ...loopWith({ mustNots }),
      frames: [{ criteria: [{ name: "ok", check }] }],
    });
  });
  expect(new Set(texts.map(([guard]) => guard)).size).toBe(3);
  expect(new Set(texts.map(([, frame]) => frame)).size).toBe(3);
});

test("what loosens the proofs, another plan of tasks and an argv list are another plan each", () => {
  const base = loopWith({});
  const check = { command: { kind: "argv", argv: ["npm", "test"] }, timeoutMs: 1000, passEnv: [] } as const;
  const { workflow } = loopWith({ goal: { exitRule: "tasks" } }, adopted([planned("T-1")]));
  const texts = [
    base,
    { ...base, proof: "off" as const },
    { ...base, proofBudgetMs: 1000 },
    { ...base, mayChange: ["test/**"] },
    { ...base, mustNots: [{ kind: "path", glob: "src/legacy.js" } as const] },
    { ...base, workflow },
    { ...base, frames: [{ criteria: [{ name: "ok", check: { ...check, use: "once" as const } }] }] },
    { ...base, frames: [{ criteria: [{ name: "ok", check }] }] },
  ].map((plan) => verificationPlanTexts(plan).join("\n"));
  expect(new Set(texts).size).toBe(texts.length);
});
