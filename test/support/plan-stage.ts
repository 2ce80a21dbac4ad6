import type { StatusView } from "../../src/views/status.ts";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { EventOf, LoopEvent } from "../../src/core/events/event.ts";
import { AT_THE_BEGINNING } from "../../src/storage/journal/journal.ts";
import { readJournal } from "../../src/storage/journal/file/read.ts";
import { DONE, Stage } from "./driven.ts";
import type { PlayedTurn } from "./driven.ts";
import type { Ran } from "./sandbox.ts";

/** Turns by attempt, `T-001-2`, or by task for all of its attempts, `T-001`. */
export type Scripts = { readonly [attempt: string]: readonly PlayedTurn[] };

/** A turn that writes a file and says that the work is done. */
export function writes(path: string, text = `${path}\n`): PlayedTurn {
  return { do: [{ write: path, text }], say: DONE, usd: 0.01 };
}

/** Waits until the work of a task is on a branch; agents see the refs of the repository that their worktree is of. */
export function untilMerged(task: string): string {
  return `until git log --branches --format=%s | grep -q '^${task}:'; do sleep 0.05; done`;
}

/** The tasks of a plan: what each has to show, and what blocks it. */
export function plan(
  ...tasks: readonly (readonly [id: string, verify: string, ...blockers: string[]])[]
): string {
  const text = tasks.map(([id, verify, ...blockers]) =>
    [`### ${id}: Do ${id}`, `verify: ${verify}`, ...blockers.map((each) => `blocked by: ${each}`)].join("\n"),
  );
  return `# A plan\n\n${text.join("\n\n")}\n`;
}

/** With what it printed, when it ended otherwise. */
export function expectCode({ code, out, err }: Ran, expected: number): void {
  if (code !== expected) throw new Error(`it ended with ${code} and not with ${expected}:\n${out}${err}`);
}

/** A repository in which rehearsals work on a plan. */
export class PlanStage extends Stage {
  constructor(text: string, files: { readonly [path: string]: string } = {}) {
    super({ "README.md": "A project\n", ...files });
    this.writePlan(text);
  }

  writePlan(text: string): void {
    writeFileSync(this.planFile, text);
  }

  /** Outside the project. */
  get planFile(): string {
    return join(this.home, "PLAN.md");
  }

  /** Of its text; whoever names it approves its commands. */
  get planDigest(): string {
    return createHash("sha256").update(readFileSync(this.planFile)).digest("hex");
  }

  /** The command line that works on the plan with these rehearsals. */
  working(scripts: Scripts, ...args: readonly string[]): readonly string[] {
    return [
      ...["run", "--plan", this.planFile, "--plan-digest", this.planDigest],
      ...this.rehearsing(scripts),
      ...args,
    ];
  }

  /** Options that name the played agent, and what it plays. */
  rehearsing(scripts: Scripts): readonly string[] {
    const folder = join(this.home, "scripts");
    mkdirSync(folder, { recursive: true });
    for (const [name, turns] of Object.entries(scripts))
      writeFileSync(join(folder, `${name}.json`), JSON.stringify({ turns }));
    return ["--agent", "rehearsal", "--script", folder];
  }

  work(scripts: Scripts, ...args: readonly string[]): Ran {
    return this.loop(...this.working(scripts, ...args));
  }

  get loops(): readonly string[] {
    const folder = join(this.root, ".loop", "loops");
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  /** The ids of the loops that have a plan. */
  get workflows(): readonly string[] {
    return this.loops.filter((id) => this.eventsIn(id).some(({ type }) => type === "plan.adopted"));
  }

  /** The ids of the loops that go through stages, also those that have no plan yet. */
  get staged(): readonly string[] {
    return this.loops.filter((id) => this.eventsIn(id).some(({ type }) => type === "stages.begun"));
  }

  /** How long the journal of the plan is, for who waits for a moment in it: `workflows` reads far more. */
  recordCount(): number {
    const id = this.loops.find((each) => each.startsWith("a-plan-"));
    const path = id === undefined ? "" : this.journal(id);
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
  }

  override get id(): string {
    const [id, ...others] = this.workflows;
    if (id === undefined || others.length > 0) throw new Error("not exactly one workflow");
    return id;
  }

  eventsIn(id: string): readonly LoopEvent[] {
    return this.timedEventsIn(id).map(({ event }) => event);
  }

  /** With the time at which each was recorded. */
  timedEventsIn(id: string): readonly { readonly at: number; readonly event: LoopEvent }[] {
    const events: { at: number; event: LoopEvent }[] = [];
    try {
      readJournal(this.journal(id), AT_THE_BEGINNING, (record) => {
        for (const event of record.events) events.push({ at: record.at, event });
      });
    } catch {
      // It is being opened.
    }
    return events;
  }

  /** The prompt of an attempt's turn. */
  promptOf(task: string, number: number, turn = "1-1"): string {
    const started = this.eventsOf("attempt.started").find(
      (event) => event.task === task && event.number === number,
    );
    if (started === undefined) throw new Error(`no attempt ${number} at ${task}`);
    return this.read(`.loop/loops/${started.loop}/runs/${turn}/prompt.md`);
  }

  /** Attempts are found by their ids alone. */
  attemptPhases(): readonly (string | null)[] {
    const views = this.eventsOf("attempt.started").map(
      ({ loop }) => JSON.parse(this.loop("status", loop, "--json").out) as { loops: readonly StatusView[] },
    );
    return views.map(({ loops: [view] }) => view?.phase ?? null).toSorted();
  }

  /** What every turn of every attempt says that it cost, from what it printed. */
  printedCosts(): number {
    let sum = 0;
    for (const id of this.loops) {
      const folder = `.loop/loops/${id}/runs`;
      if (!existsSync(join(this.root, folder))) continue;
      for (const turn of readdirSync(join(this.root, folder))) {
        const path = `${folder}/${turn}/output.jsonl`;
        if (!existsSync(join(this.root, path))) continue;
        const bills = [...this.read(path).matchAll(/"usd":([\d.]+)/g)].map((match) => Number(match[1]));
        sum += bills.at(-1) ?? 0;
      }
    }
    return sum;
  }

  setbacks(): readonly string[] {
    const failed = this.eventsOf("attempt.set-back").map(
      ({ task, number, setback }) => `${task}-${number} ${setback.kind}`,
    );
    const merged = this.eventsOf("merge.ended").flatMap((event: EventOf<"merge.ended">) =>
      event.setBack.map(({ task, setback }) => `${task} ${setback.kind}`),
    );
    return [...failed, ...merged].toSorted();
  }

  /** The tasks whose work a branch has, the oldest first. */
  tasksOn(branch: string): readonly string[] {
    const text = this.git("log", "--reverse", "--format=%(trailers:key=Loop-Task,valueonly)", branch);
    return text.split("\n").filter((line) => line !== "");
  }

  /** Worktrees that git knows, besides the user's own. */
  worktrees(): readonly string[] {
    const text = this.git("worktree", "list", "--porcelain");
    return text
      .split("\n")
      .flatMap((line) => (line.startsWith("worktree ") ? [line.slice("worktree ".length)] : []))
      .slice(1);
  }

  /** Folders in which attempts have worked, whether or not git knows them. */
  folders(): readonly string[] {
    const folder = join(this.home, "state", "loopwright", "worktrees");
    if (!existsSync(folder)) return [];
    const found = readdirSync(folder, { encoding: "utf8" }).flatMap((project) =>
      readdirSync(join(folder, project)).flatMap((loop) =>
        readdirSync(join(folder, project, loop)).map((name) => join(folder, project, loop, name)),
      ),
    );
    return found.toSorted();
  }

  /** Everything that is the user's: files with their times, HEAD, branch, index and settings. */
  userState(): string {
    const digest = createHash("sha256");
    // What lies in these two comes and goes while it is read.
    const own = readdirSync(this.root).filter((name) => name !== ".loop" && name !== ".git");
    const paths = own.flatMap((name) =>
      lstatSync(join(this.root, name)).isDirectory()
        ? [
            name,
            ...readdirSync(join(this.root, name), { recursive: true, encoding: "utf8" }).map((each) =>
              join(name, each),
            ),
          ]
        : [name],
    );
    for (const path of paths.toSorted()) {
      const full = join(this.root, path);
      const stat = lstatSync(full);
      digest.update(JSON.stringify([path, stat.mode, stat.isDirectory() ? 0 : stat.mtimeMs]));
      if (stat.isFile()) digest.update(readFileSync(full));
      if (stat.isSymbolicLink()) digest.update(readlinkSync(full));
    }
    for (const name of ["HEAD", "index", "config"])
      digest.update(readFileSync(join(this.root, ".git", name)));
    const ours = /^refs\/(?:loopwright\/|heads\/loop\/)/;
    const refs = this.git("for-each-ref", "--format=%(refname) %(objectname)").split("\n");
    digest.update(refs.filter((line) => !ours.test(line)).join("\n"));
    return digest.digest("hex");
  }
}
