import { expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const S = "session-one";
const ATTENDED = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S, CLAUDE_CODE_ENTRYPOINT: "cli" };
const SPEC = "refactor all API routes to use validation middleware";

const scored = (sandbox: Sandbox, env: NodeJS.ProcessEnv): string =>
  sandbox.loopWith({ env }, "score", SPEC).out;

test("a user who is there is asked once for the task list, the iterations and the budget", () => {
  const sandbox = new Sandbox({ "app.js": "" });
  const printed = scored(sandbox, ATTENDED);
  expect(printed).toContain("one AskUserQuestion with three questions");
  for (const flag of ["--task-list=new", "iterations (10, 25, 50)", "budget (25, 10, 50 dollars)"])
    expect(printed).toContain(flag);
});

test.each([
  ["a user who typed one of them", ATTENDED, "/loop:start --budget=5 do it"],
  ["a user who isn't there", { ...ATTENDED, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, "do it"],
  ["a person in a terminal", {}, "do it"],
  ["a user whose environment says it", { ...ATTENDED, LOOP_BUDGET: "5" }, "do it"],
])("%s is asked nothing at the start of a session's loop", (_, env, prompt) => {
  const sandbox = new Sandbox({ "app.js": "" });
  sandbox.event("user-prompt-submit", S, { prompt });
  expect(scored(sandbox, env)).not.toContain("AskUserQuestion");
});

const OTHER = "session-two";

/** A plain loop of another session, which was paused there. */
function withPausedLoop(): { readonly sandbox: Sandbox; readonly id: string } {
  const sandbox = new Sandbox({ "app.js": "" });
  const { id } = sandbox.start(OTHER, "Write more.txt", "-c", "more=test -f more.txt");
  expect(sandbox.loop("pause").code).toBe(0);
  return { sandbox, id };
}

test("a user who is there is asked first what shall become of an unfinished plain loop", () => {
  const { sandbox, id } = withPausedLoop();
  const printed = scored(sandbox, ATTENDED);
  expect(printed).toContain(`Unfinished here: ${id} (paused: user): Write more.txt.`);
  for (const choice of [
    `resume it (they type /loop:continue --loop=${id})`,
    `see its status (loop status --loop ${id}, then ask again)`,
    `start fresh (they type /loop:start --start-fresh --loop=${id} SPEC)`,
    "keep both",
  ])
    expect(printed).toContain(choice);
  expect(printed.indexOf("Unfinished here")).toBeLessThan(printed.indexOf("Before you start"));
});

test.each([
  ["who typed what shall become of it", ATTENDED, "/loop:start --start-fresh do it"],
  ["who isn't there", { ...ATTENDED, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, "do it"],
])("a user %s isn't asked about an unfinished plain loop", (_, env, prompt) => {
  const { sandbox } = withPausedLoop();
  sandbox.event("user-prompt-submit", S, { prompt });
  expect(scored(sandbox, env)).not.toContain("Unfinished here");
});

test("a loop that another session works on, and the session's own, are nothing unfinished", () => {
  const sandbox = new Sandbox({ "app.js": "" });
  sandbox.start(OTHER, "Write more.txt", "-c", "more=test -f more.txt");
  sandbox.start(S, "Write one.txt", "-c", "one=test -f one.txt");
  expect(scored(sandbox, ATTENDED)).not.toContain("Unfinished here");
});

test.each([
  ["--iterations", "none", { iterationLimit: null }],
  ["--budget", "250", { budgetUsd: 250 }],
])(
  "beyond the bounds, %s %s is what a session's user types, and not what its agent chooses",
  (flag, value, set) => {
    const sandbox = new Sandbox({ "app.js": "" });
    const start = () => sandbox.loopWith({ env: ATTENDED }, "start", SPEC, flag, value);
    expect(start()).toMatchObject({ code: 1 });
    expect(start().err).toContain(`or typed in this session as /loop:start ${flag}=${value}`);
    sandbox.event("user-prompt-submit", S, {
      prompt: `/loop:start ${flag}=${value} ${SPEC}`,
      prompt_id: "1",
    });
    expect(start()).toMatchObject({ code: 0 });
    expect(sandbox.only()).toMatchObject(set);
  },
);

test("what a session's user chose, its agent may pass on", () => {
  const sandbox = new Sandbox({ "app.js": "" });
  const ran = sandbox.loopWith({ env: ATTENDED }, "start", SPEC, "--iterations", "25", "--budget", "50");
  expect(ran).toMatchObject({ code: 0 });
  expect(sandbox.only()).toMatchObject({ iterationLimit: 25, budgetUsd: 50 });
});
