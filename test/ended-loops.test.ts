import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LoopEvent } from "../src/core/events/event.ts";
import { evolveAll } from "../src/core/events/evolve.ts";
import { parseLoopId, type LoopId } from "../src/core/loop/id.ts";
import { createApproval } from "../src/storage/home/approval-record.ts";
import { markUntold } from "../src/storage/home/approval-marks.ts";
import { createProjectFolder, loopFolder, projectAt } from "../src/storage/home/project.ts";
import { stateHome } from "../src/storage/home/state-home.ts";
import type { Journals } from "../src/storage/journal/journal.ts";
import { createMachine, type Machine } from "../src/storage/loops/machine.ts";
import { lastEnded, surveyLoops, type Survey } from "../src/storage/loops/survey-loops.ts";
import { opening, START } from "./support/loop-builders.ts";
import { Sandbox } from "./support/sandbox.ts";

const CANCELLED: LoopEvent = { type: "loop.cancelled", by: "person" };
const COMPLETED: LoopEvent = { type: "loop.completed", confidence: "weak", why: [], changed: null };
const MANY = 40;

function idOf(name: string): LoopId {
  const id = parseLoopId(name);
  if (id === null) throw new Error(`not an id: ${name}`);
  return id;
}

/** A project in which many loops ended, and the machine, which counts the journals that are read. */
class Past extends Sandbox {
  readonly project = projectAt(this.root);
  readonly #real = createMachine(this.env, this.root);
  readonly reads: LoopId[] = [];
  readonly machine: Machine = {
    ...this.#real,
    journals: (project): Journals => {
      const journals = this.#real.journals(project);
      return {
        ...journals,
        of: (id) => {
          const journal = journals.of(id);
          return {
            ...journal,
            load: async (options) => {
              this.reads.push(id);
              return journal.load(options);
            },
          };
        },
      };
    },
  };

  constructor() {
    super({ "a.txt": "a\n" });
    createProjectFolder(this.project);
  }

  async add(name: string, ...events: readonly LoopEvent[]): Promise<LoopId> {
    const id = idOf(name);
    const opened = opening({ id, binding: null });
    createApproval(this.machine.home, evolveAll(null, [opened], START), {
      ...{ root: this.root, worktree: null, protectedFiles: {}, mustNotFiles: {} },
    });
    mkdirSync(loopFolder(this.project, id));
    await this.machine.journals(this.project).create(id, START, [opened, ...events]);
    return id;
  }

  async end(count: number): Promise<void> {
    for (let number = 1; number <= count; number += 1) await this.add(`ended-${number}`, CANCELLED);
  }

  async survey(): Promise<Survey> {
    this.reads.length = 0;
    return surveyLoops(this.machine, this.project);
  }

  get list(): string {
    return join(stateHome(this.env), "ended");
  }

  get listPath(): string {
    return join(this.list, readdirSync(this.list)[0] ?? "");
  }
}

describe("loops that ended", () => {
  test("are read once, and counted from then on", async () => {
    const past = new Past();
    await past.end(MANY);
    const open = await past.add("open");
    expect((await past.survey()).found).toHaveLength(MANY + 1);
    const { found, ended } = await past.survey();
    expect(found.map(({ id }) => id)).toEqual([open]);
    expect(ended).toHaveLength(MANY);
    expect(past.reads).toEqual([open]);
  });

  test("are shown by loop status as if all had been read: the last one, their number, and all on request", async () => {
    const past = new Past();
    await past.end(MANY);
    const last = await past.add("last", { type: "cost.charged", usd: 0, tokens: 1, priced: true }, CANCELLED);
    const texts = [1, 2].map(() => past.loop("status").out);
    expect(texts[0]).toContain(`the last one (${MANY + 1} ended; see them with --all)`);
    expect(texts[1]).toBe(texts[0]);
    const all = JSON.parse(past.loop("status", "--all", "--json").out) as {
      readonly loops: readonly unknown[];
    };
    expect(all.loops).toHaveLength(MANY + 1);
    expect(past.loop("status", last).out).toContain(last);
    expect(past.loop("doctor").out).toContain(`${MANY + 1} here, 0 open`);
    const open = await past.add("open");
    expect(past.sessionStarts("s1").toUser).toContain(open);
    expect(past.loop("status").out).toContain(open);
  });

  test("with an attempt at a task, which only its plan shows", async () => {
    const past = new Past();
    await past.end(MANY);
    const attempt = idOf("attempt");
    const opened = opening({
      ...{ id: attempt, binding: null },
      attemptOf: { loop: idOf("plan"), task: "T-001", number: 1 },
    });
    createApproval(past.machine.home, evolveAll(null, [opened], START), {
      ...{ root: past.root, worktree: null, protectedFiles: {}, mustNotFiles: {} },
    });
    mkdirSync(loopFolder(past.project, attempt));
    await past.machine.journals(past.project).create(attempt, START, [opened]);
    for (const reads of [MANY + 1, 0]) {
      const { found, ended, ids } = await past.survey();
      expect([...found, ...ended].some(({ id }) => id === attempt)).toBe(false);
      expect(ids.has(attempt)).toBe(true);
      expect(past.reads).toHaveLength(reads);
    }
  });
});

describe("an ended loop is looked at again", () => {
  async function known(): Promise<Past> {
    const past = new Past();
    await past.end(MANY);
    await past.survey();
    await past.survey();
    expect(past.reads).toEqual([]);
    return past;
  }

  test("when another program appended to its journal", async () => {
    const past = await known();
    const journal = past.machine.journals(past.project).of(idOf("ended-7"));
    const { cursor } = await journal.load();
    await journal.append(cursor, START, [{ type: "cost.charged", usd: 1, tokens: 1, priced: true }]);
    await past.survey();
    expect(past.reads).toEqual(["ended-7"]);
  });

  test("when a backup in which it was still open took its place", async () => {
    const past = await known();
    rmSync(loopFolder(past.project, idOf("ended-7")), { recursive: true });
    await past.add("ended-7");
    const { found, ended } = await past.survey();
    expect(found.map(({ id }) => id)).toEqual(["ended-7"]);
    expect(ended).toHaveLength(MANY - 1);
  });

  test("when its journal was damaged", async () => {
    const past = await known();
    appendFileSync(join(loopFolder(past.project, idOf("ended-7")), "journal.jsonl"), "not a record\n");
    expect((await past.survey()).found).toMatchObject([{ id: "ended-7", type: "aborted" }]);
  });

  test("when somebody appended while it was read for the list", async () => {
    const past = new Past();
    await past.end(MANY);
    const { journals } = past.machine;
    const racing: Machine = {
      ...past.machine,
      journals: (project) => ({
        ...journals(project),
        of: (id) => ({
          ...journals(project).of(id),
          load: async (options) => {
            const loaded = await journals(project).of(id).load(options);
            if (id === "ended-7")
              await journals(project)
                .of(id)
                .append(loaded.cursor, START, [{ type: "cost.charged", usd: 1, tokens: 1, priced: true }]);
            return loaded;
          },
        }),
      }),
    };
    await surveyLoops(racing, past.project);
    await past.survey();
    expect(past.reads).toEqual(["ended-7"]);
  });

  test("until its user was told of its end, or its commit was made", async () => {
    const past = await known();
    const untold = await past.add("untold", COMPLETED);
    const due = await past.add(
      "due",
      { type: "commit.wanted", from: "0".repeat(40), onto: null, branch: "b", acceptsWeak: true },
      COMPLETED,
    );
    await past.add("told", COMPLETED);
    markUntold({ home: past.machine.home, root: past.root, loop: untold });
    for (let number = MANY + 1; number <= 2 * MANY; number += 1) await past.add(`ended-${number}`, CANCELLED);
    await past.survey();
    const { found, ended } = await past.survey();
    expect(found.map(({ id }) => id).toSorted()).toEqual([due, untold]);
    expect(ended).toHaveLength(2 * MANY + 1);
  });
});

describe("the list of ended loops", () => {
  test("forgets what was deleted, and doesn't bring it back", async () => {
    const past = new Past();
    await past.end(MANY);
    await past.survey();
    rmSync(loopFolder(past.project, idOf("ended-7")), { recursive: true });
    const { found, ended } = await past.survey();
    expect(found).toEqual([]);
    expect(ended.map(({ id }) => id)).not.toContain("ended-7");
    expect(existsSync(loopFolder(past.project, idOf("ended-7")))).toBe(false);
    expect(past.loop("status", "--all").out).not.toContain("ended-7 ");
  });

  test("is made anew when it was deleted, and not without a state home", async () => {
    const past = new Past();
    await past.end(MANY);
    await past.survey();
    rmSync(past.list, { recursive: true });
    expect((await past.survey()).found).toHaveLength(MANY);
    expect((await past.survey()).ended).toHaveLength(MANY);
    rmSync(past.machine.home, { recursive: true });
    expect((await past.survey()).found.map(({ type }) => type)).toEqual(Array(MANY).fill("untrusted"));
    expect(existsSync(past.machine.home)).toBe(false);
  });

  test.each([
    ["nothing", ""],
    ["half of it", null],
    ["another form", '{"format":99,"loops":{}}'],
    ["no loops", '{"format":1,"loops":7}'],
    ["rows of another form", '{"format":1,"loops":{"open":[1,2,3],"ended-1":null,"ended-2":"x"}}'],
    ["a foreign mark", '{"format":1,"loops":{"open":["1:2:3","cancelled",0]}}'],
    [
      "names that lead elsewhere",
      '{"format":1,"loops":{"../../x":["1:2:3","cancelled",9e15],"__proto__":[]}}',
    ],
  ])("hides no loop when it holds %s", async (_, text) => {
    const past = new Past();
    await past.end(MANY);
    const open = await past.add("open");
    await past.survey();
    const whole = readFileSync(past.listPath, "utf8");
    writeFileSync(past.listPath, text ?? whole.slice(0, whole.length / 2));
    const { found, ended } = await past.survey();
    expect(found.map(({ id }) => id)).toContain(open);
    expect(found.length + ended.length).toBe(MANY + 1);
    expect(await lastEnded(past.machine, past.project, { ids: new Map(), found, ended })).not.toBeNull();
  });

  test("is not waited for where a folder or a draft lies in its place", async () => {
    const past = new Past();
    await past.end(MANY);
    await past.survey();
    const path = past.listPath;
    writeFileSync(`${path}.1.abc.tmp`, "{");
    rmSync(path);
    mkdirSync(path);
    const { found, ended } = await past.survey();
    expect(found.length + ended.length).toBe(MANY);
  });

  test("is right whoever of several writers comes last", async () => {
    const past = new Past();
    await past.end(MANY);
    const surveys = await Promise.all(Array.from({ length: 5 }, async () => past.survey()));
    expect(new Set(surveys.map(({ found, ended }) => found.length + ended.length))).toEqual(new Set([MANY]));
    expect((await past.survey()).ended).toHaveLength(MANY);
  });

  test("of a copied project is not that of the original", async () => {
    const past = new Past();
    await past.end(MANY);
    await past.survey();
    const copy = join(past.home, "copy");
    cpSync(past.root, copy, { recursive: true });
    const { found, ended } = await surveyLoops(past.machine, projectAt(copy));
    expect(ended).toEqual([]);
    expect(found).toHaveLength(MANY);
  });
});
