import { delimiter } from "node:path";
import type { SessionId } from "../core/id.ts";
import type { Launch } from "../drivers/driver.ts";

/** What an outer agent's session leaves in the environment, and an inner one would take for its own. */
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

/** What an agent's environment has on top of the user's own. */
export interface Surroundings {
  readonly run: SessionId;
  readonly root: string;
  /** A folder with the program `loop` in it, of the version that drives. */
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
    // The loop's, in place of the one that the caller's session has.
    ...(taskList === null ? {} : { CLAUDE_CODE_TASK_LIST_ID: taskList }),
    // First, since rules allow `loop` by its name: no other program may answer to it.
    PATH: env["PATH"] === undefined ? programs : `${programs}${delimiter}${env["PATH"]}`,
    // Where the caller's shell stood: some agents believe it more than the folder that they are started in.
    PWD: root,
    LOOP_DISABLE: "1",
    LOOP_SESSION: run,
  };
}
