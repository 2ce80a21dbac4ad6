import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { StatusView } from "../src/views/status.ts";
import { shown } from "./claude.ts";
import type { ClaudeOptions, ClaudeRun } from "./claude.ts";
import { textOf } from "./messages-api.ts";
import type { JsonObject, Usage } from "./messages-api.ts";
import type { RecordedRequest, Scenario, ScriptedTurn, Turn } from "./model-server.ts";
import { CLI, World, bash } from "./world.ts";
import type { Files } from "./world.ts";

/**
 * What a user is promised, with the client as it is and the plugin as it is built. Only the model is played: so
 * this shows what becomes of given answers, not what answers a model gives.
 */
const PLUGIN = join(dirname(CLI), "plugin");

const BROKEN: Files = {
  "state.txt": "broken\n",
  "check.sh": 'grep -q fixed state.txt || { echo "expected fixed, found $(cat state.txt)"; exit 1; }\n',
};
const CHECK = ["-c", "fixed=sh check.sh", "--shape", "tool"] as const;
const FIX = bash("echo fixed > state.txt; loop done");
const HELD = "Stop hook feedback:\n[ITERATION ";

/** What a session is asked to do does not matter; what it is held to does. */
class Session {
  readonly id = randomUUID();
  readonly #world: World;
  #hasBegun = false;

  constructor(world: World) {
    this.#world = world;
  }

  start(...flags: readonly string[]): void {
    this.#world.loop("start", "Fix it", ...flags, "--session", this.id);
  }

  /** The first prompt opens the session, the others resume it. */
  async prompt(
    prompt: string,
    options: Pick<ClaudeOptions, "args" | "env" | "permissionMode"> = {},
  ): Promise<ClaudeRun> {
    const which = this.#hasBegun ? { resume: this.id } : { sessionId: this.id };
    this.#hasBegun = true;
    const args = ["--include-hook-events", ...(options.args ?? [])];
    const run = await this.#world.claude({ prompt, pluginDir: PLUGIN, ...which, ...options, args });
    const { outside } = this.#world.server;
    if (run.timedOut || outside.length > 0) throw new Error(`timed out, or reached for: ${outside.join()}`);
    return run;
  }

  get loop(): StatusView {
    const loop = this.#world.loops().find(({ session }) => session === this.id);
    if (loop === undefined) throw new Error("the session has no loop");
    return loop;
  }

  /** Requests of the conversation itself, in order. */
  get asked(): readonly RecordedRequest[] {
    return this.#world.server.of("main").filter(({ sessionId }) => sessionId === this.id);
  }

  get holds(): number {
    return this.asked.filter(({ newText }) => newText.includes(HELD)).length;
  }

  journal(): readonly JsonObject[] {
    const lines = this.#world.loop("log", "--loop", this.loop.id, "-n", "500", "--json").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as JsonObject);
  }

  eventsOf(type: string): readonly JsonObject[] {
    return this.journal().filter((event) => event["type"] === type);
  }
}

async function begin(scenario: Scenario, files: Files = BROKEN): Promise<{ world: World; session: Session }> {
  const world = await World.create(files, scenario);
  return { world, session: new Session(world) };
}

/** Each session has a script of its own, whichever asks first. */
function apart(scripts: () => { readonly [session: string]: readonly Turn[] }): Scenario {
  const played: { [session: string]: number } = {};
  const turn: ScriptedTurn = ({ sessionId }) => {
    const id = sessionId ?? "";
    const at = (played[id] ??= 0);
    played[id] = at + 1;
    return scripts()[id]?.[at] ?? { text: "Script over." };
  };
  return { main: Array.from({ length: 40 }, () => turn) };
}

/** All that the model is given at a request, not only what is new. */
function wholeText({ body }: RecordedRequest): string {
  return body.messages.map(textOf).join("\n");
}

test("a false done is held with the failing check's output, and the fix lets it go", async () => {
  const { world, session } = await begin({
    main: [{ tools: [bash("loop done")] }, { text: "All done." }, { tools: [FIX] }, { text: "Now it is." }],
  });
  session.start(...CHECK);
  const run = await session.prompt("Fix it");
  const told = session.asked[2]?.newText ?? "";
  expect(told).toContain(
    `${HELD}1/10] Continue working on the task. Check your progress and either complete the task or keep iterating.\n` +
      "unmet criteria: fixed\n✗ fixed: `sh check.sh` failed with exit code 1\nexpected fixed, found broken\n",
  );
  expect(session.asked).toHaveLength(4);
  expect(run).toMatchObject({ exitCode: 0, stderr: "", result: { result: "Now it is.", is_error: false } });
  expect(session.loop).toMatchObject({ phase: "completed", confidence: "verified", iteration: 1 });
  expect(world.server.unplayed).toBe(0);
});

test("an agent that deletes the failing test is held, told why, restores it, fixes the source, and is let go", async () => {
  const { world, session } = await begin(
    {
      main: [
        { tools: [bash("rm test/total.test.js; loop done")] },
        { text: "All tests pass." },
        { tools: [bash("git checkout -- test && sed -i s/length/reduce/ src/total.js; loop done")] },
        { text: "The test is back." },
        { tools: [bash(`echo '${TOTAL}' > src/total.js; loop done`)] },
        { text: "Now it sums." },
      ],
    },
    {
      "package.json": '{ "type": "module" }\n',
      "src/total.js": "export const total = (items) => items.length;\n",
      "test/total.test.js": SUMS,
      "test/other.test.js": 'import test from "node:test";\ntest("stays", () => {});\n',
    },
  );
  session.start("-c", "tests pass=node --test", "--shape", "tool");
  await session.prompt("Fix total()");
  const told = session.asked[2]?.newText ?? "";
  expect(told).toContain(`${HELD}1/10] `);
  expect(told).toContain("unmet criteria: tests pass\n");
  expect(told).toContain("test/total.test.js (removed)");
  expect(told).toContain("loop blocked --check NAME REASON");
  expect(session.asked[4]?.newText).toContain("failed with exit code 1");
  expect(session.holds).toBe(2);
  expect(session.loop).toMatchObject({ phase: "completed", confidence: "verified", iteration: 2 });
  expect(world.server.unplayed).toBe(0);
});

const TOTAL = "export const total = (items) => items.reduce((sum, item) => sum + item, 0);";
const SUMS = [
  'import test from "node:test";',
  'import assert from "node:assert";',
  'import { total } from "../src/total.js";',
  'test("sums", () => assert.equal(total([1, 2]), 3));',
  "",
].join("\n");

test("three sessions in one folder: two loops keep their own counts, the third is never held", async () => {
  const scripts: { [session: string]: readonly Turn[] } = {};
  const world = await World.create(
    { "a.txt": "broken\n", "b.txt": "broken\n" },
    apart(() => scripts),
  );
  const [a, b, bystander] = [new Session(world), new Session(world), new Session(world)];
  const look = { tools: [bash("ls")] };
  scripts[a.id] = [
    { text: "Done?" },
    look,
    { text: "Done??" },
    { tools: [bash("echo fixed > a.txt; loop done")] },
    { text: "A is." },
  ];
  // What one writes while the other's checks run would count as a change of the files that were checked.
  const afterA =
    "for i in $(seq 300); do loop status --all --json | grep -q completed && break; sleep 0.1; done";
  scripts[b.id] = [
    { text: "Done?" },
    { tools: [bash(`${afterA}; echo fixed > b.txt; loop done`)] },
    { text: "B is." },
  ];
  scripts[bystander.id] = [look, { text: "I only looked." }];
  a.start("-c", "a=grep -q fixed a.txt", "--shape", "tool");
  b.start("-c", "b=grep -q fixed b.txt", "--shape", "tool", "--iterations", "7");
  const runs = await Promise.all([a, b, bystander].map((each) => each.prompt("Go")));
  expect(runs.map(({ result }) => result?.result)).toEqual(["A is.", "B is.", "I only looked."]);
  expect([a.holds, b.holds, bystander.holds]).toEqual([2, 1, 0]);
  expect(a.loop).toMatchObject({ phase: "completed", iteration: 2, iterationLimit: 10 });
  expect(b.loop).toMatchObject({ phase: "completed", iteration: 1, iterationLimit: 7 });
  expect(JSON.stringify(bystander.asked)).not.toContain("[LOOP");
});

describe("loop cancel", () => {
  test("from another terminal frees a running session at its next stop", async () => {
    const cancel = (): Turn => {
      world.loop("cancel");
      return { text: "Still not fixed." };
    };
    const { world, session } = await begin({ main: [{ text: "Done." }, cancel] });
    session.start(...CHECK);
    const run = await session.prompt("Fix it");
    expect(session.holds).toBe(1);
    expect(session.asked).toHaveLength(2);
    expect(run).toMatchObject({ exitCode: 0, result: { result: "Still not fixed." } });
    expect(session.loop).toMatchObject({ phase: "cancelled", iteration: 1 });
  });

  test("between two prompts frees the session too, and nothing is announced", async () => {
    const { world, session } = await begin({
      main: [{ text: "Done." }, { tools: [bash("ls")] }, { text: "Never mind." }],
    });
    session.start(...CHECK);
    const cut = await session.prompt("Fix it", { args: ["--max-turns", "2"] });
    expect(cut.result?.terminal_reason).toBe("max_turns");
    expect(session.loop).toMatchObject({ phase: "active", iteration: 1 });
    world.loop("cancel");
    const run = await session.prompt("Never mind");
    expect(run.result?.result).toBe("Never mind.");
    expect(session.asked.at(-1)?.newText).not.toContain("[LOOP RESUME]");
    expect(session.loop).toMatchObject({ phase: "cancelled", iteration: 1 });
  });

  test("and more budget are refused to the agent in one sentence, and journaled", async () => {
    const loosenings = ["loop cancel", "loop continue --budget=25"];
    const { session } = await begin({
      main: [
        { tools: loosenings.map(bash) },
        { text: "Then I stop." },
        { tools: [FIX] },
        { text: "Now it is." },
      ],
    });
    session.start(...CHECK);
    await session.prompt("Fix it");
    const refused = session.asked[1]?.toolResults ?? [];
    expect(refused.map(({ isError }) => isError)).toEqual([true, true]);
    for (const [index, what] of loosenings.entries()) {
      const lines = (refused[index]?.text ?? "").replace(/^Exit code 1\n/, "").split("\n");
      expect(lines).toEqual([expect.stringContaining(`\`${what}\` may only be run by the user`)]);
    }
    expect(session.eventsOf("loosening.refused")).toMatchObject(loosenings.map((what) => ({ what })));
    expect(session.holds).toBe(1);
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 1, budgetUsd: 25 });
  });
});

describe("a loop survives", () => {
  const announcement = [
    "[LOOP RESUME] Active loop detected",
    "Spec: Fix it",
    "Progress: 0/1 steps | Iteration: 1",
    "Unmet criteria: fixed",
    "Next: Mend the state",
  ].join("\n");
  const steps = ["-s", "Mend the state"];

  test("--resume: announced to the model, held as before, counted on", async () => {
    const { session } = await begin({
      main: [
        { text: "Done." },
        { tools: [bash("ls")] },
        { text: "Done again." },
        { tools: [FIX] },
        { text: "Now it is." },
      ],
    });
    session.start(...CHECK, ...steps);
    await session.prompt("Fix it", { args: ["--max-turns", "2"] });
    expect(session.loop).toMatchObject({ phase: "active", iteration: 1 });
    const run = await session.prompt("Go on");
    expect(session.asked[2]?.newText).toContain(announcement);
    expect(session.asked[3]?.newText).toContain(`${HELD}2/10]`);
    expect(run.result?.result).toBe("Now it is.");
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 2 });
  });

  test("a compaction in the middle of its work: announced again, still held", async () => {
    const { world, session } = await begin({
      main: [
        { text: "Done." },
        { tools: [bash("echo one")] },
        { tools: [bash("echo two")], usage: { input_tokens: 190_000 } },
        { text: "Done again." },
        { tools: [FIX] },
        { text: "Now it is." },
      ],
    });
    session.start(...CHECK, ...steps);
    const run = await session.prompt("Fix it", { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" } });
    expect(world.server.of("compaction")).toHaveLength(1);
    const after = session.asked.slice(3, 4).map(wholeText).join();
    expect(after).toContain("Scripted summary of the conversation.");
    expect(after).toContain(announcement);
    expect(session.asked[4]?.newText).toContain(`${HELD}2/10]`);
    expect(run.result?.result).toBe("Now it is.");
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 2 });
  });

  test("/compact: announced again, still held", async () => {
    const { world, session } = await begin({
      main: [
        { text: "Done." },
        { tools: [bash("ls")] },
        { text: "Done again." },
        { tools: [FIX] },
        { text: "Now it is." },
      ],
    });
    session.start(...CHECK, ...steps);
    await session.prompt("Fix it", { args: ["--max-turns", "2"] });
    await session.prompt("/compact");
    expect(world.server.of("compaction")).toHaveLength(1);
    expect(session.loop).toMatchObject({ phase: "active", iteration: 1 });
    const run = await session.prompt("Go on");
    const after = session.asked.slice(2, 3).map(wholeText).join();
    expect(after).toContain("Scripted summary of the conversation.");
    // Once by the compaction, once by the resume.
    expect(after.split(announcement)).toHaveLength(3);
    expect(session.asked[3]?.newText).toContain(`${HELD}2/10]`);
    expect(run.result?.result).toBe("Now it is.");
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 2 });
  });
});

test("a rate limit pauses, counts nothing, and ends with the next prompt", async () => {
  const limited = { status: 429, type: "rate_limit_error", message: "Try again later." };
  let resumed: StatusView | null = null;
  const look = (): Turn => {
    resumed = session.loop;
    return { text: "Done again." };
  };
  const { world, session } = await begin({ main: [{ text: "Done." }, { error: limited }] });
  session.start(...CHECK);
  const cut = await session.prompt("Fix it", { env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
  expect(cut.result).toMatchObject({ is_error: true, api_error_status: 429 });
  expect(session.loop).toMatchObject({ phase: "paused", reason: "rate-limit", iteration: 1 });

  world.server.play({ main: [look, { tools: [FIX] }, { text: "Now it is." }] });
  const run = await session.prompt("Go on");
  expect(resumed).toMatchObject({ phase: "active", iteration: 1 });
  expect(session.asked[3]?.newText).toContain(`${HELD}2/10]`);
  expect(run.result?.result).toBe("Now it is.");
  expect(session.loop).toMatchObject({ phase: "completed", iteration: 2 });
});

describe("a model that only talks", () => {
  const talk = Array.from({ length: 14 }, (_, index) => ({ text: `Answer ${index + 1}.` }));

  test("is paused before the host's cap, and its last words are kept", async () => {
    const { session } = await begin({ main: talk });
    session.start(...CHECK);
    const run = await session.prompt("Fix it");
    expect(session.holds).toBe(2);
    expect(session.loop).toMatchObject({ phase: "paused", reason: "no-progress", iteration: 2 });
    expect(run.result).toMatchObject({ result: "Answer 3.", is_error: false });
    expect(shown(run)).toContain("⏸ Paused: no-progress");
  });

  test("and in between looks around is not", async () => {
    const look = { tools: [bash("ls")] };
    const talkAndLook = [1, 2, 3, 4].flatMap((index) => [{ text: `Answer ${index}.` }, look]);
    const { session } = await begin({ main: [...talkAndLook, { tools: [FIX] }, { text: "Now it is." }] });
    session.start(...CHECK);
    const run = await session.prompt("Fix it");
    expect(session.holds).toBe(4);
    expect(run.result?.result).toBe("Now it is.");
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 4 });
  });
});

describe("words that end a loop count outside code only", () => {
  const cases = [
    { rule: "marker", mode: "loop", word: "<loop-complete>", end: { phase: "completed" } },
    ...["loop", "issue"].flatMap((mode) => [
      { rule: "signal", mode, word: "<loop-done>COMPLETE</loop-done>", end: { phase: "completed" } },
      {
        rule: "signal",
        mode,
        word: "<loop-done>STUCK</loop-done>",
        end: { phase: "paused", reason: "stuck" },
      },
      {
        rule: "signal",
        mode,
        word: "<loop-done>MAX_ITERATIONS</loop-done>",
        end: { phase: "paused", reason: "iterations" },
      },
    ]),
    {
      rule: "signal",
      mode: "issue",
      word: "<issue-complete>DONE</issue-complete>",
      end: { phase: "completed" },
    },
    {
      rule: "signal",
      mode: "grind",
      word: "<grind-done>NO_MORE_ISSUES</grind-done>",
      end: { phase: "completed" },
    },
    {
      rule: "signal",
      mode: "grind",
      word: "<grind-done>MAX_ISSUES</grind-done>",
      end: { phase: "paused", reason: "iterations" },
    },
  ];

  test.each(cases)("$rule, mode $mode: $word", async ({ rule, mode, word, end }) => {
    const inCode = `I would say:\n\n\`\`\`\n${word}\n\`\`\`\n\n    ${word}\n\nor \`${word}\`, or\n\n> ${word}\n`;
    const { world, session } = await begin({ main: [{ text: inCode }, { text: `It is so.\n\n${word}` }] });
    session.start("--exit-rule", rule, "--mode", mode, "--shape", "tool");
    const run = await session.prompt("Fix it");
    expect(session.holds).toBe(1);
    expect(session.asked).toHaveLength(2);
    expect(world.server.unplayed).toBe(0);
    expect(run.result?.result).toContain("It is so.");
    expect(session.loop).toMatchObject({ ...end, iteration: 1 });
  });
});

test("tasks of the client's own list hold until they are done", async () => {
  const create = (subject: string) => ({ name: "TaskCreate", input: { subject, description: subject } });
  const update = (taskId: string, status: string) => ({ name: "TaskUpdate", input: { taskId, status } });
  const { session } = await begin({
    main: [
      { tools: [create("Dig")] },
      { tools: [create("Fill")] },
      { text: "Planned." },
      { tools: [update("1", "completed"), update("2", "in_progress")] },
      { text: "Half." },
      { tools: [update("2", "completed")] },
      { text: "All." },
    ],
  });
  session.start("--exit-rule", "tasks", "--shape", "tool");
  const run = await session.prompt("Do it", { env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" } });
  expect(session.asked[3]?.newText).toMatch(/\[ITERATION 1\/10\][^\n]*\npending tasks: .*Dig, .*Fill\n/);
  expect(session.asked[5]?.newText).toMatch(/\[ITERATION 2\/10\][^\n]*\npending tasks: .*Fill\n/);
  expect(session.asked[5]?.newText).not.toContain("Dig");
  expect(session.asked).toHaveLength(7);
  expect(run.result?.result).toBe("All.");
  expect(session.loop).toMatchObject({
    phase: "completed",
    iteration: 2,
    tasks: [
      { id: "1", subject: "Dig", status: "completed" },
      { id: "2", subject: "Fill", status: "completed" },
    ],
  });
});

describe("a subagent", () => {
  const agent = (background: boolean) => ({
    name: "Agent",
    input: {
      description: "Look around",
      prompt: "Look around and report.",
      subagent_type: "general-purpose",
      run_in_background: background,
    },
  });

  test("is never held, the main one is", async () => {
    const { world, session } = await begin({
      main: [{ tools: [agent(false)] }, { text: "All done." }, { tools: [FIX] }, { text: "Now it is." }],
      subagents: [{ tools: [bash("ls")] }, { text: "Nothing to see." }],
    });
    session.start(...CHECK);
    const run = await session.prompt("Fix it");
    expect(world.server.of("subagent")).toHaveLength(2);
    expect(world.server.of("subagent").map(({ newText }) => newText.includes(HELD))).toEqual([false, false]);
    expect(session.asked[1]?.toolResults[0]?.text).toContain("Nothing to see.");
    expect(session.asked.map(({ newText }) => newText.includes(HELD))).toEqual([false, false, true, false]);
    expect(run.result?.result).toBe("Now it is.");
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 1 });
  });

  test("at work in the background lets the main one wait, which counts nothing", async () => {
    const { world, session } = await begin({
      main: [
        { tools: [agent(true)] },
        { text: "Waiting." },
        { text: "It is back." },
        { tools: [FIX] },
        { text: "Now it is." },
      ],
      subagents: [{ tools: [bash("sleep 2")] }, { text: "Nothing to see." }],
    });
    session.start(...CHECK);
    const run = await session.prompt("Fix it");
    expect(world.server.of("subagent")).toHaveLength(2);
    expect(session.asked[2]?.newText).toContain("<task-notification>");
    expect(session.asked.map(({ newText }) => newText.includes(HELD))).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    expect(run.result?.result).toBe("Now it is.");
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 1 });
  });
});

describe("a colleague", () => {
  const flags = [CHECK[0], CHECK[1], "-s", "Mend the state", "--shape", "colleague"];

  test("hands back after each iteration, and the next prompt goes on", async () => {
    const env = { CLAUDE_CODE_SESSION_ATTENDED: "1" };
    const { session } = await begin({
      main: [
        { text: "First part." },
        { tools: [bash("ls")] },
        { text: "Second part." },
        { tools: [FIX] },
        { text: "Now it is." },
      ],
    });
    session.start(...flags);
    for (const [index, prompt] of ["Fix it", "Go on"].entries()) {
      const run = await session.prompt(prompt, { env });
      expect(run.result?.result).toBe(index === 0 ? "First part." : "Second part.");
      expect(session.loop).toMatchObject({ phase: "active", iteration: index + 1 });
      expect(shown(run)).toContain(`Iteration ${index + 1}`);
      expect(shown(run)).toContain("Mend the state");
    }
    expect(session.asked[1]?.newText).toContain("[LOOP RESUME] Active loop detected");
    const last = await session.prompt("Go on", { env });
    expect(last.result?.result).toBe("Now it is.");
    expect(session.holds).toBe(0);
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 2 });
  });

  test("is held where nobody is there", async () => {
    const { session } = await begin({ main: [{ text: "Done." }, { tools: [FIX] }, { text: "Now it is." }] });
    session.start(...flags);
    const run = await session.prompt("Fix it", { env: { CLAUDE_CODE_SESSION_ATTENDED: "0" } });
    expect(session.holds).toBe(1);
    expect(run.result?.result).toBe("Now it is.");
  });
});

test("/loop:start as typed leads to a held loop, and /loop:cancel as typed ends it", async () => {
  const spec = "Fix state.txt, don't stop until check.sh passes";
  /** Does what the skill says, with what it filled in. */
  const obey = ({ newText }: RecordedRequest): Turn => {
    const taught = /^(loop start --session \S+) .* -f - <<'END_OF_SPEC'$/m.exec(newText)?.[1];
    const typed = /<command-args>(.*)<\/command-args>/.exec(newText)?.[1];
    const command = `${taught} -c 'fixed=sh check.sh' --shape tool -f - <<'END_OF_SPEC'\n${typed}\nEND_OF_SPEC`;
    return { tools: [bash(command)] };
  };
  const { session } = await begin({
    main: [
      obey,
      { text: "Done." },
      { tools: [bash("ls")] },
      { text: "It is cancelled." },
      { text: "I do something else." },
    ],
  });
  await session.prompt(`/loop:start ${spec}`, { args: ["--max-turns", "3"] });
  expect(session.asked[1]?.toolResults[0]?.text).toContain("[LOOP] Starting | Shape: Tool");
  expect(session.asked[2]?.newText).toContain(`${HELD}1/10]`);
  expect(session.loop).toMatchObject({ phase: "active", iteration: 1 });
  expect(session.loop.spec?.trim()).toBe(spec);

  await session.prompt("/loop:cancel", { permissionMode: "default" });
  expect(session.asked[3]?.newText).toContain("[LOOP] Cancelled: ");
  expect(session.loop).toMatchObject({ phase: "cancelled", iteration: 1 });
  expect((await session.prompt("Something else")).result?.result).toBe("I do something else.");
  expect(session.holds).toBe(1);
});

describe("cost", () => {
  /** Claude Opus 4.8, which this client takes by itself: dollars for a million tokens. */
  const RATES = {
    input_tokens: 5,
    output_tokens: 25,
    cache_creation_input_tokens: 6.25,
    cache_read_input_tokens: 0.5,
  };
  const usages: readonly Required<Usage>[] = [3, 5, 7, 11].map((factor) => ({
    input_tokens: 1_000 * factor,
    output_tokens: 2_000 * factor,
    cache_creation_input_tokens: 3_000 * factor,
    cache_read_input_tokens: 4_000 * factor,
  }));
  const dollars = (counted: readonly Required<Usage>[]): number =>
    counted
      .flatMap((usage) => Object.entries(RATES).map(([kind, rate]) => usage[kind as keyof Usage] * rate))
      .reduce((sum, each) => sum + each / 1_000_000, 0);
  const [first, second, third, fourth] = usages as [
    Required<Usage>,
    Required<Usage>,
    Required<Usage>,
    Required<Usage>,
  ];
  const helper: Turn = { text: "Scripted session", usage: { input_tokens: 0, output_tokens: 0 } };

  test("is the script's tokens times their price, subagents included", async () => {
    const { session } = await begin({
      helper,
      main: [
        { text: "Done.", usage: first },
        {
          usage: second,
          tools: [
            FIX,
            {
              name: "Agent",
              input: {
                description: "Look",
                prompt: "Look.",
                subagent_type: "general-purpose",
                run_in_background: false,
              },
            },
          ],
        },
        { text: "Now it is.", usage: third },
      ],
      subagents: [{ text: "Seen.", usage: fourth }],
    });
    session.start(...CHECK);
    const run = await session.prompt("Fix it");
    expect(session.asked[0]?.body.model).toBe("claude-opus-4-8");
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 1 });
    expect(session.loop.costUsd).toBeCloseTo(dollars(usages), 6);
    expect(run.result?.total_cost_usd).toBeCloseTo(dollars(usages), 6);
  });

  test("of a loop that is opened within the session begins there", async () => {
    const { session } = await begin({
      helper,
      main: [
        { usage: first, tools: [bash(`loop start 'Fix it' -c 'fixed=sh check.sh' --shape tool`)] },
        { text: "Done.", usage: second },
        { usage: third, tools: [FIX] },
        { text: "Now it is.", usage: fourth },
      ],
    });
    await session.prompt("Fix it");
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 1 });
    expect(session.loop.costUsd).toBeCloseTo(dollars([second, third, fourth]), 6);
  });

  test("of the first iteration above the budget pauses", async () => {
    const { session } = await begin({ helper, main: [{ text: "Done.", usage: first }] });
    session.start(...CHECK, "--budget", "0.10");
    const run = await session.prompt("Fix it");
    expect(session.asked).toHaveLength(1);
    expect(run.result?.result).toBe("Done.");
    expect(shown(run)).toContain("⏸ Paused: budget");
    expect(session.loop).toMatchObject({ phase: "paused", reason: "budget", iteration: 0, budgetUsd: 0.1 });
    expect(session.loop.costUsd).toBeCloseTo(dollars([first]), 6);
  });
});

test.each(["LOOP_DISABLE", "IDLE_LOOP_DISABLE"])(
  "%s=1 lets go, and without it the loop holds",
  async (name) => {
    const { session } = await begin({
      main: [{ text: "Done." }, { text: "Done." }, { tools: [FIX] }, { text: "Now it is." }],
    });
    session.start(...CHECK);
    await session.prompt("Fix it", { env: { [name]: "1" } });
    expect(session.asked).toHaveLength(1);
    expect(session.loop).toMatchObject({ phase: "active", iteration: 0 });
    await session.prompt("Go on");
    expect(session.holds).toBe(1);
    expect(session.loop).toMatchObject({ phase: "completed", iteration: 1 });
  },
);
