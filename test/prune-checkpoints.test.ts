import { expect, test } from "vitest";
import { createMachine } from "../src/app/machine.ts";
import { pruneCheckpoints } from "../src/app/prune-checkpoints.ts";
import { projectAt } from "../src/store/project.ts";
import { Sandbox } from "./support/sandbox.ts";

const DAY = 24 * 3_600_000;
const SCRIPT = JSON.stringify({
  turns: [
    {
      do: [{ write: "a.txt", text: "a" }],
      say: "---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---",
      usd: 0,
    },
  ],
});

test("checkpoints of loops that ended two weeks ago are let go, those of open ones stay", async () => {
  const sandbox = new Sandbox({ "README.md": "x\n", ".gitignore": "script.json\n", "script.json": SCRIPT });
  sandbox.commitAll();
  const run = ["--script", "script.json", "--iterations", "1"];
  expect(sandbox.loop("run", "Write a.txt", "-c", "a=test -f a.txt", ...run).code).toBe(0);
  expect(sandbox.loop("run", "Write b.txt", "-c", "b=test -f b.txt", ...run).code).toBe(3);
  const refs = (): readonly string[] =>
    sandbox.git("for-each-ref", "--format=%(refname)", "refs/loopwright").trim().split("\n").filter(Boolean);
  const machine = createMachine(sandbox.env, sandbox.root);
  const later = (days: number) => ({ ...machine, now: () => Date.now() + days * DAY });
  expect(refs()).toHaveLength(2);

  await pruneCheckpoints(later(13), projectAt(sandbox.root));
  expect(refs()).toHaveLength(2);

  await pruneCheckpoints(later(15), projectAt(sandbox.root));
  expect(refs()).toEqual([expect.stringContaining("write-b-txt")]);
});
