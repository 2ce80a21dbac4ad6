import { realpathSync, statSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Origin, Task } from "../../core/loop/loop.ts";
import { readIdleLoopFile, readStateJson, type ForeignState } from "./foreign-formats.ts";
import { isTrackedByGit } from "./written-here.ts";
import { findJwz, readTopic, readJwzMessage, type Jwz } from "./jwz.ts";
import { readTaskList, taskListFolder } from "./task-list.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readBounded } from "../../system/files/read-file.ts";
import type { Project } from "../../storage/home/project.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { createHash } from "node:crypto";
import { parseLoopId, type LoopId } from "../../core/loop/id.ts";
import { writePrivateJson } from "../../system/files/json-file.ts";

export type ForeignOrigin = Exclude<Origin, "native">;

/** The store of another hook, as it was found. */
export interface Store {
  readonly origin: ForeignOrigin;
  /** Its display name, which also identifies it. */
  readonly name: string;
  readonly state: ForeignState;
  /** Its whole text; for a topic, its last message. */
  readonly text: string;
  readonly writtenAt: number | null;
  readonly tasks: readonly Task[];
}

const FILES = { "state-file": ".loop/state.json", "idle-loop": ".claude/idle-loop.local.md" } as const;
const SIZE_LIMIT_BYTES = 4 * 1024 * 1024;

/** Throws if there is a store that doesn't answer. */
export async function readStore(machine: Machine, project: Project, origin: ForeignOrigin): Promise<Store> {
  switch (origin) {
    case "state-file":
      return readFileStore(project, origin, readStateJson);
    case "idle-loop":
      return readFileStore(project, origin, readIdleLoopFile);
    case "jwz":
      return readJwzStore(machine, project);
    case "task-list":
      return readListStore(machine);
  }
}

export function foreignFile(project: Project, origin: keyof typeof FILES): string {
  return join(project.root, FILES[origin]);
}

/** This session didn't write what came with a clone, whatever its dates say. */
export function isTracked(project: Project, origin: ForeignOrigin): boolean {
  switch (origin) {
    case "state-file":
    case "idle-loop":
      return isTrackedByGit(project.root, FILES[origin]);
    case "jwz":
      return [".jwz/", ".zawinski/"].some((folder) => isTrackedByGit(project.root, folder));
    case "task-list":
      return false;
  }
}

export function jwzOf(machine: Machine, project: Project): Jwz | null {
  const program = findJwz(machine.env);
  return program === null ? null : { program, cwd: project.root, env: machine.env };
}

/** The list the host keeps for a session; the session's id if none is set. */
export function taskListId(env: NodeJS.ProcessEnv): string | null {
  const id = env["CLAUDE_CODE_TASK_LIST_ID"];
  return id === undefined || id === "" ? null : id;
}

function readFileStore(
  project: Project,
  origin: keyof typeof FILES,
  read: (text: string) => ForeignState,
): Store {
  const path = foreignFile(project, origin);
  const store = { origin, name: FILES[origin], text: "", writtenAt: null, tasks: [] };
  try {
    const writtenAt = statSync(path).mtimeMs;
    // A link could lead to a file whose history nobody checked.
    if (realpathSync(path) !== path) return { ...store, state: { type: "none" } };
    const text = readBounded(path, SIZE_LIMIT_BYTES);
    return { ...store, text, writtenAt, state: read(text) };
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR")
      return { ...store, state: { type: "none" } };
    const what = errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
    return { ...store, state: { type: "corrupt", why: `${FILES[origin]} cannot be read: ${what}` } };
  }
}

async function readJwzStore(machine: Machine, project: Project): Promise<Store> {
  const jwz = jwzOf(machine, project);
  const store = { origin: "jwz", name: "the jwz topic loop:current", tasks: [] } as const;
  const output = jwz === null ? null : await readTopic(jwz);
  if (output === null) return { ...store, state: { type: "none" }, text: "", writtenAt: null };
  const { state, message, writtenAt } = readJwzMessage(output);
  // The same message, whatever whitespace its program prints.
  return { ...store, state, writtenAt, text: JSON.stringify(message) };
}

function readListStore(machine: Machine): Store {
  const id = taskListId(machine.env);
  const folder = id === null ? null : taskListFolder(machine.env, id);
  const tasks = folder === null ? null : readTaskList(folder);
  const store = { origin: "task-list", name: `the task list ${id ?? ""}`, writtenAt: null } as const;
  if (tasks === null) return { ...store, state: { type: "none" }, text: "", tasks: [] };
  return { ...store, state: stateOfList(tasks), text: JSON.stringify(tasks), tasks };
}

function stateOfList(tasks: readonly Task[]): ForeignState {
  const pending = tasks.filter((task) => task.status !== "completed");
  if (pending.length === 0) return { type: "over", why: "no tasks are pending" };
  return {
    type: "running",
    writtenAt: null,
    loop: {
      origin: "task-list",
      spec: `Complete the tasks: ${pending.map((task) => task.subject).join(", ")}`.slice(0, 500),
      exitRule: "tasks",
      frames: [{ id: null, mode: "loop", iteration: 0, iterationLimit: null }],
      criteria: [],
      steps: [],
    },
  };
}

/**
 * What we last saw in another hook's store or wrote to it, and for which loop. It tells our own writes from somebody's
 * changes.
 */
export interface Trace {
  readonly loop: LoopId;
  readonly digest: string;
  /** The last text with the loop still running, to continue from after our end. */
  readonly running: string;
  /** Whether we wrote an end to it. */
  readonly ended: boolean;
}

type StoreName = Pick<Store, "origin" | "name">;

export function digestOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function readTrace(home: string, root: string, store: StoreName): Trace | null {
  try {
    const value = JSON.parse(readFileSync(tracePath(home, root, store), "utf8")) as {
      readonly [key: string]: unknown;
    };
    const { digest, running, ended } = value;
    const loop = parseLoopId(value["loop"]);
    if (loop === null || typeof digest !== "string" || typeof running !== "string") return null;
    return { loop, digest, running, ended: ended === true };
  } catch {
    return null;
  }
}

export function writeTrace(home: string, root: string, store: StoreName, trace: Trace): void {
  writePrivateJson(tracePath(home, root, store), trace);
}

export function isAsLeft(trace: Trace | null, store: Store): boolean {
  return trace !== null && trace.digest === digestOfText(store.text);
}

function tracePath(home: string, root: string, store: StoreName): string {
  const key = createHash("sha256").update([root, store.origin, store.name].join("\0")).digest("hex");
  return join(home, "foreign", `${key.slice(0, 32)}.json`);
}
