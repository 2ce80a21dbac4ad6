import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { StatusView } from "../src/views/status.ts";
import { CLI, Stage } from "./support/driven.ts";
import { missingPty, onTerminal } from "./support/pty.ts";
import type { OnTerminal } from "./support/pty.ts";
import type { Ran } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";
import { oneOf } from "./support/effort.ts";

const SPEC =
  "Write one.txt with the words of the first page, without new dependencies, until test -f one.txt passes";

/** A project whose workflows get as far as their plan: then their setup fails. */
class Project extends Stage {
  workflow(...args: readonly string[]): readonly string[] {
    const wanted = ["run", SPEC, "--workflow", "--no-model", "-c", "one=test -f one.txt"];
    return [...wanted, "--command", "true", "--setup", "exit 1", ...args];
  }

  pausedWorkflow(): StatusView {
    const ran: Ran = this.loop(...this.workflow());
    const view = this.status().find(({ stage }) => stage !== null);
    if (view?.phase !== "paused") throw new Error(`not paused: ${ran.out}${ran.err}`);
    return view;
  }

  phases(): readonly string[] {
    const own = this.status().filter(({ stage }) => stage !== null);
    return own.map(({ phase }) => phase ?? "");
  }

  terminal(args: readonly string[], env: NodeJS.ProcessEnv = {}): OnTerminal {
    return onTerminal([process.execPath, CLI, ...args], {
      cwd: this.root,
      env: { ...this.env, TERM: "dumb", NO_COLOR: "1", ...env },
    });
  }
}

describe("an unfinished workflow, with nobody to ask", () => {
  test("is in the way of another, until it is resumed or replaced", () => {
    const project = new Project();
    const plain = project.start(null, "Write done.txt");
    const { id } = project.pausedWorkflow();
    const refused = project.loop(...project.workflow());
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(
      new RegExp(
        `loop: The workflow ${id} is unfinished \\(stage executing, 0/\\d tasks\\); resume it with: loop continue --loop ${id}, or cancel it and start over with --start-fresh\\.\\n$`,
      ),
    );

    const again = project.loop(...project.workflow("--start-fresh"));
    expect(again.err).toContain(`loop: Cancelled ${id}; its record is kept: loop log --loop ${id}\n`);
    expect(project.phases()).toEqual(["paused", "cancelled"]);
    expect(project.status().find((each) => each.id === plain.id)?.phase).toBe("active");
    expect(project.loop("log", "--loop", id).out).toContain("loop.cancelled");
  });

  variant("doesn't stand in the way of a plain loop, which has no use for its flags", () => {
    const project = new Project();
    project.pausedWorkflow();
    expect(project.loop("start", "Write done.txt").code).toBe(0);
    expect(project.loop("run", "Write done.txt", "--start-fresh", "--command", "true").err).toBe(
      "loop: --start-fresh and --task-list are for a new workflow; add --workflow or --plan, or leave them out.\n",
    );
  });

  test("a plan is refused beside a workflow, which would make one", () => {
    const project = new Project();
    expect(project.loop(...project.workflow("--plan", "PLAN.md"))).toMatchObject({
      code: 1,
      err: "loop: --workflow makes a plan of a spec, and --plan names one that is there; leave one of them out.\n",
    });
    expect(project.status()).toEqual([]);
  });

  test("the open tasks of a list that it takes up are its plan", () => {
    const project = new Project();
    const folder = join(project.home, ".claude", "tasks", "my-list");
    mkdirSync(folder, { recursive: true });
    const task = {
      id: "1",
      subject: "Dig",
      description: "Verify: test -f dig.txt",
      status: "pending",
      blockedBy: [],
    };
    writeFileSync(join(folder, "1.json"), JSON.stringify(task));
    expect(project.loop(...project.workflow("--task-list", "my-list")).err).toContain(
      "Nobody has approved the commands of tasks:my-list on this machine",
    );
  });

  test("a task list that isn't there is refused before anything is opened", () => {
    const project = new Project();
    expect(project.loop(...project.workflow("--task-list", "../../etc"))).toMatchObject({
      code: 1,
      err: 'loop: Claude Code has no task list "../../etc"; start a new one with: --task-list new\n',
    });
    expect(project.status()).toEqual([]);
  });
});

const OTHER = "### T-001: Write other.txt\nverify: test -f other.txt\n";

/** A plan whose setup fails, so that its loop stays open. */
function pausedPlan(project: Project): { readonly args: readonly string[]; readonly id: string } {
  project.write({ "PLAN.md": "### T-001: Write one.txt\nverify: test -f one.txt\n", "OTHER.md": OTHER });
  for (const name of ["PLAN.md", "OTHER.md"]) project.loop("plan", name, "--approve", "--yes");
  const args = ["run", "--plan", "PLAN.md", "--no-model", "--command", "true", "--setup", "exit 1"];
  const ran = project.loop(...args);
  const [view, ...others] = project.status();
  if (view?.phase !== "paused" || others.length > 0) throw new Error(`not paused: ${ran.out}${ran.err}`);
  return { args, id: view.id };
}

describe("a plan that is open already", () => {
  variant("isn't paid for twice, until it is resumed or replaced; another plan is welcome", () => {
    const project = new Project();
    const { args, id } = pausedPlan(project);
    expect(project.loop(...args)).toMatchObject({
      code: 1,
      out: "",
      err: `loop: The loop ${id} has the tasks of PLAN.md and is unfinished (stage executing, 0/1 tasks); resume it with: loop continue --loop ${id}, or cancel it and start over with --start-fresh.\n`,
    });
    expect(project.loop(...args, "--start-fresh").err).toContain(`loop: Cancelled ${id}; its record is kept`);
    expect(project.phases()).toEqual(["paused", "cancelled"]);

    const other = project.loop(...args.map((arg) => (arg === "PLAN.md" ? "OTHER.md" : arg)));
    expect(other.err).toContain("loop: Also open here: ");
    expect(project.phases()).toEqual(["paused", "paused", "cancelled"]);
  });

  test("its text says what the work is, and no spec beside it", () => {
    const project = new Project();
    project.write({ "OTHER.md": OTHER });
    expect(project.loop("run", "Polish everything", "--plan", "OTHER.md", "--command", "true")).toMatchObject(
      {
        code: 1,
        err: "loop: --plan says what the work is; write what you have to add into the plan, and leave out the spec.\n",
      },
    );
    expect(project.status()).toEqual([]);
  });
});

const SETTLED = ["--shape", "tool", "--task-list", "session", "--iterations", "1", "--budget", "5"] as const;

const shown = (terminal: OnTerminal): string =>
  stripVTControlCharacters(terminal.text()).replaceAll("\r", "");

describe.skipIf(missingPty() !== null)("in a terminal", () => {
  test("three questions come first, and their answers count", async () => {
    const project = new Project();
    const terminal = project.terminal(project.workflow("--shape", "tool"));
    await terminal.until(/none beyond this session\? \[N\/r\/s\] $/);
    terminal.type("session\r");
    await terminal.until(/or unlimited\? \[10\] $/);
    terminal.type("many\r");
    await terminal.until(/Please answer with a number above 0, or none\.[^]*\[10\] $/);
    terminal.type("1\r");
    await terminal.until(/10, 25, 50 or none\? \[25\] $/);
    terminal.type("$50\r");
    await terminal.until(/Paused: /);
    await terminal.ended;
    expect(project.status().find(({ stage }) => stage !== null)).toMatchObject({
      iterationLimit: 1,
      budgetUsd: 50,
    });
  });

  variant("a new task list of Claude Code's shows the tasks", async () => {
    const project = new Project();
    const terminal = project.terminal(
      project.workflow("--shape", "tool", "--iterations", "1", "--budget", "5"),
    );
    await terminal.until(/Which task list of Claude Code's [^]*none beyond this session\? \[N\/r\/s\] $/);
    terminal.type("\r");
    await terminal.ended;
    expect(shown(terminal)).not.toContain("is gone");
    const lists = join(project.home, ".claude", "tasks");
    const [list = ""] = readdirSync(lists);
    const [first, second] = ["1", "2"].map(
      (id) => JSON.parse(readFileSync(join(lists, list, `${id}.json`), "utf8")) as object,
    );
    expect(first).toMatchObject({
      id: "1",
      blocks: ["2"],
      blockedBy: [],
      metadata: { loopId: project.status()[0]?.id },
    });
    expect(second).toMatchObject({
      id: "2",
      subject: "one",
      description: expect.stringMatching(/\n\nVerify: test -f one\.txt$/) as string,
      blockedBy: ["1"],
    });
  });

  variant("flags and the environment answer for the person", async () => {
    const project = new Project();
    const args = project.workflow("--shape", "tool", "--task-list", "new", "--iterations", "1");
    const terminal = project.terminal(args, { LOOP_BUDGET: "7" });
    await terminal.until(/Paused: /);
    await terminal.ended;
    expect(shown(terminal)).not.toMatch(/Which task list|How many|is gone/);
    expect(project.status().find(({ stage }) => stage !== null)).toMatchObject({ budgetUsd: 7 });
  });

  variant("an unfinished workflow is shown, and left alone", async () => {
    const project = new Project();
    const { id } = project.pausedWorkflow();
    const terminal = project.terminal(project.workflow());
    await terminal.until(/see its status\? \[R\/f\/s\/q\] $/);
    expect(shown(terminal)).toContain(`An unfinished workflow: ${id} (stage executing, `);
    terminal.type("s\r");
    await terminal.until(new RegExp(`paused \\(blocked[^]*${id}[^]*\\[R/f/s/q\\] $`));
    terminal.type("q\r");
    expect(await terminal.ended).toBe(1);
    expect(project.phases()).toEqual(["paused"]);
  });

  test.each(
    oneOf<readonly [answer: string, phases: readonly string[]]>([
      ["", ["paused"]],
      ["fresh", ["paused", "cancelled"]],
    ]),
  )("an unfinished workflow is resumed or replaced after %j", async (answer, phases) => {
    const project = new Project();
    project.pausedWorkflow();
    const terminal = project.terminal(project.workflow(...SETTLED));
    await terminal.until(/\[R\/f\/s\/q\] $/);
    terminal.type(`${answer}\r`);
    await terminal.until(/Paused: blocked/);
    expect(await terminal.ended).toBe(4);
    // A loop of the shape tool asks nothing, not even about what the first one learned.
    expect(shown(terminal)).not.toContain("[decide later]");
    expect(project.phases()).toEqual(phases);
  });

  variant("one that has used up its limits isn't resumed by Enter, and the new spec isn't lost", async () => {
    const project = new Project();
    project.loop(...project.workflow("--setup", "true", "--iterations", "1"));
    const [spent] = project.status();
    expect(spent).toMatchObject({ phase: "paused", reason: "iterations" });
    const terminal = project.terminal(project.workflow());
    await terminal.until(/Start fresh, or see its status\? \[f\/s\/Q\] $/);
    expect(shown(terminal)).toMatch(
      new RegExp(`used up its limits; add to it with: loop continue --iterations=\\d+ --loop ${spent?.id}`),
    );
    terminal.type("\r");
    expect(await terminal.ended).toBe(1);
    expect(shown(terminal)).toContain(`Nothing was started; the workflow ${spent?.id} stays as it is.`);
  });

  variant("the same plan again asks whether to resume it", async () => {
    const project = new Project();
    const { args, id } = pausedPlan(project);
    const terminal = project.terminal(args);
    await terminal.until(/Resume it, start fresh, or see its status\? \[.*\] $/);
    expect(shown(terminal)).toContain(`The tasks of PLAN.md are in: ${id} (stage executing, 0/1 tasks)\n`);
    terminal.type("quit\r");
    await terminal.ended;
    expect(shown(terminal)).toContain(`Nothing was started; the workflow ${id} stays as it is.`);
    expect(project.phases()).toEqual(["paused"]);
  });
});

describe.skipIf(missingPty() !== null)("an unfinished plain loop, before another one is run", () => {
  /** One that its only iteration was not enough for, or that a person paused. */
  function paused(how: "pause" | "spent"): { readonly project: Project; readonly id: string } {
    const project = new Project();
    if (how === "spent") project.run([{ say: "Not yet.", usd: 0 }], "--iterations", "1");
    else {
      project.start(null, "Write done.txt", "-c", "done=test -f done.txt", "--shape", "tool");
      project.loop("pause");
    }
    const [{ id } = { id: "" }] = project.status();
    return { project, id };
  }

  const next = (project: Project): OnTerminal =>
    project.terminal([
      "run",
      "Write other.txt",
      "-c",
      "other=test -f other.txt",
      "--command",
      "touch other.txt done.txt",
    ]);
  const ends = (project: Project): readonly (readonly [string | null, string | null])[] =>
    project.status().map(({ spec, phase }) => [spec, phase]);

  test.each(
    oneOf<readonly [answer: string, ends: readonly (readonly [string, string])[]]>([
      [
        "fresh",
        [
          ["Write other.txt", "completed"],
          ["Write done.txt", "cancelled"],
        ],
      ],
      [
        "",
        [
          ["Write other.txt", "completed"],
          ["Write done.txt", "paused"],
        ],
      ],
    ]),
  )("is shown, and replaced or left alone after %j", async (answer, wanted) => {
    const { project, id } = paused("pause");
    const terminal = next(project);
    await terminal.until(/Resume it, keep both, start fresh, or see its status\? \[r\/B\/f\/s\/q\] $/);
    expect(shown(terminal)).toContain(`An unfinished loop: ${id} (paused: user)\n  Write done.txt\n`);
    terminal.type("s\r");
    await terminal.until(/paused: user[^]*paused[^]*\[r\/B\/f\/s\/q\] $/);
    terminal.type(`${answer}\r`);
    await terminal.ended;
    expect(ends(project)).toEqual(wanted);
  });

  variant("is resumed instead, and nothing is opened beside it", async () => {
    const { project, id } = paused("pause");
    const terminal = next(project);
    await terminal.until(/\[r\/B\/f\/s\/q\] $/);
    terminal.type("r\r");
    await terminal.ended;
    expect(project.status()).toMatchObject([{ id, phase: "completed", spec: "Write done.txt" }]);
  });

  variant("that has used up its limits can't be resumed by a letter", async () => {
    const { project, id } = paused("spent");
    const terminal = next(project);
    await terminal.until(/Keep both, start fresh, or see its status\? \[B\/f\/s\/q\] $/);
    expect(shown(terminal)).toContain(`loop continue --iterations=1 --loop ${id}`);
    terminal.type("q\r");
    expect(await terminal.ended).toBe(1);
    expect(shown(terminal)).toContain(`Nothing was started; the loop ${id} stays as it is.`);
  });
});
