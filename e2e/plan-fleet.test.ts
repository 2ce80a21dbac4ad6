import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { hasPostgres, startPrivatePostgres } from "../src/programs/demo/private-postgres.ts";
import { Driving } from "../test/support/driven.ts";
import { isFullEffort } from "../test/support/effort.ts";
import { until } from "../test/support/patience.ts";
import { expectCode, plan, writes, type Scripts } from "../test/support/plan-stage.ts";
import { claudeCodeAgent } from "./agents/claude-code.ts";
import { codexAgent } from "./agents/codex.ts";
import { cleanEnvironment } from "./claude.ts";
import { NODE_22 } from "./hosts/chat-clients.ts";
import { attemptOf, PlanWorld, talkOf } from "./plan-world.ts";
import { CLI } from "./world.ts";

const PLAN = plan(
  ["T-001", "test -f one.txt"],
  ["T-002", "test -f two.txt"],
  ["T-003", "test -f three.txt"],
  ["T-004", "test -f one.txt && test -f two.txt && test -f four.txt", "T-001", "T-002", "T-003"],
);

const SCRIPTS: Scripts = {
  "T-001": [writes("one.txt")],
  "T-002": [writes("two.txt")],
  "T-003": [writes("three.txt")],
  "T-004": [writes("four.txt")],
};

const LIMIT_SECONDS = 15;

/** The engine asks for it. */
const NODE = join(NODE_22, "node");

/** Where the driver runs: neither agent is there. */
const DRIVERS_PATH = `${NODE_22}:/usr/bin:/bin`;

test.runIf(isFullEffort && existsSync(NODE) && hasPostgres(process.env))(
  "Claude Code on one worker and Codex on another make one plan; the driver has neither, and Claude Code's usage limit is Codex's work",
  async () => {
    const world = new PlanWorld(PLAN);
    const played = talkOf(SCRIPTS);
    const asked: string[] = [];
    await world.use(claudeCodeAgent, async (conversation) => {
      const attempt = attemptOf(conversation);
      asked.push(`claude-code ${attempt}`);
      // All but the first task meets the limit.
      if (asked.includes("claude-code T-001-1") && attempt !== "T-001-1")
        return { fail: 429, headers: { "retry-after": String(LIMIT_SECONDS) } };
      return played(conversation);
    });
    await world.use(codexAgent, async (conversation) => {
      asked.push(`codex ${attemptOf(conversation)}`);
      return played(conversation);
    });
    const postgres = await startPrivatePostgres(process.env);
    onTestFinished(async () => postgres.end());

    const driversEnv = {
      ...cleanEnvironment(world.home),
      PATH: DRIVERS_PATH,
      LOOP_FLEET: postgres.url,
      LOOP_FLEET_LEASE: "10",
    };
    const drive = (...args: readonly string[]): Driving =>
      new Driving(NODE, [CLI, ...args], world.root, driversEnv);
    const key = /SHA256:\S+/.exec((await drive("fleet", "init").ended()).out)?.[0] ?? "";
    const workers = (["claude-code", "codex"] as const).map((agent) => {
      const folder = join(world.home, "workers", agent);
      mkdirSync(folder, { recursive: true });
      const clone = join(folder, "clone");
      world.git("clone", "-q", world.root, clone);
      const args = ["--accept", key, "--name", agent, "--agents", agent, "--slots", "1"];
      const env = {
        ...world.agentsEnv,
        PATH: `${NODE_22}:${world.agentsEnv["PATH"]}`,
        XDG_STATE_HOME: join(folder, "state"),
        LOOP_FLEET: postgres.url,
        LOOP_FLEET_LEASE: "10",
      };
      return new Driving(NODE, [CLI, "worker", ...args], clone, env);
    });
    const said = (): string => [...workers, ...runs].map(({ out, err }) => `${out}${err}`).join("\n");
    const runs: Driving[] = [];
    onTestFailed(() => void process.stderr.write(said()));
    await until(() => workers.every(({ out }) => out.includes("fleet trust")), "the workers to begin");
    for (const { out } of workers) {
      const [, name = "", its = ""] = /fleet trust (\S+) (SHA256:\S+)/.exec(out) ?? [];
      await drive("fleet", "trust", name, its).ended();
    }
    const run = drive(...world.plan("--agent", "claude-code", "--fallback", "codex"));
    runs.push(run);
    expectCode(await run.ended(), 0);

    expect(asked).toContain("claude-code T-001-1");
    expect(asked.filter((each) => each.startsWith("codex ")).length).toBeGreaterThan(0);
    expect(world.tasksOn("master").toSorted()).toEqual(["T-001", "T-002", "T-003", "T-004"]);
    expect(world.eventsOf("attempt.placed").map(({ worker }) => worker)).toEqual(
      expect.arrayContaining(["claude-code", "codex"]),
    );
    expect(world.git("status", "--porcelain")).toBe("");
    for (const { child } of workers) child.kill("SIGTERM");
    await Promise.all(workers.map(async (each) => each.ended()));
    expect(await world.processesLeft()).toEqual([]);
  },
  600_000,
);
