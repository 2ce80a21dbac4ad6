import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Contender } from "./measure.ts";
import { medians, node, report, write } from "./measure.ts";
import { createBenchProject } from "./project.ts";

const HOOK = resolve("dist/hook.js");
const CLI = resolve("dist/cli.js");
const BASH_HOOK = resolve("bench/stop-check.sh");

const UNLIMITED = [
  "--iterations",
  "none",
  "--budget",
  "none",
  "--no-progress-limit",
  "0",
  "--stuck-limit",
  "0",
];

/** What a stop costs the session: starting the program, finding nothing, and deciding about an active loop. */
export async function benchHook(folder: string): Promise<void> {
  const { root, env } = createBenchProject(folder);
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "a.txt"), "a\n");
  node([CLI, "start", "Fix it", "-c", "ok=true", "--shape", "tool", "--session", "bench", ...UNLIMITED], {
    cwd: root,
    env,
  });
  const hook = (name: string, session: string, extra: NodeJS.ProcessEnv = {}): Contender => ({
    name,
    run: () => node([HOOK, "stop"], { cwd: root, env: { ...env, ...extra }, input: stopInput(session) }),
  });
  const contenders = [
    { name: "node -e 0", run: () => node(["-e", "0"], { cwd: root, env }) },
    hook("hook.js, switched off (start-up alone)", "bench", { LOOP_DISABLE: "1" }),
    hook("hook.js, a session without a loop", "other"),
    hook("hook.js, an active loop, held", "bench"),
  ];
  report("Hook over bare node", await medians(contenders, 31), "node -e 0", "start-up ≤ 1.15");

  if (spawnSync("jq", ["--version"]).status !== 0)
    return write("  (no jq here, so no comparison with a bash hook)");
  const bash = {
    name: "bash and jq, an active loop",
    run: () => void spawnSync("bash", [BASH_HOOK], { cwd: root, env, input: stopInput("bench") }),
  };
  const rivals = [
    bash,
    hook("hook.js, a session without a loop", "other"),
    hook("hook.js, an active loop, held", "bench"),
  ];
  report("Hook over a hand-written one in bash and jq", await medians(rivals, 31), bash.name);
}

const SIZES_MB = [1, 100, 1000] as const;

/** The same decision, with conversations of a megabyte and of a gigabyte behind it. */
export async function benchTranscript(folder: string): Promise<void> {
  const contenders = SIZES_MB.map((size) => {
    const { root, env } = createBenchProject(join(folder, String(size)));
    writeFileSync(join(root, "a.txt"), "a\n");
    const transcript = join(folder, `${size}.jsonl`);
    writeTranscript(transcript, size);
    const input = JSON.stringify({
      session_id: "bench",
      transcript_path: transcript,
      cwd: root,
      stop_hook_active: true,
    });
    node([HOOK, "session-start"], { cwd: root, env, input });
    node([CLI, "start", "Fix it", "-c", "ok=true", "--shape", "tool", "--session", "bench", ...UNLIMITED], {
      cwd: root,
      env,
    });
    return {
      name: `stop with a transcript of ${size} MB`,
      run: () => node([HOOK, "stop"], { cwd: root, env, input }),
    };
  });
  report(
    "Stop by the length of the conversation",
    await medians(contenders, 21),
    contenders[0]?.name ?? "",
    "flat",
  );
}

function writeTranscript(path: string, megabytes: number): void {
  const row = JSON.stringify({
    type: "assistant",
    timestamp: "2026-01-01T00:00:00Z",
    requestId: "r",
    message: {
      id: "m",
      model: "claude-sonnet-4-5",
      usage: { input_tokens: 1, output_tokens: 1 },
      content: [{ type: "text", text: "x".repeat(1800) }],
    },
  });
  const block = `${row}\n`.repeat(Math.ceil(1_000_000 / (row.length + 1)));
  for (let count = 0; count < megabytes; count += 1) writeFileSync(path, block, { flag: "a" });
}

function stopInput(session: string): string {
  return JSON.stringify({ hook_event_name: "Stop", session_id: session, stop_hook_active: true });
}
