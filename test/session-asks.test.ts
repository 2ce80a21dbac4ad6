import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { heldReason, Sandbox, toldOf } from "./support/sandbox.ts";
import type { Ran } from "./support/sandbox.ts";
import { Served } from "./support/served.ts";

const S = "session-one";
const ATTENDED = { CLAUDE_CODE_ENTRYPOINT: "cli" };
const SPEC = "Make src/greet.mjs say hello, and write notes.txt about it. Done when npm test passes.";
const PLAN = `### T-001: Greet in src/greet.mjs
verify: grep -q hello src/greet.mjs

### T-002: Write notes about it
blocked by: T-001
verify: test -f notes.txt
`;

class Shop extends Sandbox {
  constructor() {
    super({
      "package.json": '{ "scripts": { "test": "grep -q hello src/greet.mjs" } }\n',
      "src/greet.mjs": "export const greet = () => '';\n",
    });
    this.commitAll();
    this.sessionStarts(S);
  }

  /** As the agent of a session that a person sits at. */
  agent(...args: readonly string[]): Ran {
    return this.agentWith("", ...args);
  }

  agentWith(input: string, ...args: readonly string[]): Ran {
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S, ...ATTENDED };
    return this.loopWith({ env, input }, ...args);
  }

  /** Its turn ends, in which it used its tools. */
  ends(): Ran {
    this.event("post-tool-use", S, { tool_name: "Bash", tool_input: {}, tool_response: {} });
    return this.stop(S, {}, ATTENDED);
  }

  /** What the model reads beside a prompt of the user's. */
  prompts(prompt: string): string {
    const payload = { hook_event_name: "UserPromptSubmit", session_id: S, cwd: this.root, prompt };
    const { out } = this.hookOf("user-prompt-submit", payload);
    const { hookSpecificOutput } = JSON.parse(out || "{}") as {
      hookSpecificOutput?: { hookEventName: string; additionalContext: string };
    };
    return hookSpecificOutput?.hookEventName === "UserPromptSubmit"
      ? hookSpecificOutput.additionalContext
      : "";
  }

  /** The user is asked about a command of the agent's. */
  isAskedAbout(command: string): boolean {
    const { out } = this.hookOf("pre-tool-use", {
      hook_event_name: "PreToolUse",
      session_id: S,
      cwd: this.root,
      tool_name: "Bash",
      tool_input: { command },
    });
    return out.includes('"permissionDecision":"ask"');
  }

  works(task: string, name: string, text: string): void {
    const { claimed } = JSON.parse(this.agent("task", "claim", task, "--json").out) as {
      claimed: readonly [{ readonly worktree: string }];
    };
    writeFileSync(join(claimed[0].worktree, name), text);
    const { code, err } = this.agent("task", "done", task);
    if (code !== 0) throw new Error(err);
  }
}

function planned(shape: string): Shop {
  const shop = new Shop();
  expect(shop.agent("start", SPEC, "--workflow", `--shape=${shape}`)).toMatchObject({ code: 0 });
  return shop;
}

describe("a workflow that asks its user at major steps", () => {
  test("asks about the shape, the plan and each wave, and tells the agent what is next", () => {
    const shop = new Shop();
    const started = shop.agent("start", SPEC, "--workflow", "--shape=tool-review");
    expect(started.out).toContain("what was agreed (.loop/shape/SHAPE.md), and stop");
    expect(started.out).not.toContain("loop start --plan -");
    expect(toldOf(shop.ends())).toMatch(/^\[LOOP\] Shape \|[^]*npm run test[^]*\n\nContinue\? \[Y\/n\]$/);
    expect(shop.prompts("yes, fine")).toContain("`loop start --plan -`");
    // Asked once: what is missing now is the agent's to do.
    expect(heldReason(shop.ends())).toContain("`loop start --plan -`");

    expect(shop.agentWith(PLAN, "start", "--plan", "-").out).toContain("the plan in a few lines, and stop");
    expect(toldOf(shop.ends())).toMatch(/^\[LOOP\] Plan \|[^]*- Wave 1: T-001 [^]*Continue\? \[Y\/n\]$/);
    expect(shop.prompts("y")).toContain("loop task claim T-001");

    shop.works("T-001", "src/greet.mjs", "export const greet = () => 'hello';\n");
    expect(toldOf(shop.ends())).toMatch(/^\[LOOP\] ✓ Wave 1 complete[^]*Continue\? \[Y\/n\]$/);
    expect(shop.prompts("n")).toBe("");
    expect(shop.only()).toMatchObject({ phase: "paused", reason: "user" });
  });

  test("asks nobody where nobody is there", () => {
    const shop = new Shop();
    const started = shop.agentLoop(S, "start", SPEC, "--workflow", "--shape=tool-review");
    expect(started.out).toContain("loop start --plan -");
    expect(heldReason(shop.stop(S))).toContain("loop start --plan -");
  });
});

describe("the panel of a session", () => {
  const BLOCKER = {
    severity: "BLOCKER",
    perspective: "",
    file: "notes.txt",
    quote: "wrold",
    problem: "The notes are misspelt.",
    breaks: "C-1",
    command: null,
    fix: null,
  };

  /** All tasks are merged. */
  function merged(shape: string): Shop {
    const shop = planned(shape);
    shop.agentWith(PLAN, "start", "--plan", "-");
    shop.works("T-001", "src/greet.mjs", "export const greet = () => 'hello';\n");
    shop.stop(S);
    shop.works("T-002", "notes.txt", "hello\nwrold notes\n");
    expect(heldReason(shop.stop(S))).toContain("`loop review panel` names the reviewers");
    return shop;
  }

  function reviewersOf(shop: Shop): readonly string[] {
    const { out } = shop.agent("review", "panel");
    return [...out.matchAll(/loop review brief --as (\S+)/g)].map(([, name = ""]) => name);
  }

  function answers(shop: Shop, name: string, score: number, ...findings: readonly object[]): string {
    const { code, out, err } = shop.agent(
      "review",
      "record",
      "--as",
      name,
      JSON.stringify({ score, findings }),
    );
    expect(err).toBe("");
    expect(code).toBe(0);
    return out;
  }

  test("is reviewers of one point of view each, whose answers wait for each other and keep their scores", () => {
    const shop = merged("tool");
    const [first = "", second = "", third = ""] = reviewersOf(shop);
    expect([first, second]).toEqual(["correctness", "tests"]);
    const brief = shop.agent("review", "brief", "--as", second).out;
    expect(brief).toContain("- tests: ");
    expect(brief).not.toContain("- correctness: ");
    expect(brief).toContain(`--as ${second} '`);
    expect(shop.agent("review", "brief", "--as", "beauty").err).toContain('no reviewer "beauty"; it has: ');

    expect(answers(shop, second, 4)).toContain(`Still to answer: correctness, ${third}`);
    expect(reviewersOf(shop)).toEqual([first, third]);
    answers(shop, first, 9);
    const all = answers(shop, third, 8, { ...BLOCKER, severity: "WARNING", breaks: null });
    expect(all).toContain("correctness 9/10, tests 4/10");
    expect(all).toContain("they disagree");
    const review = shop.only().workflow?.judgement?.rounds[0];
    expect(review).toMatchObject({ score: 4, issues: 1 });
    expect(review?.panel.map(({ score }) => score)).toEqual([9, 4, 8]);
    expect(shop.only().workflow?.judgement?.findings[0]).toMatchObject({
      perspective: third.replace("-", " "),
    });
  });

  test("leaves each finding to the user, and a blocker that stays to their own word", () => {
    const shop = merged("tool-review");
    const suggestion = { ...BLOCKER, severity: "SUGGESTION", quote: "hello", breaks: null };
    for (const name of reviewersOf(shop)) answers(shop, name, 7, BLOCKER, suggestion);
    const asked = heldReason(shop.ends());
    expect(asked).toContain("Ask the user about each");
    expect(asked).toMatch(/- BLOCKER F-1 notes\.txt:2 \(correctness\): The notes are misspelt/);
    // An agent that stops to ask what it was told to ask is let go.
    expect(shop.ends().out).toBe("");
    expect(shop.only()).toMatchObject({ phase: "active" });

    const accept = "loop review resolve F-1 accept";
    expect(shop.agent("review", "resolve", "F-1", "accept").err).toContain("may only be run by the user");
    expect(shop.isAskedAbout(accept)).toBe(true);
    expect(shop.agent("review", "resolve", "F-2", "dismiss").out).toContain(
      "F-2 stays as it is. 1 still open",
    );
    expect(shop.agent("review", "resolve", "F-1", "accept").out).toContain("All findings are settled");
    expect(shop.loop("review").out).toContain("approved");
    expect(toldOf(shop.ends())).toMatch(/Risk: blocker accepted in notes\.txt/);
  });

  test("is answered with a button of the dashboard, too", async () => {
    const shop = merged("tool-review");
    for (const name of reviewersOf(shop)) answers(shop, name, 7, BLOCKER);
    heldReason(shop.ends());
    const served = await Served.of(shop);
    const visitor = await served.enter();
    const [row] = await served.rows(visitor);
    const settle = async (decision: string): Promise<number> => {
      const body = { seq: row?.seq, decision: null, action: { type: "resolve", finding: "F-1", decision } };
      return (await served.ask(`/api/loops/${row?.key}/act`, visitor, {}, body)).status;
    };
    expect(await settle("accept")).toBe(200);
    expect(shop.only().workflow?.judgement?.findings[0]).toMatchObject({ resolution: "approved" });
    expect(await settle("fix")).toBe(409);
  });

  test("makes a task of what the user wants fixed", () => {
    const shop = merged("tool-review");
    for (const name of reviewersOf(shop)) answers(shop, name, 7, BLOCKER);
    heldReason(shop.ends());
    const fixed = shop.agent("review", "resolve", "f-1", "fix", "--note", "British spelling, please");
    expect(fixed.out).toContain("F-1 becomes R-1");
    expect(shop.agent("task", "claim", "R-1").out).toContain("British spelling, please");
  });
});
