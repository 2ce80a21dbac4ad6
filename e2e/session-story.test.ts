import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { isFullEffort } from "../test/support/effort.ts";
import { WHOLE_FILES, expectWorked, type Moment } from "../test/support/whole-story.ts";
import { WorkflowStage } from "../test/support/workflow-stage.ts";
import { runClaude, type ClaudeRun } from "./claude.ts";
import { ModelServer } from "./model-server.ts";
import { ANSWERS, leads, works } from "./session-agents.ts";
import { CLI } from "./world.ts";

/** The whole way of a vague spec inside the real client, which is killed in every stage and resumed. */
const PLUGIN = join(dirname(CLI), "plugin");

/** The process that judges the gate is killed with its client. */
const IN_THE_GATE = "in the gate";
type Kill = Moment | typeof IN_THE_GATE;

/** After the last one the hook outlives its client: it delivers, and finds nobody to tell. */
const KILLS: readonly (readonly [...Moment, usual: boolean] | typeof IN_THE_GATE)[] = [
  ["loop.opened", 1, false],
  ["intent.settled", 1, false],
  ["shape.drawn", 1, true],
  ["plan.adopted", 1, false],
  ["attempt.started", 1, false],
  ["attempt.set-back", 1, false],
  ["counsel.given", 1, false],
  ["attempt.started", 2, false],
  ["attempt.finished", 1, false],
  ["wave.ended", 1, false],
  ["wave.reviewed", 1, false],
  ["work.reviewed", 1, true],
  ["plan.extended", 1, false],
  ["work.reviewed", 2, false],
  IN_THE_GATE,
  ["gate.judged", 1, false],
];

class Session {
  readonly stage = new WorkflowStage(WHOLE_FILES);
  readonly #id = randomUUID();
  readonly #server: ModelServer;
  #hasBegun = false;
  #hasKilledGate = false;

  constructor(server: ModelServer) {
    this.#server = server;
    mkdirSync(this.#worktrees, { recursive: true });
  }

  async prompt(prompt: string, kill: Kill | null): Promise<ClaudeRun> {
    const which = this.#hasBegun ? { resume: this.#id } : { sessionId: this.#id };
    this.#hasBegun = true;
    const run = await runClaude({
      project: this.stage.root,
      home: this.stage.home,
      server: this.#server,
      prompt,
      pluginDir: PLUGIN,
      ...which,
      timeLimitMs: 240_000,
      // As a user would: edits are accepted, also below the folder that `loop start` names.
      permissionMode: "acceptEdits",
      args: ["--include-hook-events", "--allowedTools", "Bash(loop:*)", "--add-dir", this.#worktrees],
      // The checks run npm, which would ask for its own news.
      env: { npm_config_update_notifier: "false" },
      killWhen: () => kill !== null && this.isAt(kill),
    });
    onTestFailed(
      () => void process.stderr.write(`${prompt} (killed: ${String(kill)})\n${run.stdout.slice(-8_000)}\n`),
    );
    const { outside } = this.#server;
    if (run.timedOut || outside.length > 0) throw new Error(`timed out, or reached for: ${outside.join()}`);
    return run;
  }

  isPast(kill: Kill): boolean {
    return kill === IN_THE_GATE ? this.#hasKilledGate : this.count(kill[0]) >= kill[1];
  }

  isAt(kill: Kill): boolean {
    if (kill === IN_THE_GATE) this.#killGate();
    return this.isPast(kill);
  }

  /** After the last review, whoever judges at a stop judges the gate. */
  #killGate(): void {
    if (this.count("work.reviewed") < 2) return;
    const locks = join(this.stage.home, "state", "loopwright", "loops");
    for (const lock of readdirSync(locks)) {
      const note = runningNote(join(locks, lock, "checking.json"));
      if (note === null) continue;
      process.kill(note.pid, "SIGKILL");
      this.#hasKilledGate = true;
    }
  }

  count(type: Moment[0]): number {
    return this.stage.workflows.length === 0 ? 0 : this.stage.eventsOf(type).length;
  }

  get #worktrees(): string {
    return join(this.stage.home, "state", "loopwright", "worktrees");
  }
}

/** Who judges now; null: nobody does. */
function runningNote(path: string): { readonly pid: number } | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { readonly pid: number };
  } catch {
    return null;
  }
}

test("Claude Code asks its user about a vague spec, and its subagents bring it through every stage", async () => {
  const subagents = Array.from({ length: 400 }, () => works);
  const server = await ModelServer.start({ rest: leads, subagents });
  onTestFinished(async () => server.close());
  const session = new Session(server);
  const { stage } = session;
  const kills = KILLS.filter((kill) => isFullEffort || (kill !== IN_THE_GATE && kill[2])).map((kill): Kill =>
    kill === IN_THE_GATE ? kill : [kill[0], kill[1]],
  );
  const killed: Kill[] = [];
  let prompt = "/loop:start Make the cart better";
  let told = "";
  // It may have been completed when nobody was left to hear it; the next session is told.
  for (let runs = 0; !told.includes("<loop-complete>"); runs += 1) {
    expect(runs).toBeLessThan(kills.length + 4);
    const kill = kills.find((each) => !session.isPast(each)) ?? null;
    const run = await session.prompt(prompt, kill);
    if (run.signal === "SIGKILL" && kill !== null) killed.push(kill);
    told = run.stdout;
    prompt = run.result?.result === "Which of these do you mean?" ? ANSWERS : "Go on.";
  }

  expect(told).toMatch(/<loop-complete>.*SHIP.*Review: passed, 9\/10 in round 2.*<\/loop-complete>/);
  expect(told.includes("was completed meanwhile")).toBe(killed.some(([type]) => type === "gate.judged"));
  expect(killed.includes(IN_THE_GATE)).toBe(isFullEffort);
  // Two moments may be so close that one kill is after both.
  expect(killed.length).toBeGreaterThanOrEqual(Math.ceil(kills.length / 2));
  expectWorked(stage);
  expect(stage.eventsOf("intent.settled")).toMatchObject([{ by: "agent" }]);
  expect(stage.eventsOf("intent.settled")[0]?.spec).toContain("Only src/cart.mjs");
  expect(stage.eventsOf("wave.reviewed")[0]).toMatchObject({ wave: 1, score: 7, agent: "claude-code" });
}, 900_000);
