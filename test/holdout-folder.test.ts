import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PREFLIGHT } from "./support/driven.ts";
import { HoldoutStage, SECRET } from "./support/holdout-stage.ts";
import type { Ran } from "./support/sandbox.ts";
import { oneOf } from "./support/effort.ts";

const CHECK = ["-c", "tests pass=node --test"];
/** What that check shows before the work: nothing of the holdout. */
const LOOKED = "loop: Checks before any work:\n  ✗ tests pass  failed with exit code 1 · 1 test\n";

function opened(stage: HoldoutStage, folder: string): Ran {
  return stage.loop("start", "Fix total()", ...CHECK, "--holdout-from", folder);
}

function refusal(named: string, why: string): Partial<Ran> {
  return { code: 1, out: "", err: `loop: The holdout from ${named} cannot be used: ${why}.\n` };
}

const INSIDE = "it is inside the project, where the agent can read it; keep it elsewhere";

describe("a folder that is no holdout opens nothing, and is told without what is in it", () => {
  test.each<readonly [string, string, (stage: HoldoutStage) => string]>([
    ["the project", INSIDE, ({ root }) => root],
    ["a folder inside it", INSIDE, ({ root }) => join(root, "test")],
    [
      "a link into it",
      INSIDE,
      ({ root, home }) => {
        symlinkSync(join(root, "test"), join(home, "link"));
        return join(home, "link");
      },
    ],
    [
      "a folder around it",
      "the project is inside it; give a folder with only the holdout's files",
      ({ root }) => join(root, ".."),
    ],
    ["no folder", "the folder does not exist", ({ home }) => join(home, "nowhere")],
    ["a file", "the folder does not exist", ({ hidden }) => join(hidden, "test", `${SECRET}.test.js`)],
    [
      "nothing",
      "it has no files",
      ({ home }) => {
        mkdirSync(join(home, "empty"));
        return join(home, "empty");
      },
    ],
    [
      "a link within it",
      "it contains a symbolic link; put the file itself there",
      ({ hidden }) => {
        symlinkSync("/etc/passwd", join(hidden, SECRET));
        return hidden;
      },
    ],
    [
      "too many files",
      "it has more than 2000 files; give a folder with only the tests",
      ({ hidden }) => {
        for (let number = 0; number < 2000; number += 1) writeFileSync(join(hidden, `${number}`), "");
        return hidden;
      },
    ],
    [
      "too many bytes",
      "it is larger than 50 MB; give a folder with only the tests",
      ({ hidden }) => {
        writeFileSync(join(hidden, "large"), "");
        truncateSync(join(hidden, "large"), 51 * 1024 * 1024);
        return hidden;
      },
    ],
    ["text that is no JSON", "its holdout.json is not valid JSON", withDefinition(`{"${SECRET}"`)],
    [
      "another form",
      'its holdout.json should have the form {"checks": {"NAME": "command"}}',
      withDefinition(JSON.stringify({ checks: { [SECRET]: 7 } })),
    ],
    [
      "no checks",
      "its holdout.json should name 1 to 100 checks",
      withDefinition(JSON.stringify({ checks: {} })),
    ],
    [
      "a name of two lines",
      "each name in its holdout.json should be one plain line of at most 80 characters",
      withDefinition(JSON.stringify({ checks: { "sums\nhold": "true" } })),
    ],
  ])("%s", (_, why, prepare) => {
    const stage = new HoldoutStage();
    const folder = prepare(stage);

    expect(opened(stage, folder)).toMatchObject(refusal("--holdout-from", why));
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
  });
});

function withDefinition(text: string): (stage: HoldoutStage) => string {
  return (stage) => {
    stage.holdOut({ "holdout.json": text });
    return stage.hidden;
  };
}

describe("--holdout-from", () => {
  test("is relative to the folder of whoever calls", () => {
    const stage = new HoldoutStage();
    expect(opened(stage, "../home/hidden").code).toBe(0);
    expect(readdirSync(stage.kept()).toSorted()).toEqual(["files", "plan.json"]);
  });

  test("belongs to the whole loop, and to its opening", () => {
    const stage = new HoldoutStage();
    expect(opened(stage, stage.hidden).code).toBe(0);
    const nested = stage.loop("start", "More", "--nested", "--session", "s1", "--holdout-from", stage.hidden);
    expect(nested.err).toContain("--holdout-from applies to the whole loop");
    const later = stage.loop("run", "--holdout-from", stage.hidden, "--command", "true");
    expect(later.err).toContain("doesn't accept --holdout-from");
  });
});

describe("holdouts.json in the state home", () => {
  test("names a folder for a project, also by a path with links in it", () => {
    const stage = new HoldoutStage();
    symlinkSync(stage.root, join(stage.home, "linked"));
    stage.configure(JSON.stringify({ "/nowhere": "/nothing", [join(stage.home, "linked")]: stage.hidden }));
    expect(stage.loop("start", "Fix total()", ...CHECK)).toMatchObject({ code: 0, err: LOOKED });
    expect(stage.saying(SECRET, stage.kept())).not.toEqual([]);
  });

  test("says nothing to other projects", () => {
    const stage = new HoldoutStage();
    stage.configure(JSON.stringify({ "/nowhere": stage.hidden }));
    expect(stage.loop("start", "Fix total()", ...CHECK)).toMatchObject({ code: 0, err: LOOKED });
    expect(existsSync(stage.kept())).toBe(false);
  });

  test("a folder that it names and that is gone opens nothing, and is not named to whoever calls", () => {
    const stage = new HoldoutStage();
    stage.configure(JSON.stringify({ [stage.root]: stage.hidden }));
    rmSync(stage.hidden, { recursive: true });
    expect(stage.loop("start", "Fix total()", ...CHECK)).toMatchObject(
      refusal("holdouts.json", "the folder does not exist"),
    );
  });

  test.each(
    oneOf([
      ["{", "it is not valid JSON"],
      ["[]", "it should map the absolute path of a project to the absolute path of a folder"],
      [
        `{"project": "hidden"}`,
        "it should map the absolute path of a project to the absolute path of a folder",
      ],
    ]),
  )("what cannot be read is told, and leaves a completion weak: %s", (text, why) => {
    const stage = new HoldoutStage();
    stage.configure(text);
    const ran = stage.loop("start", "Write done.txt", "-c", "done=test -f done.txt", "--session", "s1");
    expect(ran).toMatchObject({
      code: 0,
      err: `loop: Ignoring holdouts.json in the state home: ${why}. Until it is fixed, new loops complete as weak at most.\n${PREFLIGHT}`,
    });
    stage.write({ "done.txt": "done" });
    stage.loop("done");
    stage.stop("s1");
    expect(stage.only()).toMatchObject({ phase: "completed", confidence: "weak" });
    expect(stage.shown()).toMatchObject([{ result: "open", detail: "holdout" }]);
  });
});
