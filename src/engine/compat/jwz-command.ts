import { execFile } from "node:child_process";
import { findOnPath } from "../../system/files/find-on-path.ts";

const TOPIC = "loop:current";
/** A hook has seconds, and reading a topic takes milliseconds. */
const TIME_LIMIT_MS = 3_000;
const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;

export interface Jwz {
  readonly program: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export function findJwz(env: NodeJS.ProcessEnv): string | null {
  return findOnPath("jwz", env);
}

/** The content of the topic; null if there is none. Throws if jwz doesn't answer. */
export async function readTopic(jwz: Jwz): Promise<string | null> {
  const { ended, stdout } = await run(jwz, ["read", TOPIC]);
  return ended === "well" ? stdout : null;
}

export async function postToTopic(jwz: Jwz, message: string): Promise<void> {
  const { ended } = await run(jwz, ["post", TOPIC, "-m", message]);
  if (ended !== "well") throw new Error("jwz did not accept the message");
}

async function run(
  jwz: Jwz,
  args: readonly string[],
): Promise<{ readonly ended: "well" | "badly"; readonly stdout: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: jwz.cwd,
      env: jwz.env,
      timeout: TIME_LIMIT_MS,
      killSignal: "SIGKILL",
      maxBuffer: OUTPUT_LIMIT_BYTES,
      windowsHide: true,
    } as const;
    execFile(jwz.program, args, options, (error, stdout) => {
      if (error === null) resolve({ ended: "well", stdout });
      else if (typeof error.code === "number") resolve({ ended: "badly", stdout });
      else
        reject(
          new Error(`jwz did not answer (${error.killed === true ? "too slow" : (error.code ?? "ended")})`),
        );
    });
  });
}
