import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE, type PlayedTurn } from "./support/driven.ts";
import { expectCode, plan, PlanStage, type Scripts } from "./support/plan-stage.ts";
import { isFullEffort } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

const LOOK = "grep -q right answer.txt || { echo 'the answer is wrong'; exit 1; }\n";

function writing(files: { readonly [path: string]: string }): PlayedTurn {
  return { do: Object.entries(files).map(([write, text]) => ({ write, text })), say: DONE, usd: 0.01 };
}

/** Runs a command first. */
function after(run: string, turn: PlayedTurn): PlayedTurn {
  return { ...turn, do: [{ run }, ...(turn.do ?? [])] };
}

function worked(text: string, scripts: Scripts, ...args: readonly string[]): PlanStage {
  const stage = new PlanStage(text, { "look.sh": LOOK, "answer.txt": "wrong\n" });
  expectCode(stage.work(scripts, "--no-model", ...args), 6);
  return stage;
}

function whyOf(stage: PlanStage): string {
  const [completed] = stage.eventsOf("loop.completed");
  expect(completed).toMatchObject({ confidence: "weak" });
  return (completed?.why ?? []).join("\n");
}

/** Why the gate was shut for what a check meant, if it opened once that was put right. */
function whyShut(stage: PlanStage): string | null {
  const gates = stage.eventsOf("gate.judged");
  expect(gates.map(({ passed }) => passed)).toEqual([false, true]);
  const open = gates[0]?.items.find(({ state }) => state === "open");
  return open?.name === "checks mean what they meant" ? open.detail : null;
}

describe("a check whose meaning another task changed", () => {
  test("is the criterion of the whole plan: the gate is shut until it passes as it was", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]), {
      "look.sh": LOOK,
      "answer.txt": "wrong\n",
    });
    stage.work(
      {
        "T-001": [writing({ "one.txt": "1\n", "look.sh": "exit 0\n" })],
        "R-1": [writing({ "answer.txt": "right\n" })],
      },
      ...["--no-model", "-c", "right=sh look.sh"],
    );
    expect(whyShut(stage)).toMatch(/^the check of END-1 fails .*\(look\.sh\).*the answer is wrong/);
  });

  variant("is another task's, which it breaks: the same", () => {
    const stage = new PlanStage(plan(["T-001", "sh look.sh"], ["T-002", "test -f two.txt", "T-001"]), {
      "look.sh": LOOK,
      "answer.txt": "wrong\n",
    });
    stage.work(
      {
        "T-001": [writing({ "answer.txt": "right\n" })],
        "T-002": [writing({ "two.txt": "2\n", "answer.txt": "wrong\n", "look.sh": "exit 0\n" })],
        "R-1": [writing({ "answer.txt": "right\n" })],
      },
      "--no-model",
    );
    expect(whyShut(stage)).toMatch(/^the check of T-001 fails .*\(look\.sh\)/);
  });

  variant("rests on a helper that each of two tasks empties: neither is verified", () => {
    const testOf = (name: string): string =>
      `import { same } from "../lib/same.mjs";\nimport { ${name} } from "../src/${name}.mjs";\n\nsame(${name}(), 2);\n`;
    const empties = writing({ "lib/same.mjs": "export const same = () => {};\n" });
    const stage = new PlanStage(plan(["T-001", "node test/a.test.mjs"], ["T-002", "node test/b.test.mjs"]), {
      "lib/same.mjs":
        "export const same = (a, b) => {\n  if (a !== b) throw new Error(`${a} is not ${b}`);\n};\n",
      "src/a.mjs": "export const a = () => 1;\n",
      "src/b.mjs": "export const b = () => 1;\n",
      "test/a.test.mjs": testOf("a"),
      "test/b.test.mjs": testOf("b"),
    });
    expectCode(stage.work({ "T-001": [empties], "T-002": [empties] }, "--no-model"), 6);
    expect(whyOf(stage)).toMatch(/^T-001 is weak: .*expected values .*\nT-002 is weak: .*expected values /);
  });

  variant("is another task's, and what it meant is deleted: the same", () => {
    const forgets = 'grep -rl look.sh "$XDG_STATE_HOME/loopwright" | grep a-plan.*openings | xargs rm';
    const gutting = writing({ "two.txt": "2\n", "answer.txt": "wrong\n", "look.sh": "exit 0\n" });
    const stage = worked(plan(["T-001", "sh look.sh"], ["T-002", "test -f two.txt", "T-001"]), {
      "T-001": [writing({ "answer.txt": "right\n" })],
      "T-002": [after(forgets, gutting)],
    });
    expect(whyOf(stage)).toBe("what the check of T-001 meant when the plan began is no longer known");
  });

  variant("rests on tests that a task added: as they were added, they judge what is there at the end", () => {
    const tested = 'import { answer } from "../answer.mjs"; if (answer !== 42) throw new Error("wrong");\n';
    const stage = new PlanStage(
      plan(["T-001", "node test/answer.test.mjs"], ["T-002", "test -f two.txt", "T-001"]),
      { "answer.txt": "" },
    );
    stage.work(
      {
        "T-001": [writing({ "answer.mjs": "export const answer = 42;\n", "test/answer.test.mjs": tested })],
        // Nor can it make git forget who added them.
        "T-002": [
          after(
            "git config trailer.separators '#'",
            writing({
              "two.txt": "2\n",
              "answer.mjs": "export const answer = 41;\n",
              "test/answer.test.mjs": "export {};\n",
            }),
          ),
        ],
        "R-1": [writing({ "answer.mjs": "export const answer = 42;\n" })],
      },
      ...["--no-model", "--not-yet", "T-001"],
    );
    expect(whyShut(stage)).toMatch(/with tests as they were added \(test\/answer\.test\.mjs\)/);
  });
});

test.runIf(isFullEffort)("tests that a later task adds to leave it verified", () => {
  const tested = (more = ""): string =>
    `import { answer } from "../answer.mjs"; if (answer !== 42) throw new Error("wrong");\n${more}`;
  const stage = new PlanStage(
    plan(["T-001", "node test/answer.test.mjs"], ["T-002", "test -f two.txt", "T-001"]),
    { "answer.mjs": "export const answer = 41;\n", "test/answer.test.mjs": tested() },
  );
  const scripts = {
    "T-001": [writing({ "answer.mjs": "export const answer = 42;\n" })],
    "T-002": [
      writing({
        "two.txt": "2\n",
        "test/answer.test.mjs": tested('if (answer < 0) throw new Error("less");\n'),
      }),
    ],
  };
  expectCode(stage.work(scripts, "--no-model"), 0);
  expect(stage.eventsOf("loop.completed")).toMatchObject([{ confidence: "verified" }]);
});

variant("build output of an earlier merge doesn't pass a check at the gate", () => {
  const stage = new PlanStage(
    plan(["T-001", "sh build.sh && test -f out/old.txt"], ["T-002", "test ! -f src/old.txt", "T-001"]),
    {
      ".gitignore": "out\n",
      "build.sh": "mkdir -p out && cp src/* out/\n",
      "src/new.txt": "new\n",
    },
  );
  const removes: PlayedTurn = { do: [{ run: "rm src/old.txt" }], say: DONE, usd: 0.01 };
  const ran = stage.work(
    {
      "T-001": [writing({ "src/old.txt": "old\n" })],
      "T-002": [removes],
      "R-1": [writing({ "src/old.txt": "old\n" })],
    },
    ...["--no-model", "--iterations", "2"],
  );
  expect(ran.code).not.toBe(0);
  const gates = stage.eventsOf("gate.judged").map(({ passed }) => passed);
  const setBacks = stage.eventsOf("merge.ended").flatMap(({ setBack }) => setBack);
  expect(gates.includes(false) || setBacks.length > 0).toBe(true);
});

variant("checks at the gate that ran on other files than the branch has leave it weak", () => {
  // As if a process that an agent left behind wrote where checks run.
  const writesThere = 'case "$PWD" in */queue) echo more >> README.md;; esac';
  const stage = worked(plan(["T-001", `${writesThere}; test -f one.txt`]), {
    "T-001": [writing({ "one.txt": "1\n" })],
  });
  expect(whyOf(stage)).toContain("ran on other files than the branch has: README.md changed meanwhile");
});

describe("without git, a task that breaks an earlier one", () => {
  const RIGHT = writing({ "answer.txt": "right\n" });

  function inPlace(breaks: PlayedTurn): PlanStage {
    const stage = new PlanStage(plan(["T-001", "sh look.sh"], ["T-002", "test -f two.txt", "T-001"]), {
      "look.sh": LOOK,
      "answer.txt": "wrong\n",
    });
    rmSync(join(stage.root, ".git"), { recursive: true });
    stage.work({ "T-001": [RIGHT], "T-002": [breaks], "R-1": [RIGHT] }, "--no-model");
    return stage;
  }

  variant("shuts the gate until it is put right", () => {
    const stage = inPlace(writing({ "two.txt": "2\n", "answer.txt": "wrong\n" }));
    expect(stage.eventsOf("gate.judged").map(({ passed }) => passed)).toEqual([false, true]);
    expect(stage.read("answer.txt")).toBe("right\n");
  });

  variant("and guts its check shuts it, too", () => {
    const stage = inPlace(writing({ "two.txt": "2\n", "answer.txt": "wrong\n", "look.sh": "exit 0\n" }));
    expect(whyShut(stage)).toMatch(/^the check of T-001 fails .*\(look\.sh\)/);
  });
});
