import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished } from "vitest";
import { knownLearnings } from "../src/engine/learnings/learnings-file.ts";
import { effort } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

const PROGRAM = resolve("dist/test-programs/learnings-writer.mjs");
const PROJECT = "/work/shop";

function begin(home: string, ...words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [PROGRAM, home, PROJECT, ...words], { stdio: "inherit" });
}

async function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.on("close", done));
}

variant("nothing is lost while processes write and others rewrite the file", async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-learnings-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const count = effort(40, 90);
  const names = ["one", "two", "three"];
  const pruners = [begin(home, "a pruner"), begin(home, "another")];
  const ended = pruners.map(endOf);
  const codes = await Promise.all(names.map(async (name) => endOf(begin(home, name, String(count)))));
  for (const pruner of pruners) pruner.kill("SIGTERM");
  expect(codes).toEqual([0, 0, 0]);
  expect(await Promise.all(ended)).toEqual([0, 0]);
  const wanted = names.flatMap((name) =>
    Array.from({ length: count }, (_, index) => `${name} learned number ${index}.`),
  );
  const kept = knownLearnings({ home }, PROJECT).learnings.map(({ text }) => text);
  expect(kept.toSorted()).toEqual(wanted.toSorted());
});
