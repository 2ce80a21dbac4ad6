import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { SessionId } from "../../src/core/loop/id.ts";
import type { AgentEnding, Driver, AgentEvent, Turn, TurnReport } from "../../src/agents/drivers/driver.ts";
import { runAgentProcess } from "../../src/system/process/agent-process.ts";
import type { AgentProcessOutcome } from "../../src/system/process/agent-process.ts";
import { redactorOf, renderOutput } from "../../src/system/secrets/redact.ts";
import { agentEnvironment } from "../../src/engine/run/run-agent.ts";
import { CLI } from "../world.ts";
import type { Move, ScriptedAgent, ScriptedModel } from "./agent.ts";
import { PATIENT } from "../../test/support/patience.ts";

/** A real client in a project of its own, started and read by its driver, with a home that is gone afterwards. */
export interface DriverStage<Model extends ScriptedModel> {
  readonly model: Model;
  read(path: string): string;
  /** One turn of the client, as `loop run` would have it. */
  turn(moves: readonly Move[], turn?: Partial<Turn>): Promise<PlayedTurn>;
  /** One that is ended by a signal to the client, from somebody else, once the model was asked. */
  endedTurn(): Promise<PlayedTurn>;
}

export interface PlayedTurn {
  readonly report: TurnReport;
  readonly seen: readonly AgentEvent[];
}

/** Two turns fit into the time of a test, so that the client is ended before its test is. */
const TIME_LIMIT_MS = 50_000;

/** Every turn is `usual`, but for what a test says of it. */
export async function setDriverStage<Model extends ScriptedModel>(
  driver: Driver,
  agent: ScriptedAgent<Model>,
  usual: Partial<Turn>,
): Promise<DriverStage<Model>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `loopwright-${agent.id}-`)));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  mkdirSync(home);
  mkdirSync(project);
  const model = await agent.startModel([]);
  onTestFinished(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const path = [agent.bin, dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  const env = { ...agent.environment(home, model), PATH: path, HOME: home };
  const play = (turn: Partial<Turn>, onStart: OnStart = () => {}): Promise<PlayedTurn> =>
    playTurn(driver, { ...plainTurn(folder), ...usual, ...turn }, project, env, onStart);

  return {
    model,
    read: (file) => readFileSync(join(project, file), "utf8"),
    turn(moves, turn = {}) {
      model.play(moves);
      return play(turn);
    },
    async endedTurn() {
      const before = model.played;
      let group = 0;
      model.play([{ hang: true }]);
      const asked = vi.waitUntil(() => model.played > before, PATIENT);
      const [played] = await Promise.all([
        play({}, (groupLeader) => (group = groupLeader)),
        asked.then(() => process.kill(-group, "SIGTERM")),
      ]);
      return played;
    },
  };
}

function plainTurn(folder: string): Turn {
  return {
    prompt: "Do the work.",
    conversation: null,
    freshConversation: randomUUID(),
    reportedUsd: null,
    model: null,
    permissionMode: null,
    allow: [],
    checks: [],
    args: [],
    subagents: null,
    budgetUsd: null,
    folder,
  };
}

/** Hears of the client's process group. */
type OnStart = (groupLeader: number) => void;

async function playTurn(
  driver: Driver,
  turn: Turn,
  project: string,
  env: { readonly [name: string]: string },
  onStart: OnStart,
): Promise<PlayedTurn> {
  const run = `run-${randomUUID()}` as SessionId;
  const launch = driver.command(turn);
  const reader = driver.readStream(turn);
  const seen: AgentEvent[] = [];
  const outcome = await runAgentProcess({
    command: launch.command,
    cwd: project,
    env: agentEnvironment(env, { run, root: project, programs: join(dirname(CLI), "bin"), launch }),
    stdin: launch.stdin,
    runId: run,
    onLine: (line) => seen.push(...reader.line(line)),
    silenceLimitMs: null,
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
    guard(groupLeader) {
      onStart(groupLeader);
      return () => {};
    },
  });
  return { report: reader.end(endingOf(outcome), Date.now()), seen };
}

/** What a loop remembers of a turn for the next one in the same conversation. */
export function carriedOver({ conversation, reportedUsd, reportedUsage = null }: TurnReport): Partial<Turn> {
  return { conversation, reportedUsd, reportedUsage };
}

function endingOf({ ending, ...outcome }: AgentProcessOutcome): AgentEnding {
  const stderr = renderOutput(outcome.stderr, redactorOf([]));
  if (ending.type === "exited" || ending.type === "signalled") return { ...ending, stderr };
  throw new Error(`The client came to no end of its own: ${JSON.stringify(ending)} ${stderr}`);
}
