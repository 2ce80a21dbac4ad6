import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { PATIENCE_MS } from "../test/support/patience.ts";
import { WHOLE_FILES, expectWorked } from "../test/support/whole-story.ts";
import { WorkflowStage } from "../test/support/workflow-stage.ts";
import { ASKED, ClaudeTerminal } from "./claude-terminal.ts";
import { missingTmux } from "./terminal.ts";
import { ModelServer, type RecordedRequest, type Turn } from "./model-server.ts";
import { leads, works } from "./session-agents.ts";
import { CLI, bash } from "./world.ts";

/** The whole way of a vague sentence in the real client's terminal, where a person answers every question. */
const PLUGIN = join(dirname(CLI), "plugin");
const SPEC = "Make the cart better";
const OPENING = `loop start --workflow --iterations 50 -f - <<'END_OF_SPEC'\n${SPEC}\nEND_OF_SPEC`;

/** Enough to go on, and too little to go on without questions. */
const SAID = "1B, 2A";

/** The session's agent asks what it is told to ask, and passes the answers on. */
function asks(request: RecordedRequest): Turn {
  const { newText, toolResults } = request;
  const heard = [newText, ...toolResults.map(({ text }) => text)].join("\n");
  if (newText.includes("# Loop\n")) return { tools: [bash(OPENING)] };
  if (newText.includes(SAID)) return { tools: [bash(`loop answer '${SAID}'`)] };
  if (newText.includes("fix it, please")) return { tools: [bash("loop review resolve F-1 fix")] };
  if (heard.includes("they are asked whether to go on")) return { text: "Please have a look." };
  if (heard.includes("Ask the user about each"))
    return { text: "Shall F-1 be fixed, accepted or dismissed?" };
  if (heard.includes("All findings are settled")) return { text: "It is settled." };
  return leads(request);
}

const LOOK_MS = 200;

/** Somebody who sits at the terminal, and whose client may be killed under their hands. */
class Person {
  readonly #stage: WorkflowStage;
  readonly #server: ModelServer;
  readonly #session = randomUUID();
  #terminal: ClaudeTerminal | null = null;
  kills = 0;

  constructor(stage: WorkflowStage, server: ModelServer) {
    this.#stage = stage;
    this.#server = server;
  }

  get #at(): ClaudeTerminal {
    if (this.#terminal === null) throw new Error("nobody sits at a terminal");
    return this.#terminal;
  }

  async sitDown(): Promise<void> {
    const { root: project, home } = this.#stage;
    const which = this.#terminal === null ? ["--session-id", this.#session] : ["--resume", this.#session];
    this.#terminal = await ClaudeTerminal.start({
      project,
      home,
      server: this.#server,
      pluginDir: PLUGIN,
      args: ["--permission-mode=bypassPermissions", ...which],
      env: { npm_config_update_notifier: "false" },
    });
  }

  /** Allows what they are asked to allow, until they see this. */
  async sees(pattern: RegExp): Promise<string> {
    const limit = Date.now() + 3 * PATIENCE_MS;
    for (;;) {
      const screen = this.#at.screen();
      if (ASKED.test(screen)) this.#at.press("Enter");
      else if (pattern.test(screen)) return screen;
      if (Date.now() > limit) throw new Error(`never saw ${String(pattern)}:\n${screen}`);
      await sleep(LOOK_MS);
    }
  }

  /** Says yes to whatever is asked from now on. */
  async goesOnUntil(pattern: RegExp): Promise<string> {
    const questions = (screen: string): number => screen.match(/Continue\? \[Y\/n\]/g)?.length ?? 0;
    for (;;) {
      const before = questions(this.#at.screen());
      const screen = await this.sees(
        new RegExp(`${pattern.source}|(?:Continue\\? \\[Y/n\\][^]*){${before + 1}}`),
      );
      if (pattern.test(screen)) return screen;
      await this.types("y");
    }
  }

  async types(line: string): Promise<void> {
    await this.#at.type(line);
  }

  /** Their client dies, and they go on with the same conversation. */
  async losesClient(): Promise<void> {
    await this.#at.end();
    this.kills += 1;
    await this.sitDown();
  }

  async leaves(): Promise<void> {
    await this.#terminal?.end();
  }

  /** What is on the screen, with its colours. */
  picture(): string {
    return this.#at.picture();
  }
}

test.skipIf(missingTmux() !== null)(
  "a person at the terminal answers every question from a vague sentence to the verdict, and loses the client in every stage",
  async () => {
    const server = await ModelServer.start({
      rest: asks,
      subagents: Array.from({ length: 400 }, () => works),
    });
    onTestFinished(async () => server.close());
    const stage = new WorkflowStage(WHOLE_FILES);
    mkdirSync(join(stage.home, "state", "loopwright", "worktrees"), { recursive: true });
    const person = new Person(stage, server);
    onTestFinished(async () => person.leaves());

    await person.sitDown();
    await person.types(`/loop:start ${SPEC}`);
    await person.sees(/Which of these do you mean\?/);
    await person.losesClient();
    await person.types(SAID);
    expect(await person.sees(/\[LOOP\] Shape \|[^]*Continue\? \[Y\/n\]/)).toMatch(/tests pass: npm run test/);
    await person.losesClient();
    await person.types("y");
    expect(await person.sees(/\[LOOP\] Plan \|[^]*Continue\? \[Y\/n\]/)).toContain("Wave 1: T-001 ");
    await person.losesClient();
    await person.types("y");
    await person.sees(/✓ Wave 1 complete[^]*Continue\? \[Y\/n\]/);
    await person.losesClient();
    await person.types("y");
    await person.sees(/Progress: 3\/3[^]*Continue\? \[Y\/n\]/);
    await person.types("y");
    await person.sees(/Shall F-1 be fixed, accepted or dismissed\?/);
    await person.losesClient();
    await person.types("fix it, please");
    const ended = await person.goesOnUntil(/<\/loop-complete>/);

    expect(ended).toMatch(/SHIP[^]*Review: passed, 9\/10 in round 2[^]*↳ Alt: [^]*↳ Risk: /);
    expect(person.kills).toBe(5);
    expectWorked(stage);
    expect(stage.eventsOf("attempt.set-back").length).toBeGreaterThan(0);
    expect(stage.eventsOf("counsel.given")).toMatchObject([{ task: "T-001", agent: "claude-code" }]);
    const [first] = stage.eventsOf("work.reviewed");
    expect(first?.panel?.map(({ perspective }) => perspective)).toContain("correctness");
    expect(stage.eventsOf("finding.resolved")).toMatchObject([{ finding: "F-1", how: "task", task: "R-1" }]);
    const { RECORD_SESSION } = process.env;
    if (RECORD_SESSION !== undefined) writeFileSync(RECORD_SESSION, person.picture());
  },
  900_000,
);
