import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LoopEvent } from "../src/core/events/event.ts";
import { evolveAll } from "../src/core/events/evolve.ts";
import { loadJournal } from "../src/storage/journal/file/load.ts";
import { encodeRecord } from "../src/storage/journal/record.ts";
import { createApproval } from "../src/storage/home/approval-record.ts";
import { createProjectFolder, loopFolder, projectAt, rememberProject } from "../src/storage/home/project.ts";
import { medians, node, report } from "./measure.ts";
import { openingOf } from "./opening.ts";
import { createBenchProject } from "./project.ts";

const CLI = resolve("dist/cli.js");
const HOOK = resolve("dist/hook.js");
const AGES = [100, 10_000, 1_000_000] as const;
const ENDED = [0, 300, 3_000] as const;

type Place = ReturnType<typeof createBenchProject>;

export async function benchStatus(folder: string): Promise<void> {
  await benchAge(folder);
  await benchEnded(folder);
}

/** `loop status` of a young loop and of very old ones. */
async function benchAge(folder: string): Promise<void> {
  const contenders = AGES.map((age) => {
    const { root, env } = projectOfAge(join(folder, String(age)), age);
    return {
      name: `status, a journal of ${age.toLocaleString("en")} events`,
      run: () => node([CLI, "status"], { cwd: root, env }),
    };
  });
  const [first, last] = [contenders[0], contenders.at(-1)];
  if (first === undefined || last === undefined) return;
  report("Status by the age of the loop", await medians(contenders, 15), first.name, { [last.name]: "≤ 2" });
}

/** What people and sessions look at first, in projects where many loops ended. */
async function benchEnded(folder: string): Promise<void> {
  const places = ENDED.map((count) => ({
    count,
    ...projectWithEnded(join(folder, `ended-${count}`), count),
  }));
  const looks = {
    "loop status": (env: NodeJS.ProcessEnv, cwd: string) => node([CLI, "status"], { cwd, env }),
    "loop status --everywhere": (env: NodeJS.ProcessEnv, cwd: string) =>
      node([CLI, "status", "--everywhere"], { cwd, env }),
    "loop doctor": (env: NodeJS.ProcessEnv, cwd: string) => node([CLI, "doctor"], { cwd, env }),
    "a session's start": (env: NodeJS.ProcessEnv, cwd: string) =>
      node([HOOK, "session-start"], {
        ...{ cwd, env },
        input: JSON.stringify({ hook_event_name: "SessionStart", session_id: "bench", cwd }),
      }),
  };
  for (const [what, look] of Object.entries(looks)) {
    const contenders = places.map(({ count, root, env }) => ({
      name: `${what}, ${count.toLocaleString("en")} ended loops`,
      run: () => look(env, root),
    }));
    const [first, ...others] = contenders.map(({ name }) => name);
    if (first === undefined) return;
    const aims = Object.fromEntries(others.map((name) => [name, "≤ 1.15"]));
    report(`${what}, by how many loops ended`, await medians(contenders, 15), first, aims);
  }
}

function projectWithEnded(folder: string, count: number): Place {
  const place = createBenchProject(folder);
  addLoop(place, "open", 10, []);
  for (let number = 1; number <= count; number += 1)
    addLoop(place, `ended-${number}`, 10, [{ type: "loop.cancelled", by: "person" }]);
  rememberProject(place.home, place.root, Date.now());
  return place;
}

function projectOfAge(folder: string, age: number): Place {
  const place = createBenchProject(folder);
  addLoop(place, `age-${age}`, age, []);
  return place;
}

function addLoop({ root, home }: Place, id: string, age: number, ending: readonly LoopEvent[]): void {
  const project = projectAt(root);
  createProjectFolder(project);
  const opening = openingOf(id);
  const path = join(loopFolder(project, opening.id), "journal.jsonl");
  mkdirSync(join(project.folder, "loops", opening.id));
  writeJournal(path, opening, age, ending);
  createApproval(home, evolveAll(null, [opening], Date.now()), {
    root,
    worktree: null,
    protectedFiles: {},
    mustNotFiles: {},
  });
  // A journal that grew record by record has its snapshot; one that was made at once gets it from the first load.
  loadJournal(path);
}

function writeJournal(path: string, opening: LoopEvent, age: number, ending: readonly LoopEvent[]): void {
  const file = openSync(path, "wx");
  const at = Date.now();
  let position = { seq: 0, sum: "" };
  let lines = "";
  for (let count = 0; count < age; count += 1) {
    const charge: LoopEvent = { type: "cost.charged", usd: 0, tokens: 1, priced: true };
    const last = count === age - 1 ? ending : [];
    const { line, sum } = encodeRecord(position, at, "bench", [count === 0 ? opening : charge, ...last]);
    position = { seq: position.seq + 1, sum };
    lines += `${line}\n`;
    if (lines.length > 1_000_000 || count === age - 1) {
      writeSync(file, lines);
      lines = "";
    }
  }
  closeSync(file);
}
