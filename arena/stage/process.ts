import { spawn } from "node:child_process";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Options {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** Past this a play has gone wrong: everything that it started is ended. */
const LIMIT_MS = 300_000;

const running = new Set<number>();

/** Whatever was started and has not come to its end. */
export function endAll(): void {
  for (const pid of running) endGroup(pid);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

/** A program in a process group of its own. */
export async function start(
  argv: readonly [string, ...string[]],
  { cwd, env, input }: Options,
): Promise<Ran> {
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd, env, detached: true });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdin.on("error", () => {}); // it may end before it has read everything
  child.stdin.end(input ?? "");
  const pid = child.pid ?? 0;
  if (pid !== 0) running.add(pid);
  const timer = setTimeout(() => endGroup(pid), LIMIT_MS);
  try {
    const code = await new Promise<number | null>((done, fail) => child.on("close", done).on("error", fail));
    return { code, out, err };
  } finally {
    clearTimeout(timer);
    running.delete(pid);
  }
}

/** For what has to succeed. */
export async function must(argv: readonly [string, ...string[]], options: Options): Promise<string> {
  const { code, out, err } = await start(argv, options);
  if (code !== 0) throw new Error(`${argv.join(" ")} exited with ${code}: ${err}${out}`);
  return out;
}
