import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PlanReview } from "../src/engine/plan/review-plan.ts";
import { isCiEffort, isFullEffort } from "./support/effort.ts";
import { Emulator } from "./support/emulator.ts";
import { missingPty, onTerminal } from "./support/pty.ts";
import { inProcess } from "./support/in-process.ts";
import { CLI, DONE, Stage, type Driving, type PlayedTurn } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { variant } from "./support/variant.ts";

const PLAN = `# Fill the pantry

### T-001: Add apples
verify: grep -q apples *.txt

### T-002: Write notes

### T-003: Count them
blocked by: T-001
verify: test -f count.txt
`;

interface Listed {
  readonly name: string;
  readonly state: string;
  readonly path: string;
  readonly bytes: number;
  readonly removed?: boolean;
  readonly refusal?: string;
}

/** A project with a plan, whose attempts are played. */
class PlanStage extends Stage {
  constructor(plan = PLAN) {
    super({ "PLAN.md": plan, "list.txt": "bread\n" });
  }

  plays(attempts: { readonly [attempt: string]: PlayedTurn }): void {
    mkdirSync(this.scripts, { recursive: true });
    for (const [attempt, turn] of Object.entries(attempts))
      writeFileSync(
        join(this.scripts, `${attempt}.json`),
        JSON.stringify({ turns: [{ say: DONE, ...turn }] }),
      );
  }

  get scripts(): string {
    return join(this.home, "scripts");
  }

  get work(): readonly string[] {
    const { digest } = JSON.parse(this.loop("plan", "PLAN.md", "--json").out) as { digest: string };
    return ["run", "--plan", "PLAN.md", "--plan-digest", digest, "--script", this.scripts];
  }

  worktrees(...flags: readonly string[]): readonly Listed[] {
    const { out } = this.loop("worktrees", "--json", ...flags);
    return (JSON.parse(out) as { worktrees: readonly Listed[] }).worktrees;
  }

  states(): readonly string[] {
    return this.worktrees().map(({ name, state }) => `${name} ${state}`);
  }

  /** The loops there are, with attempts. */
  ids(): readonly string[] {
    return readdirSync(join(this.root, ".loop", "loops"));
  }

  /** What a session is told that begins here. */
  announced(): string {
    const starts = { hook_event_name: "SessionStart", source: "startup", session_id: "s1", cwd: this.root };
    const { root: cwd, env } = this;
    return inProcess({ program: "hook", words: ["session-start"], cwd, env, input: JSON.stringify(starts) })
      .out;
  }

  /** The plan's own. */
  get workflow(): string {
    return this.only().id;
  }

  get attempt(): string {
    const id = this.ids().find((each) => each.startsWith("t-001"));
    if (id === undefined) throw new Error("no attempt at T-001");
    return id;
  }
}

const WORKS: { readonly [attempt: string]: PlayedTurn } = {
  "T-002": { do: [{ write: "notes.txt", text: "one\ntwo\n" }] },
  "T-003": { do: [{ write: "count.txt", text: "2\n" }] },
};

/** A run that is in the middle of T-001, with T-002 merged. */
async function inTheMiddle(): Promise<{ readonly stage: PlanStage; readonly driving: Driving }> {
  const stage = new PlanStage();
  stage.plays({
    ...WORKS,
    "T-001": {
      do: [{ write: "list.txt", text: "bread\napples\n" }, { run: stage.meet("apples") }],
      usd: 0.02,
    },
  });
  const driving = stage.drive(stage.work);
  await driving.printed("✓ T-002");
  await stage.met("apples");
  return { stage, driving };
}

test("the iteration beside a wave is the one that is limited, and never exceeds its limit", () => {
  const stage = new PlanStage(`# Fill the pantry

### T-001: Add apples
verify: test -f one.txt

### T-002: Add pears
blocked by: T-001
verify: test -f two.txt

### T-003: Count them
blocked by: T-002
verify: test -f three.txt
`);
  stage.plays({
    "T-001": { do: [{ write: "one.txt", text: "1" }] },
    "T-002": { do: [{ write: "two.txt", text: "2" }] },
    "T-003": { do: [{ write: "three.txt", text: "3" }] },
  });
  const { out } = stage.loop(...stage.work, "--iterations", "2", "--no-model");
  const shown = [...out.matchAll(/Wave (\d) \| Iteration (\S+) /g)].map(([, wave, of]) => `${wave}: ${of}`);
  expect(shown).toEqual(["1: 1/2", "2: 1/2", "3: 1/2"]);
});

describe("a plan that is worked on", () => {
  variant("is one loop, whatever its attempts are", async () => {
    const { stage, driving } = await inTheMiddle();
    expect(stage.ids()).toHaveLength(3);

    expect(stage.only()).toMatchObject({
      phase: "active",
      stage: "executing",
      next: "finish T-001",
      tasks: [
        { id: "T-001", status: "in_progress", wave: 1, attempts: 1 },
        { id: "T-002", status: "completed", wave: 1, attempts: 1 },
        { id: "T-003", status: "pending", wave: 2, attempts: 0, blockedBy: ["T-001"] },
      ],
      workflow: { counts: { done: 1, running: 1, blocked: 1 }, tasks: [{ agent: "rehearsal" }, {}, {}] },
    });
    const { out } = stage.loop("status");
    expect(out).toMatch(/▸ T-001 {2}Add apples +rehearsal · began .*\n/);
    expect(out).toMatch(
      /○ T-002 {2}Write notes +unverified\n +it has no check\n {2}Wave 2\n +○ T-003 {2}Count them +blocked by T-001\n/,
    );
    expect(stage.loop("task").code).toBe(0);
    expect(stage.read(".loop/PROGRESS.md")).toContain(
      "- [ ] T-001: Add apples (assigned to rehearsal, attempt 1)",
    );
    // A record of the attempt is no news of the plan.
    expect(stage.loop("check", "--loop", stage.attempt)).toMatchObject({ code: 0 });
    expect(JSON.parse(stage.read(".loop/state.json"))).toMatchObject({ loopId: stage.workflow });
    expect(stage.announced()).toContain(`Active in this project: ${stage.workflow}. `);

    const attempt = JSON.parse(stage.loop("status", stage.attempt, "--json").out) as unknown;
    expect(attempt).toMatchObject({ loops: [{ id: stage.attempt, phase: "active", workflow: null }] });

    stage.letGo("apples");
    expect(await driving.ended()).toMatchObject({ code: 6 });
    expect(stage.loop("status").out).toMatch(/^No loop is open; the last one:\n/);
    expect(stage.read(".loop/summary.md")).toMatch(
      /^# Finished, unverified\n[^]*- Attempts: 3\n[^]*\n\| ○ \| T-002 \| Write notes \| 1 \| unverified: it has no check \| `[0-9a-f]{12}` \|\n/,
    );
  });

  test.runIf(isFullEffort)("is worked on in worktrees that are live, then resumable, then gone", async () => {
    const { stage, driving } = await inTheMiddle();
    await until(() => stage.states().length === 2, "the merged task's worktree is gone");
    expect(stage.states()).toEqual(["T-001-1 live", "queue live"]);
    expect(stage.loop("worktrees", "--remove")).toMatchObject({
      code: 0,
      out: "No worktree is dead, so nothing was removed.\n",
    });

    driving.child.kill("SIGKILL");
    await driving.ended();
    expect(stage.states()).toEqual(["T-001-1 resumable", "queue resumable"]);
    expect(stage.loop("doctor").out).toMatch(/^✓ worktrees +2 of attempts, \d/m);

    stage.letGo("apples");
    expect(stage.loop("continue").out).toContain("[LOOP RESUME] Active loop detected\nStage: executing | ");
    expect(stage.only()).toMatchObject({ phase: "completed" });
    expect(stage.worktrees()).toEqual([]);
    expect(stage.loop("doctor").out).not.toContain("worktrees");
    expect(stage.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  test.runIf(isFullEffort)(
    "cancelling it keeps what its attempts wrote, and leaves no worktree",
    async () => {
      const { stage, driving } = await inTheMiddle();
      driving.child.kill("SIGKILL");
      await driving.ended();
      expect(stage.loop("cancel").out).toContain(
        "Done: T-002 Write notes\nRemaining: T-001 Add apples, T-003 Count them\n",
      );

      expect(stage.states()).toEqual([]);
      const kept = `refs/loopwright/${stage.workflow}/tasks/T-001/1-unfinished:list.txt`;
      expect(stage.git("show", kept)).not.toBe("");
    },
  );
});

describe("loop review", () => {
  variant("shows the result riskiest first, with commits that hold just that", () => {
    const stage = new PlanStage();
    stage.plays({
      ...WORKS,
      "T-001": {
        do: [
          { write: "list.txt", text: "apples\n" },
          { write: "apples.txt", text: "apples\n" },
        ],
      },
      "T-003": {
        do: [
          { write: "count.txt", text: "2\n" },
          { write: "list.txt", text: "bread\n" },
        ],
      },
    });
    expect(stage.loop(...stage.work)).toMatchObject({ code: 6 });

    const review = JSON.parse(stage.loop("review", "--json").out) as PlanReview;
    expect(review.tasks).toMatchObject([
      {
        id: "T-002",
        confidence: "unverified",
        risks: ["nothing shows that it is done: it has no check"],
        lines: 2,
      },
      {
        id: "T-003",
        risks: ["puts list.txt back to what it was before T-001"],
        reverts: [{ path: "list.txt", of: "T-001" }],
      },
      {
        id: "T-001",
        confidence: "verified",
        risks: [],
        files: [
          { path: "apples.txt", added: 1, removed: 0 },
          { path: "list.txt", added: 1, removed: 1 },
        ],
      },
    ]);
    for (const { id, commit } of review.tasks)
      expect(
        stage.git("show", "-s", "--format=%(trailers:key=Loop-Task,valueonly)", commit ?? "").trim(),
      ).toBe(id);

    const { out } = stage.loop("review");
    expect(out).toContain(`T-002  Write notes  unverified
  ! nothing shows that it is done: it has no check
  +2 −0 in 1 file: notes.txt
  git show ${review.tasks[0]?.commit?.slice(0, 12)}
`);
    expect(out).toMatch(/^\S+: 3 tasks, riskiest first; 2 with something to look at\n/);
  });

  test.runIf(isFullEffort)("of a plan that isn't done, names what is not there", async () => {
    const { stage, driving } = await inTheMiddle();
    const { tasks } = JSON.parse(stage.loop("review", "--json").out) as PlanReview;
    expect(tasks.map(({ id, risks }) => [id, risks[0]])).toEqual([
      ["T-001", "still being worked on"],
      ["T-003", "not begun: it waits for others"],
      ["T-002", "nothing shows that it is done: it has no check"],
    ]);
    stage.letGo("apples");
    await driving.ended();
  });
});

test.runIf(isFullEffort)("a plan is watched from elsewhere in the words of its own run", async () => {
  const { stage, driving } = await inTheMiddle();
  const watching = stage.drive(["status", "--watch"]);
  await watching.printed("[LOOP] Wave 1 | Cost: ");
  stage.letGo("apples");
  const { out } = await watching.ended();
  expect(out).toContain("  ✓ T-001 Add apples");
  expect(out).toContain("[LOOP] ✓ Wave 1 complete | Progress: ");
  expect(out).toContain("All tasks done, some unverified:");
  expect(out).toMatch(/\n\[LOOP\] 3 attempts, .* \| Review: loop review\n$/);
  await until(() => driving.isOver, "the run ended");
});

const missing = missingPty();

test.runIf(isCiEffort && missing === null)(
  `before a terminal it has a line for each running task${missing === null ? "" : ` (${missing})`}`,
  async () => {
    const stage = new PlanStage();
    stage.plays({
      ...WORKS,
      "T-001": { do: [{ write: "list.txt", text: "bread\napples\n" }, { run: stage.meet("apples") }] },
      "T-003": { do: [{ write: "count.txt", text: "2\n" }, { wait: 600 }], usd: 0.5 },
    });
    const env = { ...stage.env, NO_COLOR: "1" };
    const terminal = onTerminal([process.execPath, CLI, ...stage.work], { cwd: stage.root, env });
    await terminal.until(/● active · wave 1 of 2 · 1\/3 tasks/);
    await terminal.until(/▸ T-001 Add apples {2,}Bash touch/);
    const during = new Emulator(80);
    during.write(terminal.text());
    expect(during.text.match(/● active/g)).toHaveLength(1);
    expect(during.text).toContain("  ✓ T-002 Write notes ");
    expect(during.text).toMatch(/\n {2}○ 1 blocked(?:\n|$)/);

    stage.letGo("apples");
    expect(await terminal.ended).toBe(6);
    const after = new Emulator(80);
    after.write(terminal.text().replaceAll("\u0007", ""));
    expect(after.text).not.toContain("● active");
    expect(after.text).toMatch(/<\/loop-complete>\n\[LOOP\] 3 attempts, .*\nloop: Finished, but unverified/);
    expect(after.cursorShown).toBe(true);
  },
);
