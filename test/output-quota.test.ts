import { existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { FINISHES, Stage } from "./support/driven.ts";
import { variant } from "./support/variant.ts";

variant("a run makes room for what its next turn prints", () => {
  const stage = new Stage();
  expect(stage.run([{ say: "One." }, FINISHES], "--iterations", "1").code).toBe(3);
  const outputOf = (turn: string): string =>
    join(stage.root, ".loop/loops", stage.id, "runs", turn, "output.jsonl");
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    mkdirSync(join(outputOf(`1-${attempt}`), ".."));
    writeFileSync(outputOf(`1-${attempt}`), "");
    truncateSync(outputOf(`1-${attempt}`), 25 * 1024 * 1024);
  }
  expect(stage.loop("continue", "--iterations", "1").code).toBe(0);

  // Of the same age, or nearly so: which of them went does not matter, the first turn's was the oldest.
  expect(existsSync(outputOf("1-1"))).toBe(false);
  expect(stage.prompt("1-1")).toContain("# Task");
  expect(stage.turns().filter((turn) => existsSync(outputOf(turn)))).toHaveLength(9);
  expect(existsSync(outputOf("2-1"))).toBe(true);
});
