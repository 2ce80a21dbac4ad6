import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { FINISHES, Stage } from "./support/driven.ts";
import { PlanStage, plan, writes } from "./support/plan-stage.ts";
import { Sandbox } from "./support/sandbox.ts";
import { buildWalkedProgram } from "./support/walked-program.ts";

let program: string;

beforeAll(async () => {
  program = await buildWalkedProgram();
});

/** The files of `src` whose code ran, in the order in which they were met. */
function walk(stage: Sandbox, words: readonly string[], input = ""): readonly string[] {
  const notes = join(stage.home, "walk.txt");
  const ran = spawnSync(process.execPath, [program, ...words], {
    cwd: stage.root,
    env: { ...stage.env, LOOP_WALK: notes, LOOP_CLI: resolve("dist/cli.js") },
    input,
    encoding: "utf8",
  });
  process.stderr.write(`${ran.status} ${ran.stdout} ${ran.stderr}`);
  return readFileSync(notes, "utf8").trim().split("\n");
}

function between(files: readonly string[], first: string, end: string): readonly string[] {
  return files.slice(files.indexOf(first), files.indexOf(end));
}

test("a held stop", () => {
  const stage = new Sandbox({ "README.md": "A project\n" });
  stage.commitAll();
  stage.start("s1", "Write done.txt", "-c", "done=test -f done.txt");
  const payload = {
    session_id: "s1",
    cwd: stage.root,
    hook_event_name: "Stop",
    transcript_path: `${stage.home}/projects/p/s1.jsonl`,
  };
  const files = walk(
    stage,
    ["hook", "stop", "--host", "claude-code"],
    JSON.stringify({
      ...payload,
      last_assistant_message: "---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---",
    }),
  );
  console.log(
    "held stop",
    files.length,
    new Set(files.map((f) => f.split("/").slice(0, -1).join("/"))).size,
    "\n" + files.join("\n"),
  );
});

test("loop run -c", () => {
  const stage = new Stage();
  const files = walk(stage, ["loop", ...stage.opening([FINISHES])]);
  console.log(
    "run",
    files.length,
    new Set(files.map((f) => f.split("/").slice(0, -1).join("/"))).size,
    "\n" + files.join("\n"),
  );
});

test("task", () => {
  const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
  const files = walk(stage, ["loop", ...stage.working({ "T-001": [writes("one.txt")] })]);
  console.log("plan", files.length, "\n" + files.join("\n"));
});
