import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { isAbsolute, parse } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errnoOf } from "../files/path-errors.ts";
import { withoutRunMark, endProcessTree } from "./run-processes.ts";
import { startCommand } from "./start-command.ts";
import type { Readable } from "node:stream";
import { createLineSplitter } from "../files/lines.ts";
import { startOfProcess } from "./process-facts.ts";

/** A helper process that ends what a run started if we are killed and cannot do it ourselves. */
export interface Guardian {
  /** Reports the leader of a new group; the returned function reports that the group is gone. */
  readonly guard: (groupLeader: number) => () => void;
  /** Reports a folder that must not outlive the run. */
  readonly guardFolder: (path: string) => void;
  /** Dismisses it and resolves when it is gone. Leaves what the run started alone. */
  readonly dismiss: () => Promise<void>;
  /** Has it end whatever is left of the run, and then go. Nobody waits for it. */
  readonly sweep: () => void;
}

interface GuardianOptions {
  /** Starts a program that calls `watchOver` with the run's id, which is its last argument. Paths are absolute. */
  readonly program: readonly string[];
  readonly runId: string;
}

const ANSWER_TIMEOUT_MS = 5_000;
const NO_GUARDIAN: OwnGuardian = {
  turnTo: () => false,
  guard: () => () => {},
  guardFolder: () => {},
  dismiss: async () => {},
  sweep: () => {},
};

/** For a process that has many runs, one after the other: a guardian that was dismissed watches over the next one. */
export interface Guardians {
  readonly start: (options: GuardianOptions) => Guardian;
  /** Dismisses those that wait for a run. */
  readonly end: () => Promise<void>;
}

export function keepGuardians(): Guardians {
  const waiting: OwnGuardian[] = [];
  return {
    start(options) {
      const found = waiting.pop();
      const guardian = found?.turnTo(options.runId) === true ? found : startOwn(options);
      return {
        ...guardian,
        async dismiss() {
          if (guardian.turnTo(NO_RUN)) waiting.push(guardian);
          else await guardian.dismiss();
        },
      };
    },
    async end() {
      await Promise.all(waiting.splice(0).map(async (guardian) => guardian.dismiss()));
    },
  };
}

/** If the guardian cannot be started, we continue without it: it only matters if we are killed. */
export function startGuardian(options: GuardianOptions): Guardian {
  return startOwn(options);
}

interface OwnGuardian extends Guardian {
  /** Has it forget its run and watch over another one. False: it is gone. */
  readonly turnTo: (runId: string) => boolean;
}

/** Nothing carries it. */
const NO_RUN = "";

function startOwn({ program, runId }: GuardianOptions): OwnGuardian {
  const [file = "", ...args] = program;
  const child = startCommand(
    { kind: "argv", argv: [file, ...args, runId] },
    {
      // It must not keep a folder open that the run wants to remove.
      cwd: parse(process.execPath).root,
      // It must not be among the processes it ends.
      env: withoutRunMark(process.env),
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  return "message" in child ? NO_GUARDIAN : guardianIn(child);
}

function guardianIn(child: ChildProcess): OwnGuardian {
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  void gone.then(() => (isGone = true));
  const { stdin } = child;
  if (child.pid === undefined || stdin === null) return NO_GUARDIAN;
  stdin.on("error", () => {}); // It was killed: from here on the run goes on without.
  child.unref();

  return {
    turnTo(runId) {
      if (isGone || !stdin.writable) return false;
      stdin.write(`=${runId}\n`);
      return true;
    },
    guard(groupLeader) {
      stdin.write(`+${groupLeader}\n`);
      return () => stdin.write(`-${groupLeader}\n`);
    },
    guardFolder(path) {
      stdin.write(`~${JSON.stringify(path)}\n`);
    },
    async dismiss() {
      child.ref();
      stdin.end("bye\n");
      const waiting = new AbortController();
      const late = sleep(ANSWER_TIMEOUT_MS, true, { signal: waiting.signal }).catch(() => false);
      if (await Promise.race([gone.then(() => false), late])) child.kill("SIGKILL");
      waiting.abort();
      await gone;
    },
    sweep() {
      stdin.end();
    },
  };
}

const LONGEST_LINE_BYTES = 16 * 1024;

/**
 * Watches over a run from its own process. The run's owner writes `+PID` and `-PID` for groups it starts and ends, `~PATH`, as
 * JSON, for a folder of its own, `=ID` when it takes up another run, and `bye` at the end. If the input ends without `bye`, the owner was killed: then everything left of the run
 * is ended, and its folders are removed.
 */
export async function watchOver(firstRun: string, input: Readable): Promise<void> {
  // Signals that a terminal or a shutdown sends to everybody must not end this process before its work is done.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  const leaders = new Map<number, string>();
  const folders: string[] = [];
  let runId = firstRun;
  let dismissed = false;

  const lines = createLineSplitter(LONGEST_LINE_BYTES, (line) => {
    const message = parseMessage(line);
    if (message?.type === "dismissed") dismissed = true;
    if (message?.type === "run") {
      runId = message.runId;
      leaders.clear();
      folders.length = 0;
    }
    if (message?.type === "ended") leaders.delete(message.leader);
    if (message?.type === "folder") folders.push(message.path);
    if (message?.type !== "started") return;
    const startedAt = startOfProcess(message.leader);
    if (startedAt !== null) leaders.set(message.leader, startedAt);
  });
  try {
    for await (const chunk of input) {
      lines.push(chunk as Buffer);
      if (dismissed) return;
    }
  } catch {
    // A broken pipe means the same as an end.
  }

  const roots = [...leaders].map(([pid, startedAt]) => ({ pid, startedAt }));
  await endProcessTree({ roots, runId });
  for (const each of folders) await removeFolder(each);
}

const REMOVALS = 20;
const REMOVAL_PAUSE_MS = 250;

/** Something that has just been ended may have written to it once more. */
async function removeFolder(path: string): Promise<void> {
  for (let round = 0; round < REMOVALS; round += 1) {
    try {
      rmSync(path, { recursive: true });
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return;
    }
    await sleep(REMOVAL_PAUSE_MS);
  }
}

type Message =
  | { readonly type: "run"; readonly runId: string }
  | { readonly type: "folder"; readonly path: string }
  | { readonly type: "started" | "ended"; readonly leader: number }
  | { readonly type: "dismissed" };

/** The name of a folder may have a line end in it, and what comes before that is another folder. */
function folderIn(text: string): Message | null {
  try {
    const path: unknown = JSON.parse(text);
    return typeof path === "string" && isAbsolute(path) ? { type: "folder", path } : null;
  } catch {
    return null;
  }
}

/** A message of the owner; null if it is invalid. */
export function parseMessage(line: string): Message | null {
  if (line === "bye") return { type: "dismissed" };
  const run = /^=([\w-]{0,100})$/.exec(line)?.[1];
  if (run !== undefined) return { type: "run", runId: run };
  if (line.startsWith("~")) return folderIn(line.slice(1));
  const [, sign, digits] = /^([+-])(\d{1,10})$/.exec(line) ?? [];
  const leader = Number(digits);
  // Every process descends from 1.
  if (sign === undefined || leader <= 1) return null;
  return { type: sign === "+" ? "started" : "ended", leader };
}
