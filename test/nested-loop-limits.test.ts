import { expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

/** How often the session is held before it is let go. */
function holds(sandbox: Sandbox, between: (held: number) => void = () => undefined): number {
  for (let held = 0; held < 20; held += 1) {
    if (!sandbox.stop("s1").out.includes('"decision":"block"')) return held;
    sandbox.write({ "work.txt": `${held}\n` });
    between(held);
  }
  throw new Error("held for ever");
}

const NESTED = ["start", "Go on", "-c", "never=false", "--nested", "--iterations", "50"] as const;

test("a nested loop has no more iterations than the one around it has left", () => {
  const sandbox = new Sandbox();
  sandbox.start("s1", "Fix it", "-c", "ok=false", "--iterations", "2", "--budget", "3");
  expect(sandbox.agentLoop("s1", ...NESTED).code).toBe(0);
  expect(sandbox.only()).toMatchObject({ iterationLimit: 2, budgetUsd: 3 });
  expect(holds(sandbox)).toBe(2);
  expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "iterations" });
});

test("nested loops one after the other have no more iterations than the one around them has left", () => {
  const sandbox = new Sandbox();
  sandbox.start("s1", "Fix it", "-c", "ok=false", "--iterations", "4");
  sandbox.agentLoop("s1", "start", "A", "-c", "a=test -e work.txt", "--nested");
  const held = holds(sandbox, (count) => {
    sandbox.agentLoop("s1", "done");
    sandbox.agentLoop(
      "s1",
      "start",
      "B",
      "-c",
      `b${count}=test -e work.txt`,
      "--nested",
      "--iterations",
      "50",
    );
  });
  expect(held).toBeLessThanOrEqual(4);
  expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "iterations" });
});

test("no loop is nested where no iteration is left", () => {
  const sandbox = new Sandbox();
  sandbox.start("s1", "Fix it", "-c", "ok=false", "--iterations", "1");
  sandbox.stop("s1");
  const ran = sandbox.agentLoop("s1", ...NESTED);
  expect(ran).toMatchObject({ code: 1, out: "" });
  expect(ran.err).toContain("has no iterations left");
});
