import { renameSync } from "node:fs";
import { expect, test } from "vitest";
import { FINISHES, Stage } from "./support/driven.ts";

/** The same machine, with the project at another path. */
function moved(stage: Stage): string {
  const elsewhere = `${stage.root}-moved`;
  renameSync(stage.root, elsewhere);
  return elsewhere;
}

test("a loop that ended before its project was moved is shown as it ended, and nobody has to approve it", () => {
  const stage = new Stage();
  expect(stage.run([FINISHES]).code).toBe(0);
  const cwd = moved(stage);
  const status = stage.loopWith({ cwd }, "status").out;
  expect(status).toContain("No loop is open; the last one:");
  expect(status).toContain("Write done.txt");
  expect(status).not.toContain("untrusted");
  expect(stage.loopWith({ cwd }, "continue").err).toContain("No loop is open in");
  expect(stage.loopWith({ cwd }, "doctor").out).not.toContain("loop trust");
  expect(stage.loopWith({ cwd }, "trust", "--yes").out).not.toContain("test -f done.txt");
});

test("a loop that was open when its project was moved still has to be approved, and nothing of it runs", () => {
  const stage = new Stage();
  stage.run([{ say: "Nothing." }], "--iterations", "1");
  const cwd = moved(stage);
  expect(stage.loopWith({ cwd }, "continue", "--iterations=2").err).toContain("loop trust");
});

test("a finished record that nobody approved on this machine stays a stranger's", () => {
  const author = new Stage();
  author.run([FINISHES]);
  const machine = new Stage();
  expect(machine.loopWith({ cwd: author.root }, "status").out).toContain("untrusted");
});
