import { delimiter } from "node:path";
import type { SessionId } from "../../core/loop/id.ts";
import type { Launch } from "../../agents/drivers/driver.ts";

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
  "LOOP_SHAPE",
  "LOOP_HEADLESS",
]);

/** What an agent's environment adds to the user's own. */
export interface Surroundings {
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
