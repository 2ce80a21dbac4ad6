import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { medians, node, report, write } from "./measure.ts";
import { createHeldProject, stopInput, stopOf, UNLIMITED } from "./held-project.ts";
import { createBenchProject } from "./project.ts";

const HOOK = resolve("dist/hook.js");
const CLI = resolve("dist/cli.js");
const BASH_HOOK = resolve("bench/stop-check.sh");

/** The same stop by a hook of this kind as people write it by hand. */
export async function benchHook(folder: string): Promise<void> {
  if (spawnSync("jq", ["--version"]).status !== 0)
    return write("\n(no jq here, so no comparison with a bash hook)");
  const { root, env } = createHeldProject(folder);
  const bash = {
    name: "bash and jq, an active loop",
    run: () => void spawnSync("bash", [BASH_HOOK], { cwd: root, env, input: stopInput("bench") }),
  };
  const rivals = [
    bash,
    stopOf("hook.js, a session without a loop", "other", { root, env }),
    stopOf("hook.js, an active loop, held", "bench", { root, env }),
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
  const [first, last] = [contenders[0], contenders.at(-1)];
  if (first === undefined || last === undefined) return;
  report("Stop by the length of the conversation", await medians(contenders, 21), first.name, {
    [last.name]: "flat",
  });
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
