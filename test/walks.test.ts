import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { FINISHES, saying, Stage } from "./support/driven.ts";
import { PlanStage, plan, writes } from "./support/plan-stage.ts";
import { heldReason, type Sandbox } from "./support/sandbox.ts";
import { buildWalkedProgram } from "./support/walked-program.ts";

/** The lists stand where people read them: a heading each, and then the files in the order in which they are met. */
const ARCHITECTURE = readFileSync("ARCHITECTURE.md", "utf8");

let program: string;

beforeAll(async () => {
  program = await buildWalkedProgram();
});

interface Walked {
  readonly code: number | null;
  readonly out: string;
  /** The files of `src` whose code ran, in the order in which they were met. */
  readonly files: readonly string[];
}

function walk(stage: Sandbox, words: readonly string[], { input = "", from = {} } = {}): Walked {
  const notes = join(stage.home, "walk.txt");
  const { status, stdout } = spawnSync(process.execPath, [program, ...words], {
    cwd: stage.root,
    env: { ...stage.env, LOOP_WALK: notes, LOOP_CLI: resolve("dist/cli.js"), ...from },
    input,
    encoding: "utf8",
  });
  return { code: status, out: stdout, files: readFileSync(notes, "utf8").trim().split("\n") };
}

/** The two areas that say what happens next. */
function isStation(file: string): boolean {
  return /^(?:programs|engine)\//.test(file);
}

const IMPORT = /^import (?!type\b)[^;]*?\bfrom\s*"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;

/** What the stations call in other areas. `system` knows no loop: nobody has to look there to follow one. */
function doorsOf(files: readonly string[]): readonly string[] {
  const reached = new Set(
    files
      .filter(isStation)
      .flatMap((file) =>
        [...readFileSync(join("src", file), "utf8").matchAll(IMPORT)].map(([, fixed, late]) =>
          normalize(join(dirname(file), fixed ?? late ?? "")),
        ),
      ),
  );
  const isDoor = (file: string): boolean =>
    !isStation(file) && !file.startsWith("system/") && reached.has(file);
  return files.filter(isDoor);
}

function listedUnder(heading: string): readonly string[] {
  const section = ARCHITECTURE.split(`### ${heading}\n`)[1]?.split(/\n##/)[0] ?? "";
  return [...section.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = ""]) => file);
}

test("a held stop walks through the files that ARCHITECTURE.md lists, and at most 40", () => {
  const stage = new Stage();
  // Shown in no task list of the client.
  stage.start("s1", "Write done.txt", "-c", "done=test -f done.txt", "--task-list", "session");
  const payload = {
    session_id: "s1",
    cwd: stage.root,
    hook_event_name: "Stop",
    transcript_path: join(stage.home, "projects/p/s1.jsonl"),
    last_assistant_message: saying("All done.", "EXIT_SIGNAL: true"),
  };
  const { code, out, files } = walk(stage, ["hook", "stop", "--host", "claude-code"], {
    input: JSON.stringify(payload),
  });

  expect(heldReason({ code, out, err: "" })).toContain("unmet criteria: done");
  const doors = doorsOf(files);
  const walked = files.filter((file) => isStation(file) || doors.includes(file));
  expect(listedUnder("A held stop")).toEqual(walked);
  expect(walked.length).toBeLessThanOrEqual(40);
});

test("`loop run -c` walks through the files that ARCHITECTURE.md lists, and at most 55", () => {
  const stage = new Stage();
  const { code, files } = walk(stage, ["loop", ...stage.opening([FINISHES])]);

  expect(code).toBe(0);
  const walked = files.filter(isStation);
  // What runs side by side is met in either order.
  expect(listedUnder("`loop run -c`").toSorted()).toEqual(walked.toSorted());
  expect(walked.length).toBeLessThanOrEqual(55);
});

test("a task walks from ready to merged through the files that ARCHITECTURE.md lists, and at most 80", () => {
  const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
  const work = ["loop", ...stage.working({ "T-001": [writes("one.txt")] })];
  const { code, files } = walk(stage, work, { from: { LOOP_WALK_FROM: "core/plan/schedule.ts" } });

  expect(code).toBe(0);
  const walked = files.slice(0, files.indexOf("engine/plan/finish-plan.ts")).filter(isStation);
  expect(listedUnder("A task, from ready to merged").toSorted()).toEqual(walked.toSorted());
  expect(walked.length).toBeLessThanOrEqual(80);
});
