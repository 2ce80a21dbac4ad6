import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { codexAgent } from "./agents/codex.ts";
import { geminiCliAgent } from "./agents/gemini-cli.ts";
import { runClaude } from "./claude.ts";
import { DrivenWorld, words } from "./driven-world.ts";
import { codexClient } from "./hosts/codex.ts";
import { HostedWorld } from "./hosts/hosted-world.ts";
import { ModelServer, type Scenario } from "./model-server.ts";
import { CLI, bash } from "./world.ts";

const PLUGIN = join(dirname(CLI), "plugin");
const THREE = ["one", "two", "three"].map((name) => `-c '${name}=test -f ${name}.txt'`).join(" ");
const CHECKS = ["-c", "one=test -f one.txt", "-c", "two=grep -q second two.txt"];

/** Codex behind `loop run`, and Claude Code with the plugin, in one project with one home. */
async function bothIn(world: DrivenWorld, scenario: Scenario) {
  const server = await ModelServer.start(scenario);
  return {
    server,
    claude: (prompt: string, session: string, isNew: boolean) =>
      runClaude({
        project: world.project,
        home: world.home,
        server,
        prompt,
        pluginDir: PLUGIN,
        ...(isNew ? { sessionId: session } : { resume: session }),
        env: { XDG_STATE_HOME: world.env["XDG_STATE_HOME"] ?? "" },
      }),
  };
}

test("a loop of /loop:start in Claude Code is finished by loop run with Codex", async () => {
  const world = await DrivenWorld.create(codexAgent, [
    { write: "two.txt", text: "second\n" },
    { say: words("Both are there.", true) },
  ]);
  const opened = bash(
    `loop start "Write one.txt and two.txt" ${CHECKS.map((each) => `'${each}'`).join(" ")} --shape tool`,
  );
  const { server, claude } = await bothIn(world, {
    main: [
      { tools: [opened] },
      { tools: [bash("echo first > one.txt")] },
      { text: "The first is there." },
      { tools: [bash("loop blocked out of ideas")] },
      { text: "I am stuck." },
    ],
  });
  const session = randomUUID();
  try {
    await claude("/loop:start Write one.txt and two.txt", session, true);
    const before = await world.status();
    expect(before).toMatchObject({ phase: "paused", reason: "blocked", session, iteration: 1 });
    const spentInSession = before.costUsd ?? 0;
    expect(spentInSession).toBeGreaterThan(0);

    const ran = await world.run("--loop", before.id);
    expect(ran).toMatchObject({ code: 0 });
    const after = await world.status();
    expect(after).toMatchObject({ id: before.id, phase: "completed", confidence: "verified" });
    expect(after.iteration).toBe(1);
    expect(after.costUsd).toBeCloseTo(spentInSession + 2 * codexAgent.dollars(codexAgent.usage), 6);
    // The first prompt of the new agent has the whole task, and what is left of it.
    expect(world.model.heard[0]).toContain("Write one.txt and two.txt");
    expect(world.model.heard[0]).toContain("unmet criteria: two");

    // The old session is free: it stops when it likes.
    server.play({ main: [{ text: "Bye." }] });
    const asked = server.of("main").length;
    await claude("Anything else?", session, false);
    expect(server.of("main").length).toBe(asked + 1);
  } finally {
    await server.close();
  }
});

test("a loop of loop run with Codex is finished by /loop:continue in Claude Code", async () => {
  const world = await DrivenWorld.create(codexAgent, [
    { write: "one.txt", text: "first\n" },
    { say: words("The first is there.", false) },
  ]);
  const { server, claude } = await bothIn(world, {
    main: [
      { tools: [bash("loop continue --iterations=5")] },
      { tools: [bash("loop done")] },
      { text: "All done." },
      { tools: [bash("echo second > two.txt; loop done")] },
      { text: "Now it is." },
    ],
  });
  const session = randomUUID();
  try {
    expect(await world.run("Write one.txt and two.txt", ...CHECKS, "--iterations", "1")).toMatchObject({
      code: 3,
    });
    const before = await world.status();
    expect(before).toMatchObject({ phase: "paused", reason: "iterations", iteration: 1 });

    await claude("/loop:continue --iterations=5", session, true);
    const after = await world.status();
    expect(after).toMatchObject({ id: before.id, phase: "completed", session, iteration: 2 });
    expect(after.costUsd).toBeGreaterThan(before.costUsd ?? 0);
    // The false done was held, with what the check showed.
    const held = server.of("main").filter(({ newText }) => newText.includes("[ITERATION 2/6]"));
    expect(held).toHaveLength(1);
    expect(held[0]?.newText).toContain("unmet criteria: two");
  } finally {
    await server.close();
  }
});

test("a loop held in Claude Code is continued in Codex's session, then by loop run with Gemini CLI, and back", async () => {
  const world = await HostedWorld.installed(codexClient, []);
  const gemini = await geminiCliAgent.startModel([
    { write: "two.txt", text: "second\n" },
    { say: words("The second is there.", false) },
  ]);
  const server = await ModelServer.start({
    main: [
      { tools: [bash(`loop start "Write three files" ${THREE} --shape tool --iterations 3`)] },
      { tools: [bash("loop done")] },
      { text: "All done." },
      { tools: [bash("loop blocked out of ideas")] },
      { text: "I am stuck." },
    ],
  });
  const claude = (prompt: string, session: string, isNew: boolean) =>
    runClaude({
      project: world.project,
      home: world.home,
      server,
      prompt,
      pluginDir: PLUGIN,
      ...(isNew ? { sessionId: session } : { resume: session }),
      env: { XDG_STATE_HOME: world.env["XDG_STATE_HOME"] ?? "" },
    });
  const session = randomUUID();
  try {
    await claude("/loop:start Write three files", session, true);
    const held = await world.status();
    expect(held).toMatchObject({ phase: "paused", reason: "blocked", session, iteration: 1 });
    expect(held.costUsd).toBeGreaterThan(0);

    // In a session of Codex, on its user's word.
    world.model.play([
      { run: "loop continue" },
      { run: "echo first > one.txt; loop done" },
      { say: "All done." },
      { run: "loop blocked 'no further'" },
      { say: "I wait." },
    ]);
    expect(await world.prompt("loop:continue")).toMatchObject({ code: 0 });
    const inCodex = await world.status();
    expect(inCodex).toMatchObject({ id: held.id, phase: "paused", reason: "blocked", iteration: 2 });
    expect(inCodex.session).not.toBe(session);
    expect(world.model.heard.join("\n")).toContain("unmet criteria: two, three");
    // Codex doesn't say which model it was, so from here on dollars are "at most".
    expect(inCodex.tokens).toBeGreaterThan(held.tokens ?? 0);

    // From outside, by another agent, until its turns are up.
    const ran = await world.run(
      ["run", "--agent", "gemini-cli", "--loop", held.id, ...geminiCliAgent.permissive],
      {
        env: {
          ...geminiCliAgent.environment(world.home, gemini),
          PATH: `${geminiCliAgent.bin}:${world.env["PATH"]}`,
        },
      },
    );
    expect(ran).toMatchObject({ code: 3 });
    const driven = await world.status();
    expect(driven).toMatchObject({ id: held.id, phase: "paused", reason: "iterations", iteration: 3 });
    expect(driven.tokens).toBeGreaterThan(inCodex.tokens ?? 0);

    // And back to where it began.
    server.play({
      main: [
        { tools: [bash("loop continue --iterations=5")] },
        { tools: [bash("echo third > three.txt; loop done")] },
        { text: "All there." },
      ],
    });
    await claude("/loop:continue --iterations=5", session, false);
    const after = await world.status();
    expect(after).toMatchObject({ id: held.id, phase: "completed", confidence: "verified", session });
    expect(after.iteration).toBeGreaterThanOrEqual(3);
    expect(after.tokens).toBeGreaterThan(driven.tokens ?? 0);
    expect(after.criteria.map(({ status }) => status)).toEqual(["met", "met", "met"]);
  } finally {
    await server.close();
    await gemini.close();
  }
});
