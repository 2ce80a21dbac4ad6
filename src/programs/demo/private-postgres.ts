import { spawn, type ChildProcess } from "node:child_process";
import { text } from "node:stream/consumers";
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../core/user-error.ts";
import type { Guardian } from "../../system/process/guardian.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { readOrEmpty } from "../../system/files/read-file.ts";
import { namesIn } from "../../system/files/folders.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";

/** A server of one's own, on a socket that nobody else can reach, gone with its folder. */
export interface PrivatePostgres {
  readonly url: string;
  readonly folder: string;
  /** As a power cut would. */
  readonly crash: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const START_LIMIT_MS = 20_000;
const LOOK_MS = 50;

/** The folder with the system's server; null: none is installed. */
function postgresPrograms(env: NodeJS.ProcessEnv): string | null {
  const onPath = findOnPath("initdb", env);
  if (onPath !== null) return join(onPath, "..");
  const folders = [
    ...namesIn("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...namesIn("/opt/homebrew/opt").flatMap((name) =>
      name.startsWith("postgresql") ? [`/opt/homebrew/opt/${name}/bin`] : [],
    ),
  ];
  return folders.toReversed().find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

export function hasPostgres(env: NodeJS.ProcessEnv): boolean {
  return postgresPrograms(env) !== null;
}

/** `guardian` ends it when we are killed; `more`: further settings of the server. */
export async function startPrivatePostgres(
  env: NodeJS.ProcessEnv,
  guardian: Pick<Guardian, "guard" | "guardFolder"> | null = null,
  more: readonly string[] = [],
): Promise<PrivatePostgres> {
  const programs = postgresPrograms(env);
  if (programs === null) throw new UserError("No Postgres is installed here.");
  // Not in a folder that another user may not enter.
  const folder = mkdtempSync("/tmp/loopwright-postgres-");
  guardian?.guardFolder(folder);
  const user = otherUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o711);
  const data = join(folder, "data");
  const as = { ...user, cwd: folder, env: { PATH: env["PATH"], LC_ALL: "C" } };
  const args = ["-D", data, "-U", "loop", "--auth=trust", "--no-sync", "--encoding=UTF8"];
  const failure = await initdbFailure(
    spawn(join(programs, "initdb"), args, { ...as, detached: true }),
    guardian,
  );
  if (failure !== null) {
    rmSync(folder, { recursive: true, force: true });
    throw new UserError(`A private Postgres can't be made here: ${oneLine(failure, 300)}`);
  }
  let server: ChildProcess | null = null;
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    const child = server;
    server = null;
    if (child === null || hasEnded(child)) return;
    await new Promise((done) => {
      child.once("close", done);
      child.kill(signal);
    });
  };
  const endWithUs = (): void => void server?.kill("SIGQUIT");
  process.once("exit", endWithUs);
  const start = async (): Promise<void> => {
    const settings = [`unix_socket_directories=${folder}`, "listen_addresses=", "max_connections=200"];
    // Nothing here outlives the machine.
    const options = [...settings, "fsync=off", "log_min_messages=panic", ...more].flatMap((each) => [
      "-c",
      each,
    ]);
    // A Ctrl-C in our terminal doesn't reach it.
    const child = spawn(join(programs, "postgres"), ["-D", data, ...options], {
      ...{ ...as, stdio: "ignore", detached: true },
    });
    // `accepting` says so.
    child.on("error", () => undefined);
    server = child;
    if (child.pid !== undefined) guardian?.guard(child.pid);
    await accepting(data, child);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    process.off("exit", endWithUs);
    await ended(signal);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await end("SIGQUIT");
    throw error;
  }
  return {
    url: `postgres://loop@localhost/postgres?host=${encodeURIComponent(folder)}`,
    folder,
    crash: async () => ended("SIGQUIT"),
    start,
    end: async () => end("SIGINT"),
  };
}

/** What it complained of; null: it made the server's files. */
async function initdbFailure(
  child: ChildProcess,
  guardian: Pick<Guardian, "guard"> | null,
): Promise<string | null> {
  const isGone = child.pid === undefined ? null : guardian?.guard(child.pid);
  const code = new Promise<number | null>((done) => {
    child.once("error", () => done(null));
    child.once("close", done);
  });
  child.stdout?.resume();
  const complaint = child.stderr === null ? "" : await text(child.stderr);
  const failed = (await code) !== 0;
  isGone?.();
  return failed ? complaint : null;
}

/** The server notes in its own file when it takes connections. */
async function accepting(data: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + START_LIMIT_MS;
  const isReady = (): boolean => {
    const lines = readOrEmpty(join(data, "postmaster.pid")).split("\n");
    return lines[0] === String(child.pid) && lines[7]?.trim() === "ready";
  };
  while (!isReady()) {
    if (performance.now() > until || hasEnded(child)) {
      child.kill("SIGQUIT");
      throw new UserError("The private Postgres didn't start.");
    }
    await sleep(LOOK_MS);
  }
}

/** Also if it never began. */
function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

/** The server refuses to run as root. */
function otherUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const line = ["postgres", "nobody"].flatMap(
    (name) => lines.find((each) => each.startsWith(`${name}:`)) ?? [],
  )[0];
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}
