import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { createCappedOutput } from "../process/capped-output.ts";
import { collectOutput } from "../process/collect-output.ts";

const OUTPUT_LIMIT_BYTES = 16 * 1024;
const UNTIL_ENDED_MS = 1_500;
/** As a shell tells that its command was ended by SIGHUP, SIGINT, SIGKILL or SIGTERM. */
const ENDED = new Set([129, 130, 137, 143]);

/** null when the command went well; else how it failed, after the end of what it printed. */
export async function runShell(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  // In the player's own group: whoever ends the player ends this with it.
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
  // Whoever ends a command mostly ends its agent too, which then says nothing more.
  if (isEnded) await sleep(UNTIL_ENDED_MS);
  await collection.settled();
  collection.stop();
  return failure === null
    ? null
    : `${output.parts().at(-1)?.trimEnd() ?? ""}\n${line}: ${failure}`.trimStart();
}
