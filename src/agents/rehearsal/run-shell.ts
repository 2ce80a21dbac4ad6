import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { createCappedOutput } from "../../system/process/capped-output.ts";
import { collectOutput } from "../../system/process/collect-output.ts";

const OUTPUT_LIMIT_BYTES = 16 * 1024;
const UNTIL_ENDED_MS = 1_500;
/** How a shell reports that SIGHUP, SIGINT, SIGKILL or SIGTERM ended its command. */
const ENDED = new Set([129, 130, 137, 143]);

/** null if the command succeeded; otherwise the end of its output and how it failed. */
export async function runShell(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  // In the player's own group, so ending the player ends this too.
  const child = spawn(line, { shell: true, cwd, env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  const output = createCappedOutput(OUTPUT_LIMIT_BYTES);
  const collection = collectOutput(child, (chunk) => output.append(chunk));
  let isEnded = false;
  const failure = await new Promise<string | null>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      isEnded = signal !== null || ENDED.has(code ?? 0);
      if (signal !== null) resolve(`ended by ${signal}`);
      else resolve(code === 0 ? null : `exit code ${code}`);
    });
  });
  // What ends a command usually ends its agent too, which then prints nothing more.
  if (isEnded) await sleep(UNTIL_ENDED_MS);
  await collection.settled();
  collection.stop();
  return failure === null
    ? null
    : `${output.parts().at(-1)?.trimEnd() ?? ""}\n${line}: ${failure}`.trimStart();
}
