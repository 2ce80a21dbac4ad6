import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { approvalFolder, type LocalLoop } from "./approval-record.ts";

/** What a process of our own does for a loop in the background: what it is asked, and what it reports. */
export interface JobKind<Asked, Result> {
  /** The hidden command of `loop` that does it. */
  readonly command: "judge" | "settle" | "preflight";
  /** Beside the approval record. A loop has one open job for each folder. */
  readonly folder: "judging" | "preflight";
  readonly asked: v.GenericSchema<unknown, Asked>;
  /** Reads what `store` made of a result. */
  readonly result: v.GenericSchema<unknown, Result>;
  readonly store: (result: Result) => unknown;
  /** The stored result in a token of an earlier version, which an upgrade may find open. */
  readonly storedEarlier?: (token: EarlierJob) => unknown;
  /** Whether somebody waits for the result. Otherwise the token is gone once the job begins. */
  readonly isAwaited: boolean;
  /** For whoever comes without a valid token. */
  readonly nothingPending: string;
}

const earlier = v.object({
  startedAt: v.number(),
  expiresAt: v.number(),
  names: v.array(v.string()),
  shown: v.nullable(v.array(v.unknown())),
  proven: v.optional(v.unknown(), null),
});

/** Earlier versions kept a settlement where the proofs of checks are. */
type EarlierJob = v.InferOutput<typeof earlier>;

/**
 * Only the process that needs a job writes one, in the state home, and it counts only results that come with the job's token:
 * what an agent runs by itself has none.
 */
export interface Job<Asked, Result> {
  readonly token: string;
  readonly startedAt: number;
  readonly expiresAt: number;
  readonly asked: Asked;
  /** The process that does it; null: it hasn't begun. */
  readonly pid: number | null;
  /** null: it hasn't reported. */
  readonly result: Result | null;
}

const TOKEN = /^[0-9a-f]{32}$/;
const pid = v.pipe(v.number(), v.safeInteger(), v.minValue(2));

/** A loop's jobs of one kind. */
export class Jobs<Asked, Result> {
  readonly #kind: JobKind<Asked, Result>;
  readonly #local: LocalLoop;

  constructor(local: LocalLoop, kind: JobKind<Asked, Result>) {
    this.#kind = kind;
    this.#local = local;
  }

  issue(job: Pick<Job<Asked, Result>, "startedAt" | "expiresAt" | "asked">): Job<Asked, Result> {
    const issued = { ...job, token: randomBytes(16).toString("hex"), pid: null, result: null };
    this.#write(issued);
    return issued;
  }

  /** The open job; the last one if there are several. */
  find(): Job<Asked, Result> | null {
    const found = this.#tokens().flatMap((token) => this.read(token) ?? []);
    return found.toSorted((one, other) => other.startedAt - one.startedAt)[0] ?? null;
  }

  read(token: string): Job<Asked, Result> | null {
    if (!TOKEN.test(token)) return null;
    const stored = readJsonFile(this.#path(token), this.#schema()) ?? this.#readEarlier(token);
    if (stored === null) return null;
    const { startedAt, expiresAt, asked, pid, result } = stored;
    return { token, startedAt, expiresAt, asked, pid, result };
  }

  /** In the process that does it: announces that, so that whoever waits sees it end. */
  begin(job: Job<Asked, Result>): Job<Asked, Result> {
    const begun = { ...job, pid: process.pid };
    if (this.#kind.isAwaited) this.#write(begun);
    else rmSync(this.#path(job.token), { force: true });
    return begun;
  }

  /** Only once: nobody can replace what a job reported. */
  report(job: Job<Asked, Result>, result: Result): void {
    if (this.read(job.token)?.result === null) this.#write({ ...job, result });
  }

  isRunning(job: Job<Asked, Result>, now: number): boolean {
    return job.pid !== null && now < job.expiresAt && isAlive(job.pid);
  }

  /** A token works once, and older ones are void. */
  drop(): void {
    for (const token of this.#tokens()) rmSync(this.#path(token), { force: true });
  }

  #write({ token, result, ...job }: Job<Asked, Result>): void {
    const { command, store } = this.#kind;
    const stored = result === null ? null : store(result);
    writePrivateJson(this.#path(token), { kind: command, ...job, result: stored });
  }

  /** Only the note that checks run says which process had it. */
  #readEarlier(token: string): Omit<Job<Asked, Result>, "token"> | null {
    const { command, storedEarlier } = this.#kind;
    const found = storedEarlier === undefined ? null : readJsonFile(this.#path(token), earlier);
    if (found === null || storedEarlier === undefined) return null;
    const { names, shown, startedAt, expiresAt } = found;
    const note = readNote(this.#local);
    const parsed = v.safeParse(this.#schema(), {
      kind: command,
      startedAt,
      expiresAt: note?.expiresAt ?? expiresAt,
      asked: { names },
      pid: note?.pid ?? null,
      result: shown === null ? null : storedEarlier(found),
    });
    return parsed.success ? parsed.output : null;
  }

  #schema(): v.GenericSchema<unknown, Omit<Job<Asked, Result>, "token">> {
    const { command, asked, result } = this.#kind;
    return v.object({
      kind: v.literal(command),
      startedAt: v.number(),
      expiresAt: v.number(),
      asked,
      pid: v.nullable(pid),
      result: v.nullable(result),
    });
  }

  #tokens(): readonly string[] {
    try {
      const names = readdirSync(this.#folder());
      return names.map((name) => name.replace(/\.json$/, "")).filter((token) => TOKEN.test(token));
    } catch {
      return [];
    }
  }

  #folder(): string {
    return join(approvalFolder(this.#local), this.#kind.folder);
  }

  #path(token: string): string {
    return join(this.#folder(), `${token}.json`);
  }
}

const noteSchema = v.object({
  pid,
  startedAt: v.number(),
  expiresAt: v.number(),
});

/** A note that a process is running a loop's checks. Counts only while that process lives. */
export function announceChecks(
  local: LocalLoop,
  times: { readonly startedAt: number; readonly expiresAt: number },
): () => void {
  const path = notePath(local);
  try {
    writePrivateJson(path, { pid: process.pid, ...times });
  } catch (error) {
    // An agent's sandbox may only allow the project. The note is for waiting processes; the checks don't need it.
    if (!["EROFS", "EACCES"].includes(errnoOf(error) ?? "")) throw error;
    return () => {};
  }
  return () => {
    if (readJsonFile(path, noteSchema)?.pid === process.pid) rmSync(path, { force: true });
  };
}

/** When the running checks were started; null when none are running. */
export function runningSince(local: LocalLoop, now: number): number | null {
  const note = readNote(local);
  // Process ids are reused over time, and no check runs forever.
  return note !== null && now < note.expiresAt && isAlive(note.pid) ? note.startedAt : null;
}

function readNote(local: LocalLoop): v.InferOutput<typeof noteSchema> | null {
  return readJsonFile(notePath(local), noteSchema);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function notePath(local: LocalLoop): string {
  return join(approvalFolder(local), "checking.json");
}
