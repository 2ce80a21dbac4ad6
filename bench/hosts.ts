import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { createHeldProject } from "./held-project.ts";
import { medians, node, report, type Contender } from "./measure.ts";

const HOOK = resolve("dist/hook.js");
const SCRIPT = resolve("dist/hook.sh");

/** What a client pays for a hook call, as its settings have it: through the script or straight to node. */
export async function benchHosts(folder: string): Promise<void> {
  const { root, env } = createHeldProject(folder);
  const words = (event: string): readonly string[] => [event, "--host", "claude-code"];
  const inputOf = (event: string, session: string): string =>
    JSON.stringify({
      session_id: session,
      transcript_path: `${folder}/${session}.jsonl`,
      cwd: root,
      hook_event_name: event,
      prompt: "Fix the thing, please",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      tool_response: { stdout: "ok\n".repeat(500) },
      stop_hook_active: true,
    });
  const looked = (name: string, event: string, session: string, named?: string): Contender => ({
    name,
    run: () => {
      const args = [process.execPath, ...words(event)];
      const told = named === undefined ? {} : { CLAUDE_CODE_SESSION_ID: named };
      const input = inputOf(event, session);
      const { status } = spawnSync(SCRIPT, args, { cwd: root, env: { ...env, ...told }, input });
      if (status !== 0) throw new Error(`${name}: it ended with ${status}`);
    },
  });
  const straight = (name: string, event: string, session: string): Contender => ({
    name,
    run: () => node([HOOK, ...words(event)], { cwd: root, env, input: inputOf(event, session) }),
  });
  const bare = { name: "node -e 0", run: () => node(["-e", "0"], { cwd: root, env }) };
  const contenders = [
    bare,
    looked("a tool call, no loop", "post-tool-use", "other", "other"),
    looked("the same, where the client names no session", "post-tool-use", "other"),
    looked("a prompt, no loop", "user-prompt-submit", "other"),
    looked("a subagent's stop, no loop", "subagent-stop", "other", "other"),
    straight("a stop, no loop", "stop", "other"),
    looked("a tool call, with a loop", "post-tool-use", "bench", "bench"),
    looked("the same, and the client names no session", "post-tool-use", "bench"),
    straight("the same, straight to hook.js", "post-tool-use", "bench"),
    straight("a stop, with a loop, held", "stop", "bench"),
  ];
  report("Hook calls of a session over bare node", await medians(contenders, 61), bare.name, {
    "a tool call, no loop": "≤ 0.15",
    "a prompt, no loop": "≤ 0.15",
    "a subagent's stop, no loop": "≤ 0.15",
    "a stop, no loop": "≤ 1.07",
  });
}
