import type { Trouble } from "../../core/stop/trouble.ts";
import type {
  AgentEnding,
  Driver,
  AgentEvent,
  StreamReader,
  Turn,
  Launch,
} from "../../agents/drivers/driver.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { runAgentProcess, type AgentProcessEnding } from "../../system/process/agent-process.ts";
import type { Guardian } from "../../system/process/guardian.ts";
import { renderOutput, type Redact } from "../../system/secrets/redact.ts";
import { durationText } from "../../system/text/quantities.ts";
import { keepEnding, outputKeeper, type KeptEnding, type TurnFolder } from "./turn-folder.ts";
import { delimiter, join, parse } from "node:path";
import type { SessionId } from "../../core/loop/id.ts";
import type { CommandLine } from "../../core/loop/criterion.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";

interface AgentRun {
  readonly machine: Pick<Machine, "env" | "now">;
  readonly driver: Driver;
  readonly turn: Turn;
  /** Keeps what it prints, and how it ended. */
  readonly folder: TurnFolder;
  /** Where it is started. */
  readonly cwd: string;
  readonly surroundings: Omit<Surroundings, "launch">;
  readonly redact: Redact;
  /** As the agent printed it; a view redacts it again. */
  readonly see: (agentEvent: AgentEvent) => void;
  readonly silenceLimitMs: number;
  readonly signal: AbortSignal;
  /** Why it was ended by `signal`; null if it wasn't. */
  readonly cause: () => Trouble | null;
  readonly guardian: Guardian;
}

/** What is needed for a report. */
export interface RanAgent {
  readonly reader: StreamReader;
  readonly kept: KeptEnding;
}

/** Runs the agent for one turn. Each line is redacted, kept and then read. */
export async function runAgent(run: AgentRun): Promise<RanAgent> {
  const { machine, driver, turn, folder, surroundings, redact } = run;
  const launch = driver.command(turn);
  const reader = driver.readStream(turn);
  const keep = outputKeeper(folder);
  const outcome = await runAgentProcess({
    command: commandOnPath(launch.command, machine.env),
    cwd: run.cwd,
    env: agentEnvironment(machine.env, { ...surroundings, launch }),
    stdin: launch.stdin,
    runId: `${surroundings.run}.${folder.id}`,
    onLine: (printed) => {
      // Redacts before anything is parsed and shortened: half a secret could not be recognized.
      const line = redact(printed);
      const agentEvents = reader.line(line);
      const tellsCost = agentEvents.some(({ type }) => type === "billed");
      keep(line, tellsCost ? "vital" : (driver.weigh?.(line) ?? "plain"));
      for (const agentEvent of agentEvents) run.see(agentEvent);
    },
    silenceLimitMs: run.silenceLimitMs,
    signal: run.signal,
    guard: (pid) => run.guardian.guard(pid),
  });
  const kept: KeptEnding = {
    ending: agentEnding(outcome.ending, renderOutput(outcome.stderr, redact), redact),
    cause: causeOf(outcome.ending) ?? run.cause(),
    at: machine.now(),
  };
  keepEnding(folder, kept);
  return { reader, kept };
}

function agentEnding(ending: AgentProcessEnding, stderr: string, redact: Redact): AgentEnding {
  switch (ending.type) {
    case "exited":
      return { type: "exited", code: ending.code, stderr };
    case "signalled":
      return { type: "signalled", signal: ending.signal, stderr };
    case "not-started":
      return { type: "not-started", message: redact(ending.message) };
    case "silent":
    case "timed-out":
    case "aborted":
      return { type: "cut-off", why: `it was ended (${ending.type})` };
  }
}

/** Why the process's own limit ended it. */
function causeOf(ending: AgentProcessEnding): Trouble | null {
  if (ending.type !== "silent") return null;
  const detail = `the agent printed nothing for ${durationText(ending.limitMs)} and was ended`;
  return { kind: "transient", detail };
}

/** Variables of an outer agent's session that an inner agent would mistake for its own. */
const OF_AN_OUTER_SESSION = new Set([
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_PLUGIN_ROOT",
  "CLAUDE_PLUGIN_DATA",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_TASK_LIST_ID",
  "CLAUDE_CODE_SESSION_KIND",
  "CLAUDE_CODE_SESSION_NAME",
  "CLAUDE_CODE_SESSION_LOG",
  "CLAUDE_CODE_AGENT",
  "CLAUDE_CODE_RESUME_INTERRUPTED_TURN",
  "CLAUDE_EFFORT",
  "CLAUDE_ENV_FILE",
  "CLAUDE_JOB_DIR",
  "AI_AGENT",
  "TRACEPARENT",
  "GEMINI_CLI",
  "GEMINI_SESSION_ID",
  "QWEN_CODE",
  "OPENCODE",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CODEX_THREAD_ID",
  "CURSOR_AGENT",
  "LOOP_HOST",
  "LOOP_HOST_SESSION",
  "LOOP_SHAPE",
  "LOOP_HEADLESS",
  // A fleet's database is the driver's and the worker's.
  "LOOP_FLEET",
]);

/** What an agent's environment adds to the user's own. */
interface Surroundings {
  readonly run: SessionId;
  readonly root: string;
  /** A folder with the program `loop`, in the version that drives. */
  readonly programs: string;
  readonly launch: Pick<Launch, "env" | "envDefaults">;
  readonly taskList?: string | null;
}

/** The agent's environment: the user's own, with our hooks switched off and the run as the caller's session. */
export function agentEnvironment(
  env: NodeJS.ProcessEnv,
  { run, root, programs, launch, taskList = null }: Surroundings,
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !OF_AN_OUTER_SESSION.has(name));
  return {
    ...launch.envDefaults,
    ...Object.fromEntries(kept),
    ...launch.env,
    // The loop's own instead of the caller's session's.
    ...(taskList === null ? {} : { CLAUDE_CODE_TASK_LIST_ID: taskList }),
    // First on PATH, since rules allow `loop` by name and no other program may take that name.
    PATH: env["PATH"] === undefined ? programs : `${programs}${delimiter}${env["PATH"]}`,
    // Some agents trust PWD more than the folder they are started in.
    PWD: root,
    LOOP_DISABLE: "1",
    LOOP_SESSION: run,
  };
}

/**
 * The command with an absolute path to its program. By name alone, a relative PATH entry could find a program of the project the
 * agent is started in.
 */
export function commandOnPath(command: CommandLine, env: NodeJS.ProcessEnv): CommandLine {
  if (command.kind === "shell") return command;
  const [program, ...args] = command.argv;
  if (/[\\/]/.test(program)) return command;
  // If it doesn't exist, starting it reports that.
  return {
    kind: "argv",
    argv: [findOnPath(program, env) ?? join(parse(process.execPath).root, program), ...args],
  };
}
