import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHECK, FINISHES, Stage, saying, type PlayedTurn } from "./support/driven.ts";
import { Sandbox } from "./support/sandbox.ts";

const FILES = { "README.md": "A project\n", "old.txt": "old\n", ".gitignore": "*.log\n" };

/** Three iterations: each adds, changes or deletes something. */
const TURNS: readonly PlayedTurn[] = [
  {
    do: [
      { write: "README.md", text: "Better\n" },
      { write: "new/one.txt", text: "one\n" },
      { delete: "old.txt" },
      { write: "build.log", text: "ignored\n" },
    ],
    say: saying("One.", "EXIT_SIGNAL: false"),
  },
  {
    do: [
      { write: "new/one.txt", text: "one, again\n" },
      { write: "two.txt", text: "two\n" },
    ],
    say: saying("Two.", "EXIT_SIGNAL: false"),
  },
  FINISHES,
];

function files(stage: Sandbox): { readonly [path: string]: string | null } {
  const names = ["README.md", "old.txt", "new/one.txt", "two.txt", "done.txt", "build.log", "mine.txt"];
  return Object.fromEntries(
    names.map((name) => [name, existsSync(join(stage.root, name)) ? stage.read(name) : null]),
  );
}

const AT_THE_END = {
  "README.md": "Better\n",
  "old.txt": null,
  "new/one.txt": "one, again\n",
  "two.txt": "two\n",
  "done.txt": "done\n",
  "build.log": "ignored\n",
  "mine.txt": "mine\n",
};
const BEFORE_THE_LAST = { ...AT_THE_END, "done.txt": null };
const AT_THE_BEGINNING = {
  ...AT_THE_END,
  "README.md": "A project\n",
  "old.txt": "old\n",
  "new/one.txt": null,
  "two.txt": null,
  "done.txt": null,
};

/** With a file of the user's own that no commit has, and one that is only staged. */
function finished(): Stage {
  const stage = new Stage(FILES);
  stage.write({ "mine.txt": "mine\n" });
  stage.git("add", "mine.txt");
  expect(stage.run(TURNS).code).toBe(0);
  expect(files(stage)).toEqual(AT_THE_END);
  return stage;
}

describe("undo", () => {
  test("goes back to before the last iteration, and touches nothing else", () => {
    const stage = finished();
    const head = stage.git("rev-parse", "HEAD");
    const ran = stage.loop("undo", "--yes");

    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(
      /^Back to before iteration 3: 0 files restored, 1 removed\.\nTo have it back: git restore --source=[0-9a-f]{12} -- :\/\n$/,
    );
    expect(files(stage)).toEqual(BEFORE_THE_LAST);
    expect(stage.git("rev-parse", "HEAD")).toBe(head);
    expect(stage.git("diff", "--cached", "--name-only")).toBe("mine.txt\n");
    expect(stage.git("branch", "--list", "--all").trim().split("\n")).toHaveLength(1);
  });

  test("goes back to before any iteration, and what was undone can be had back, also after a second undo", () => {
    const stage = finished();
    const first = stage.loop("undo", "2", "--yes");
    const second = stage.loop("undo", "1", "--yes");
    expect(first.code).toBe(0);
    expect(second.code).toBe(0);
    expect(files(stage)).toEqual(AT_THE_BEGINNING);
    expect(stage.loop("undo", "1", "--yes").out).toBe(
      "Nothing to undo: the files are as they were before iteration 1.\n",
    );

    // Nothing but refs keeps an object from being collected.
    stage.git("reflog", "expire", "--expire=now", "--all");
    stage.git("gc", "-q", "--prune=now");
    const [, command = ""] = /To have it back: git (.*)\n/.exec(first.out) ?? [];
    stage.git(...command.split(" "));
    expect(files(stage)).toEqual(AT_THE_END);
  });

  test("lists the checkpoints, and says which there are when another is asked for", () => {
    const stage = finished();
    const { out } = stage.loop("undo", "--list");
    expect(out.trim().split("\n")).toEqual(
      [1, 2, 3].map((n) => expect.stringMatching(`^before iteration ${n}  `)),
    );
    const json = JSON.parse(stage.loop("undo", "--list", "--json").out) as { checkpoints: unknown };
    expect(json.checkpoints).toMatchObject([{ iteration: 1 }, { iteration: 2 }, { iteration: 3 }]);
    expect(stage.loop("undo", "9", "--yes")).toMatchObject({
      code: 1,
      err: "loop: There is no checkpoint before iteration 9; there are: 1, 2, 3.\n",
    });
  });

  test("shows what it would change, and changes nothing where nobody can be asked", () => {
    const stage = finished();
    const ran = stage.loop("undo", "1");

    expect(ran.code).toBe(1);
    expect(ran.out).toBe(
      "  M README.md  +1 -1\n  A done.txt  +1 -0\n  A new/one.txt  +1 -0\n  D old.txt  +0 -1\n  A two.txt  +1 -0\n",
    );
    expect(ran.err).toBe("loop: Nobody is here to be asked; add --yes to undo this.\n");
    expect(files(stage)).toEqual(AT_THE_END);
  });

  test("tells scripts what it did", () => {
    const stage = finished();
    const told = JSON.parse(stage.loop("undo", "2", "--json").out) as { before: string };

    expect(told).toMatchObject({ iteration: 2, restored: 1, removed: 2, left: [] });
    expect(stage.git("show", `${told.before}:done.txt`)).toBe("done\n");
  });

  test("is not for agents", () => {
    const stage = finished();
    const ran = stage.agentLoop("s1", "undo", "--yes");

    expect(ran.code).toBe(1);
    expect(ran.err).toContain("`loop undo` is the user's to run");
    expect(files(stage)).toEqual(AT_THE_END);
  });

  test("is refused while the loop is driven", async () => {
    const stage = new Stage(FILES);
    const driving = stage.drive(
      stage.opening([{ do: [{ write: "two.txt", text: "two\n" }, { run: stage.meet("work") }] }, FINISHES]),
    );
    await stage.met("work");
    const ran = stage.loop("undo", "--yes");

    expect(ran.code).toBe(1);
    expect(ran.err).toBe(
      `loop: The loop ${stage.id} is being driven by process ${driving.pid}; pause it first: loop pause --loop ${stage.id}\n`,
    );
    expect(stage.read("two.txt")).toBe("two\n");
    stage.letGo("work");
    expect((await driving.ended()).code).toBe(0);
  });

  test("and the loop goes on from there: the agent hears of it, and begins anew", () => {
    const stage = new Stage(FILES);
    expect(stage.run([...TURNS, ...TURNS], "--iterations", "2").code).toBe(3);
    expect(stage.loop("undo", "1", "--yes").code).toBe(0);
    expect(stage.read("README.md")).toBe("A project\n");
    const ran = stage.loop("continue", "--iterations", "5");

    expect(ran.code).toBe(0);
    const prompt = stage.prompt("3-1");
    expect(prompt).toContain("# Task\n\nWrite done.txt\n");
    expect(prompt).toContain(
      "A person has brought the files back to what they were before iteration 1: what was done since then is gone, on purpose.",
    );
    expect(stage.eventsOf("turn.launched").at(-1)?.conversation).toBeNull();
    expect(stage.only()).toMatchObject({ phase: "completed", iteration: 3 });
    expect(stage.read("done.txt")).toBe("done\n");
  });

  test("a checkpoint that a killed run did not get to take is taken by the next attempt", () => {
    const stage = new Stage(FILES);
    const trouble = { kind: "blocking", detail: "no login" } as const;
    stage.run([{ trouble }, FINISHES]);
    stage.git("update-ref", "-d", `refs/loopwright/${stage.id}/1`);
    stage.write({ "mine.txt": "mine\n" });
    expect(stage.loop("continue").code).toBe(0);

    expect(stage.loop("undo", "--yes").code).toBe(0);
    expect(files(stage)).toMatchObject({ "mine.txt": "mine\n", "done.txt": null });
  });

  test("without git there is none, and the run works all the same", () => {
    const sandbox = new Sandbox({ "README.md": "A project\n" });
    const line = "touch done.txt; echo '<loop-complete>'";
    expect(sandbox.loop("run", "Write done.txt", "-c", CHECK, "--command", line).code).toBe(0);

    const ran = sandbox.loop("undo", "--yes");
    expect(ran.code).toBe(1);
    expect(ran.err).toBe(
      "loop: There is no checkpoint: they are kept before each iteration of `loop run` in a git repository.\n",
    );
    expect(existsSync(join(sandbox.root, "done.txt"))).toBe(true);
  });
});
