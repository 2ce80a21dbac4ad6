import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as v from "valibot";
import type { Guardian } from "../../system/process/guardian.ts";
import { startOfProcess } from "../../system/process/process-facts.ts";
import { endProcessTree } from "../../system/process/run-processes.ts";
import { createLineSplitter } from "../../system/files/lines.ts";
import { UserError } from "../../core/user-error.ts";

/** A worker in a process of its own, with a clone and a state home of its own. */
export interface DemoWorker {
  readonly name: string;
  readonly fingerprint: string;
  /** What it works on: `LOOP/TASK/NUMBER`. */
  readonly at: () => string | null;
  readonly send: (signal: NodeJS.Signals) => void;
  /** With all that it started. */
  readonly end: () => Promise<void>;
}

export interface DemoWorkerNews {
  readonly type: "took" | "lost";
  readonly key: string;
}

interface Starting {
  readonly name: string;
  readonly cli: string;
  readonly env: NodeJS.ProcessEnv;
  readonly root: string;
  readonly stage: string;
  /** The driver's key. */
  readonly accepts: string;
  readonly guardian: Guardian;
  readonly tell: (name: string, news: DemoWorkerNews) => void;
}

const news = v.variant("type", [
  v.object({ type: v.literal("began"), fingerprint: v.string() }),
  v.object({ type: v.picklist(["took", "lost", "ended"]), key: v.string() }),
]);

const LONGEST_LINE_BYTES = 64 * 1024;

export async function startWorker(starting: Starting): Promise<DemoWorker> {
  const { name, cli, root, stage, accepts, guardian, tell } = starting;
  const clone = join(stage, name, "corner-shop");
  const env = { ...starting.env, XDG_STATE_HOME: join(stage, name, "state") };
  await promisify(execFile)("git", ["clone", "--quiet", root, clone], { env });
  const flags = ["--accept", accepts, "--name", name, "--agents", "rehearsal", "--slots", "1", "--json"];
  const child = spawn(process.execPath, [cli, "worker", ...flags], {
    cwd: clone,
    env,
    stdio: ["ignore", "pipe", "ignore"],
    // A Ctrl-C in our terminal is ours to answer.
    detached: true,
  });
  const pid = child.pid ?? 0;
  const startedAt = startOfProcess(pid);
  guardian.guard(pid);
  let at: string | null = null;
  const fingerprint = await new Promise<string>((resolve, reject) => {
    child.once("close", () => reject(new UserError(`The worker ${name} ended before it had begun.`)));
    const lines = createLineSplitter(LONGEST_LINE_BYTES, (line) => {
      const read = v.safeParse(news, asJson(line));
      if (!read.success) return;
      const { output } = read;
      if (output.type === "began") return resolve(output.fingerprint);
      at = output.type === "took" ? output.key : null;
      const { type, key } = output;
      if (type !== "ended") tell(name, { type, key });
    });
    child.stdout.on("data", (chunk: Buffer) => lines.push(chunk));
  });
  return {
    ...{ name, fingerprint, at: () => at },
    send: (signal) => void child.kill(signal),
    end: async () => endProcessTree({ roots: [{ pid, startedAt }], runId: "" }),
  };
}

function asJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
