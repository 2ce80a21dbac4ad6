/* oxlint-disable vitest/no-standalone-expect -- they are in tests that need a terminal */
import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { ASKED, ClaudeTerminal } from "./claude-terminal.ts";
import { missingTmux } from "./terminal.ts";
import type { RecordedRequest, Turn } from "./model-server.ts";
import { CLI, World, bash } from "./world.ts";

const PLUGIN = join(dirname(CLI), "plugin");
const hasTerminal = missingTmux() === null;

/** A session with a person at its terminal, whose model answers by what it hears. */
async function sitDown(
  answer: (heard: string) => Turn,
  args: readonly string[],
): Promise<{ readonly world: World; readonly terminal: ClaudeTerminal }> {
  const world = await World.create(
    { "state.txt": "broken\n" },
    { rest: ({ newText }: RecordedRequest) => answer(newText) },
  );
  const { project, home, server } = world;
  const terminal = await ClaudeTerminal.start({ project, home, server, pluginDir: PLUGIN, args });
  onTestFinished(() => terminal.end());
  return { world, terminal };
}

/** What the model heard of the tools that it called when it was asked to. */
function resultsOf({ server }: World): string {
  return server
    .of("main")
    .flatMap(({ toolResults }) => toolResults.map(({ text }) => text))
    .join("\n");
}

test.runIf(hasTerminal)(
  "a typed /loop:pause stops an agent at work, which no hold keeps from it",
  async () => {
    const session = randomUUID();
    const { world, terminal } = await sitDown(
      (heard) => {
        if (heard.includes("get to work")) return { tools: [bash("sleep 6")] };
        return heard.includes("[LOOP] ⏸ Paused: user") ? { text: "It pauses." } : { text: "Not yet." };
      },
      ["--permission-mode=bypassPermissions", `--session-id=${session}`],
    );
    world.loop(
      "start",
      "Fix it",
      "-c",
      "fixed=grep -q fixed state.txt",
      "--shape",
      "tool",
      "--session",
      session,
    );
    await terminal.type("get to work");
    await terminal.until(/sleep 6|Running/);
    await terminal.type("/loop:pause");

    await terminal.until(/It pauses\./);
    expect(world.loops()).toMatchObject([{ phase: "paused", reason: "user", iteration: 0 }]);
  },
);

test.runIf(hasTerminal)("hooks cannot be switched off while a loop holds the session", async () => {
  const session = randomUUID();
  const { world, terminal } = await sitDown(
    (heard) => ({ text: heard.includes("[ITERATION") ? "Held." : "Done." }),
    ["--permission-mode=bypassPermissions", `--session-id=${session}`],
  );
  const check = "fixed=grep -q fixed state.txt";
  world.loop("start", "Fix it", "-c", check, "--shape", "tool", "--iterations", "1", "--session", session);
  writeFileSync(join(world.home, ".claude", "settings.json"), JSON.stringify({ disableAllHooks: true }));
  // Newer clients show the refusal; for an older one, settings are taken at its next start.
  await sleep(3_000);
  await terminal.type("get to work");
  await terminal.until(/Held\./);
  expect(world.loops()).toMatchObject([{ iteration: 1 }]);
});

test.runIf(hasTerminal)("words of persistence keep a loop going although a person is there", async () => {
  const spec = "Fix total() in state.txt; keep going until tests pass";
  const start = `loop start --session "$CLAUDE_CODE_SESSION_ID" -c 'tests pass=grep -q fixed state.txt' -f - <<'END'\n${spec}\nEND`;
  const { world, terminal } = await sitDown(
    (heard) => {
      if (heard.includes(`<command-args>${spec}`)) return { tools: [bash(start)] };
      if (heard.includes("[ITERATION 1/")) return { tools: [bash("echo fixed > state.txt; loop done")] };
      return { text: heard.includes("[ITERATION") ? "Again." : "Done what I can." };
    },
    ["--permission-mode=bypassPermissions"],
  );
  await terminal.type(`/loop:start ${spec}`);
  // What the agent brings in is asked about in every mode.
  expect(await terminal.until(ASKED)).toContain("[LOOP] This is yours to decide");
  await terminal.allow();

  await terminal.until(/\[LOOP\] ✓/);
  expect(terminal.screen()).toMatch(/Doesn't ask: you said "keep\s+going"/);
  const heard = world.server.of("main").map(({ newText }) => newText);
  expect(heard.join("\n")).toContain("For the user, to stop this: Esc, then /loop:pause");
  expect(world.loops()).toMatchObject([{ phase: "completed", shape: "tool", iteration: 1 }]);
});

test.runIf(hasTerminal)(
  "harmless commands are never asked about, in whichever turn, and others always",
  async () => {
    const lines: { readonly [asked: string]: string } = {
      look: "loop status",
      "look again": "loop check",
      more: "loop check; touch pwned",
      other: "cd . && loop start 'Do it'",
      path: "./bin/loop start 'Do it'",
    };
    const { world, terminal } = await sitDown(
      (heard) => {
        const line = Object.entries(lines).find(([asked]) => heard.includes(`please ${asked}.`))?.[1];
        return line === undefined ? { text: `Over ${heard.length}.` } : { tools: [bash(line)] };
      },
      ["--permission-mode=default"],
    );
    await terminal.type("please look.");
    await terminal.until(/Over \d+/);
    await terminal.type("please look again.");
    await terminal.until(/Over \d+[\s\S]*Over \d+/);
    expect(resultsOf(world)).toContain("No loop is open");
    expect(terminal.screen()).not.toMatch(ASKED);

    await terminal.type("please more.");
    await terminal.until(ASKED);
    await terminal.answer(ASKED, "Escape");
    await terminal.type("please other.");
    await terminal.until(/\[LOOP\] This is yours to decide/);
    await terminal.answer(ASKED, "Escape");
    terminal.clear();
    await terminal.type("please path.");
    await terminal.until(/\[LOOP\] This is yours to decide/);
    await terminal.answer(ASKED, "Escape");
    expect(existsSync(join(world.project, "pwned"))).toBe(false);
    expect(world.loops()).toEqual([]);
  },
);

test.runIf(hasTerminal)(
  "the loop's own checks are run by its agent as they are without a question, and other lines are asked about",
  async () => {
    const session = randomUUID();
    const lines: { readonly [asked: string]: string } = {
      test: "node check.js",
      more: "node check.js --more",
    };
    const { world, terminal } = await sitDown(
      (heard) => {
        const line = Object.entries(lines).find(([asked]) => heard.includes(`please ${asked}.`))?.[1];
        return line === undefined ? { text: `Over ${heard.length}.` } : { tools: [bash(line)] };
      },
      ["--permission-mode=default", `--session-id=${session}`],
    );
    writeFileSync(
      join(world.project, "check.js"),
      "console.log('seen', process.argv.length); process.exit(1);",
    );
    const check = ["-c", "fixed=node check.js"];
    world.loop("start", "Fix it", ...check, "--shape", "colleague", "--session", session);

    await terminal.type("please test.");
    await terminal.until(/Over \d+/);
    expect(resultsOf(world)).toContain("seen 2");
    expect(terminal.screen()).not.toMatch(ASKED);
    await terminal.type("please more.");
    await terminal.until(ASKED);
    await terminal.answer(ASKED, "Escape");
    expect(resultsOf(world)).not.toContain("seen 3");
  },
);

test.runIf(hasTerminal)(
  "a blocked agent's question is answered with /loop:continue, in the words that were typed",
  async () => {
    const session = randomUUID();
    const works = `loop continue --session ${session} && echo fixed > state.txt && loop done`;
    const { world, terminal } = await sitDown(
      (heard) => {
        if (heard.includes("get to work")) return { tools: [bash("loop blocked 'which port?'")] };
        if (heard.includes("8080, as in docs")) return { tools: [bash(works)] };
        return { text: `Over ${heard.length}.` };
      },
      ["--permission-mode=bypassPermissions", `--session-id=${session}`],
    );
    const check = ["-c", "fixed=grep -q fixed state.txt"];
    world.loop("start", "Set the port", ...check, "--shape", "tool", "--session", session);
    await terminal.type("get to work");
    await terminal.until(/Paused: blocked[\s\S]*Answer: \/loop:continue YOUR ANSWER/);
    await terminal.type("/loop:continue 8080, as in docs/ports.md");

    await terminal.until(/\[LOOP\] ✓/);
    expect(world.loops()).toMatchObject([{ phase: "completed" }]);
    expect(world.loop("log")).toContain("8080, as in docs/ports.md");
  },
);
