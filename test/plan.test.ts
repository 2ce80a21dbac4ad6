import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const PLAN = `# Validate tokens

### T-001: Add the schema
verify: touch canary
estimate: 10m

### T-002: Validate tokens
blocked by: T-001
verify: npm test

### T-003: Document it
Blocked by T-001
`;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const json = (sandbox: Sandbox, ...args: readonly string[]): { readonly [name: string]: unknown } =>
  JSON.parse(sandbox.loop("plan", ...args, "--json").out) as { readonly [name: string]: unknown };

function planned(text = PLAN): Sandbox {
  const sandbox = new Sandbox({ "PLAN.md": text });
  sandbox.commitAll();
  return sandbox;
}

describe("loop plan", () => {
  test("shows waves, checks, blockers, the longest path and what is wrong, and runs nothing", () => {
    const sandbox = planned();
    expect(sandbox.loop("plan", "PLAN.md")).toEqual({
      code: 0,
      err: "",
      out: `PLAN.md: 3 tasks in 2 waves, 2 of them with a check

Wave 1
  T-001  Add the schema
    check: touch canary

Wave 2
  T-002  Validate tokens
    check: npm test
    blocked by T-001
  T-003  Document it
    no check: it stays unverified
    blocked by T-001

Longest path: T-001 → T-002 (2 tasks, about 20 min)

PLAN.md:11: warning: T-003 has no check, so it stays unverified; add a line such as: verify: npm test

Digest: ${sha256(PLAN)}
Its commands are not approved on this machine, so none of them runs; approve them with: loop plan PLAN.md --approve
`,
    });
    expect(existsSync(join(sandbox.root, "canary"))).toBe(false);
    expect(existsSync(join(sandbox.root, ".loop"))).toBe(false);
  });

  test("says the same as JSON", () => {
    expect(json(planned(), "-f", "PLAN.md")).toMatchObject({
      plan: "PLAN.md",
      digest: sha256(PLAN),
      approved: false,
      tasks: [
        { id: "T-001", verify: "touch canary", blockedBy: [], estimateMs: 600_000, wave: 1, line: 3 },
        { id: "T-002", verify: "npm test", blockedBy: ["T-001"], wave: 2, line: 7 },
        { id: "T-003", verify: null, blockedBy: ["T-001"], wave: 2, line: 11 },
      ],
      waves: [["T-001"], ["T-002", "T-003"]],
      criticalPath: { ids: ["T-001", "T-002"] },
      split: null,
      issues: [{ line: 11, severity: "warning" }],
    });
  });

  test("reads a spec's own checklist, and standard input", () => {
    const sandbox = new Sandbox();
    expect(json(sandbox, "Please:\n- [x] Dig\n- [ ] Fill")).toMatchObject({
      plan: "spec",
      done: ["T-001"],
      tasks: [{ id: "T-002", subject: "Fill", line: 3 }],
    });
    expect(sandbox.loopWith({ input: PLAN }, "plan", "-f", "-").out).toContain("stdin: 3 tasks in 2 waves");
  });

  test("ends with 1 where there is an error, tells its line, and approves nothing", () => {
    const text = "### T-001: Dig\nverify: true\nblocked by: T-002\n### T-002: Fill\nblocked by: T-001\n";
    const sandbox = planned(text);
    const ran = sandbox.loop("plan", "PLAN.md");
    expect([ran.code, ran.err]).toEqual([1, ""]);
    expect(ran.out).toContain(
      "PLAN.md:1: error: A cycle, each blocked by the next: T-001 → T-002 → T-001.\n",
    );
    expect(json(sandbox, "PLAN.md")).toMatchObject({ waves: null, criticalPath: null });
    expect(sandbox.loop("plan", "PLAN.md", "--approve", "--yes")).toMatchObject({
      code: 1,
      err: "loop: A plan with errors cannot be approved; put them right first.\n",
    });
  });

  test("says what a plan looks like where there is none", () => {
    const { code, out } = planned("Make it better\n").loop("plan", "PLAN.md");
    expect(code).toBe(1);
    expect(out).toContain("PLAN.md:1: error: There is no task here.\n");
    const example = out.slice(out.indexOf("  ### T-001"), out.indexOf("A checklist works"));
    // The example is one itself.
    expect(new Sandbox().loop("plan", example.replace(/^ {2}/gm, "")).code).toBe(0);
  });

  test("proposes a split of a large plan, and does not mind one of hundreds", () => {
    const text = Array.from({ length: 600 }, (_, index) => {
      const blocked = index % 10 === 0 ? "" : `blocked by: T-${index - 1}\n`;
      return `### T-${index}: Dig\nverify: true\n${blocked}`;
    }).join("");
    const sandbox = planned(text);
    const { code, out } = sandbox.loop("plan", "PLAN.md");
    expect(code).toBe(0);
    expect(out).toContain("PLAN.md:1: warning: 600 tasks are many for one plan; up to 25 stay in view.\n");
    expect(out).toContain("\nIt could be several plans, one after the other:\n  1. 20 tasks: T-0, T-1,");
    expect((json(sandbox, "PLAN.md")["split"] as string[][]).map(({ length }) => length)).toEqual(
      Array.from({ length: 30 }, () => 20),
    );
  });

  test("shows errors first where there is more to say than anybody reads", () => {
    const sandbox = planned(`${"### T-001: Dig\n".repeat(3)}${"estimate: soon\n".repeat(200)}`);
    const lines = sandbox.loop("plan", "PLAN.md").out.split("\n");
    expect(lines[0]).toBe("PLAN.md:2: error: T-001 is there already, in line 1.");
    expect(lines.slice(99)).toEqual([
      expect.stringContaining("estimate: takes a duration"),
      "… and 105 more; --json has them all",
      "",
    ]);
  });

  test("shows a command as it is, whatever it would hide", () => {
    const sandbox = planned("### T-001: Dig \u001b[31m\nverify: true \u202e# \u001b[2K rm -rf\n");
    const { out } = sandbox.loop("plan", "PLAN.md");
    expect(out).toContain("  T-001  Dig\n    check: true \\u202e# \\u001b[2K rm -rf\n");
    expect(out).not.toContain("\u001b");
  });

  test.each([
    [[], "Give a plan, for example: loop plan PLAN.md"],
    [["-f", "missing.md"], "missing.md does not exist; name another file, or - for standard input."],
    [["PLNA.md"], "PLNA.md does not exist; name the file of a plan, or say in words what you want."],
    [["docs/plan"], "docs/plan does not exist;"],
    [["."], ". is a folder; name the file of a plan, or say in words what you want."],
    [["Add a page", "--agent", "command"], "argument 'command' is invalid"],
    [["PLAN.md", "-f", "PLAN.md"], "not both"],
    [["tasks:none"], 'Claude Code has no task list "none" here'],
  ])("loop plan %j is refused in one sentence", (args, sentence) => {
    const { code, out, err } = planned().loop("plan", ...args);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(sentence);
  });

  test("a spec in a file is told how it becomes a plan", () => {
    const sandbox = new Sandbox({ "prose.md": "Make slug() lower-case in src/slug.js.\n" });
    const { code, out } = sandbox.loop("plan", "prose.md");
    expect(code).toBe(1);
    expect(out).toContain("If it is a spec, the agent splits it into tasks with: loop plan -f prose.md\n");
  });

  test("reads no more than a plan may have", () => {
    const sandbox = new Sandbox({ "PLAN.md": "x".repeat(5 * 1024 * 1024) });
    expect(sandbox.loop("plan", "PLAN.md").err).toBe(
      "loop: PLAN.md cannot be read (it is larger than 4 MB).\n",
    );
  });
});

describe("the commands of a plan", () => {
  const approvedIn = (sandbox: Sandbox): unknown => json(sandbox, "PLAN.md")["approved"];

  test("are approved by a person, once for this text in this project", () => {
    const sandbox = planned();
    const asked = sandbox.loop("plan", "PLAN.md", "--approve");
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining("add --yes") as string });
    expect(asked.out).toContain("check: touch canary");
    expect(approvedIn(sandbox)).toBe(false);

    expect(sandbox.loop("plan", "PLAN.md", "--approve", "--yes").out).toMatch(/\nApproved on this machine,/);
    expect(approvedIn(sandbox)).toBe(true);
    expect(sandbox.loop("plan", "PLAN.md").out).toContain("\nIts commands are approved on this machine.\n");
    expect(sandbox.loop("plan", "PLAN.md", "--approve").out).toContain("Nothing here waits for approval.");
    expect(existsSync(join(sandbox.root, "canary"))).toBe(false);

    sandbox.write({ "PLAN.md": `${PLAN}\n` });
    expect(approvedIn(sandbox)).toBe(false);
    sandbox.write({ "PLAN.md": PLAN, "other/.git": "", "other/PLAN.md": PLAN });
    expect(approvedIn(sandbox)).toBe(true);
    const elsewhere = sandbox.loopWith({ cwd: join(sandbox.root, "other") }, "plan", "PLAN.md", "--json");
    expect(JSON.parse(elsewhere.out)).toMatchObject({ approved: false });
  });

  test("are not an agent's to approve", () => {
    const sandbox = planned();
    const ran = sandbox.agentLoop("s1", "plan", "PLAN.md", "--approve", "--yes");
    expect(ran).toMatchObject({
      code: 1,
      err: expect.stringContaining("`loop plan --approve` may only be run by the user") as string,
    });
    expect(approvedIn(sandbox)).toBe(false);
  });
});

describe("a task list of Claude Code", () => {
  function listed(sandbox: Sandbox, id: string, fields: { readonly [name: string]: unknown } = {}): void {
    const folder = join(sandbox.home, ".claude", "tasks", "my-list");
    mkdirSync(folder, { recursive: true });
    const task = { id, subject: `Dig ${id}`, description: "", status: "pending", blocks: [], blockedBy: [] };
    writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...task, ...fields }));
  }

  test("is a plan, whose commands are approved as long as they stay the same", () => {
    const sandbox = planned();
    const status = "completed";
    listed(sandbox, "1", { description: "Verify: true" });
    listed(sandbox, "2", { blockedBy: ["1"], description: "Dig it. Verify: grep -q it src" });
    listed(sandbox, "3", { metadata: { _internal: true } });
    expect(json(sandbox, "tasks:my-list")).toMatchObject({
      plan: "tasks:my-list",
      approved: false,
      tasks: [
        { id: "T-001", subject: "Dig 1", verify: "true", blockedBy: [], wave: 1 },
        {
          id: "T-002",
          description: "Dig it.",
          verify: "grep -q it src",
          blockedBy: ["T-001"],
          wave: 2,
        },
      ],
    });
    expect(sandbox.loop("plan", "tasks:my-list", "--approve", "--yes").code).toBe(0);
    listed(sandbox, "1", { description: "Verify: true", status });
    expect(json(sandbox, "tasks:my-list")).toMatchObject({
      approved: true,
      done: ["T-001"],
      waves: [["T-002"]],
    });
    listed(sandbox, "2", { description: "Verify: rm -rf it" });
    expect(json(sandbox, "tasks:my-list")).toMatchObject({ approved: false });
  });

  test("is shown of a loop that mirrors it, task by task", () => {
    const sandbox = planned();
    sandbox.env["CLAUDE_CODE_TASK_LIST_ID"] = "my-list";
    listed(sandbox, "1", { status: "completed" });
    listed(sandbox, "2", { status: "in_progress", blockedBy: ["1"] });
    listed(sandbox, "3", { blockedBy: ["1", "2"] });
    sandbox.start("s1", "Dig", "--exit-rule", "tasks", "--shape", "tool");
    sandbox.stop("s1");
    const rows = [
      "✓ done     1  Dig 1  wave 1",
      "▸ running  2  Dig 2  wave 2",
      "○ blocked  3  Dig 3  wave 3 · blocked by 1, 2",
    ];
    expect(sandbox.loop("task")).toEqual({ code: 0, err: "", out: `${rows.join("\n")}\n` });
    expect(sandbox.loop("task", "list").out).toBe(`${rows.join("\n")}\n`);
    expect(sandbox.loop("task", "show", "3").out).toBe(`${rows[2]}\n`);
    expect(JSON.parse(sandbox.loop("task", "--json").out)).toMatchObject({
      tasks: [
        { id: "1", status: "completed", state: "done", wave: 1, attempts: 0, blockedBy: [] },
        { id: "2", state: "running" },
        { id: "3", status: "pending", state: "blocked", wave: 3, blockedBy: ["1", "2"] },
      ],
    });
    expect(JSON.parse(sandbox.loop("task", "show", "3", "--json").out)).toMatchObject({
      task: { id: "3", check: null, history: [] },
    });
    expect(sandbox.loop("task", "show", "T-9").err).toMatch(/has no task "T-9"; see them with: loop task\n$/);
  });
});
