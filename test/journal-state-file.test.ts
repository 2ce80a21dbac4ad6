import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LoopEvent } from "../src/core/events/event.ts";
import { evolveAll } from "../src/core/events/evolve.ts";
import { topFrame } from "../src/core/loop/loop.ts";
import { AT_THE_BEGINNING } from "../src/storage/journal/journal.ts";
import { readJournal } from "../src/storage/journal/file/read.ts";
import { writeProjections, readStateFile } from "../src/storage/home/projections.ts";
import type { Fixture } from "./programs/journal-fixture.ts";
import {
  START,
  append,
  clock,
  hold,
  idOf,
  iterate,
  openFixture,
  opening,
  loadLoop,
  transact,
} from "./programs/journal-fixture.ts";

const CHECK = { command: { kind: "shell", line: "npm test" }, timeoutMs: 1_000, passEnv: [] } as const;
const HARD_NAMES = [
  'with "quotes" and \\backslashes\\',
  "with\nline\r\nbreaks\u2028",
  "🙂 né 日本 \uD800",
  "x".repeat(10_000),
  "__proto__",
  "constructor",
  "toString",
  "1",
  "",
  "digest",
] as const;

let fixture: Fixture;
let path: string;
function open(...args: Parameters<typeof opening>): void {
  fixture = openFixture(opening(...args));
  path = join(fixture.project.folder, "state.json");
}
beforeEach(() => {
  open({
    criteria: [
      { name: "tests pass", check: CHECK },
      { name: "docs read well", check: null },
      { name: "errors are clear", check: null },
    ],
    steps: ["one", "two"],
  });
});
afterEach(() => fixture.remove());

type State = { [key: string]: unknown };
const state = (): State => JSON.parse(readFileSync(path, "utf8")) as State;
const load = async () => loadLoop(fixture.project, fixture.id);
const read = async () => {
  const { loop, cursor } = await load();
  return readStateFile(fixture.project, loop, cursor.seq);
};

/** As an editor writes it: the digest stays the old one. */
function edit(part: State): void {
  writeFileSync(path, JSON.stringify({ ...state(), ...part }));
}

/** The events of the last record. */
function lastEvents(): readonly LoopEvent[] {
  let last: readonly LoopEvent[] = [];
  readJournal(fixture.journal, AT_THE_BEGINNING, (record) => (last = record.events));
  return last;
}

/** What a decision that says nothing itself brings into the journal. */
async function takenIn(): Promise<readonly LoopEvent[]> {
  const before = await load();
  const { standing } = await transact(before, clock(), () => ({ events: [], result: null }));
  return standing.cursor.seq === before.cursor.seq ? [] : lastEvents();
}

function nested(depth: number): string {
  return `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
}

describe("state.json as it was written", () => {
  it("is nothing new, and brings nothing into the journal", async () => {
    expect(await read()).toEqual({ type: "nothing-new" });
    expect(await takenIn()).toEqual([]);
    await iterate(fixture, 2);
    expect(await read()).toEqual({ type: "nothing-new" });
  });

  it("is nothing new when it was only printed in another way", async () => {
    writeFileSync(path, JSON.stringify(state()));
    expect(await read()).toEqual({ type: "nothing-new" });
    writeFileSync(path, `\uFEFF${JSON.stringify(state(), null, "\t").replaceAll("\n", "\r\n")}`);
    expect(await read()).toEqual({ type: "nothing-new" });
  });

  it("is nothing new when it is missing, or an older projection, or another loop's", async () => {
    const older = readFileSync(path);
    await append(await load(), {
      type: "criterion.attested",
      name: "docs read well",
      by: "observation",
      actor: "agent",
      note: null,
      source: "command",
    });
    writeFileSync(path, older);
    expect(await read()).toEqual({ type: "nothing-new" });
    expect(await takenIn()).toEqual([]);

    edit({ loopId: "another-loop-2def", exit_signal: true });
    expect(await read()).toEqual({ type: "nothing-new" });
    rmSync(path);
    expect(await read()).toEqual({ type: "nothing-new" });
  });

  it("tells that the journal lost records when it is ahead of it", async () => {
    const journal = readFileSync(fixture.journal);
    await iterate(fixture, 2);
    writeFileSync(fixture.journal, journal);
    await expect(load()).rejects.toThrow(
      expect.objectContaining({
        code: "corrupt",
        message: "the journal ends at record 1, but record 3 had been written",
      }) as Error,
    );
    expect(readFileSync(fixture.journal)).toEqual(journal);
  });

  it("tells nothing of the kind when only its sequence was edited", async () => {
    edit({ sequence: 99 });
    expect(await read()).toEqual({ type: "edited", claims: expect.any(Array) });
    expect((await load()).cursor.seq).toBe(1);
  });
});

describe("state.json as somebody edited it", () => {
  it("claims what it says to be met, and records it as the weak word that it is", async () => {
    edit({ criteriaStatus: { "docs read well": true } });
    expect(await takenIn()).toEqual([
      {
        type: "criterion.attested",
        name: "docs read well",
        by: "reasoned inference",
        actor: "agent",
        note: null,
        source: "state-file",
      },
    ]);
    expect(state()["criteriaStatus"]).toEqual({
      "tests pass": false,
      "docs read well": true,
      "errors are clear": false,
    });
    expect(await read()).toEqual({ type: "nothing-new" });
  });

  it("reads a status that says how it was verified", async () => {
    edit({
      criteriaStatus: {
        "docs read well": { met: true, verification: "observation" },
        "errors are clear": { met: true, verification: "a hunch" },
      },
    });
    expect(await takenIn()).toMatchObject([
      { type: "criterion.attested", name: "docs read well", by: "observation", actor: "agent" },
      { type: "criterion.attested", name: "errors are clear", by: "reasoned inference" },
    ]);
    edit({ criteriaStatus: { "docs read well": { met: false } } });
    expect(await takenIn()).toMatchObject([{ type: "criterion.disclaimed", name: "docs read well" }]);
  });

  it("takes a word back with false", async () => {
    edit({ criteriaStatus: { "docs read well": true } });
    await takenIn();
    edit({ criteriaStatus: { "docs read well": false } });
    expect(await takenIn()).toEqual([
      { type: "criterion.disclaimed", name: "docs read well", source: "state-file" },
    ]);
  });

  it("decides nothing where a check decides", async () => {
    edit({ criteriaStatus: { "tests pass": true } });
    expect(await takenIn()).toEqual([]);
  });

  it("gives the exit signal and finishes steps", async () => {
    edit({ exit_signal: true, completedSteps: ["two", "three", 5, null] });
    expect(await takenIn()).toEqual([
      { type: "step.finished", name: "two", source: "state-file" },
      { type: "exit.signalled", source: "state-file" },
    ]);
  });

  it("shows the decision what it claims, and is recorded with what is decided", async () => {
    edit({ exit_signal: true });
    const seen: boolean[] = [];
    await transact(await load(), clock(), (loop) => {
      seen.push(topFrame(loop).exitSignal);
      return hold(loop);
    });
    expect(seen).toEqual([true]);
    expect(lastEvents().map(({ type }) => type)).toEqual(["exit.signalled", "iteration.held"]);
    // The hold resets the signal, and the file no longer gives it.
    expect(state()).toMatchObject({ exit_signal: false, iteration: 1 });
    expect(await read()).toEqual({ type: "nothing-new" });
  });

  it.each<[string, State]>([
    ["the text true", { exit_signal: "true", criteriaStatus: { "docs read well": "true" } }],
    ["the number 1", { exit_signal: 1, criteriaStatus: { "docs read well": 1 } }],
    ["a met that is the text true", { criteriaStatus: { "docs read well": { met: "true" } } }],
    ["something that is no boolean", { exit_signal: {}, criteriaStatus: { "docs read well": [true] } }],
    [
      "names that nobody knows",
      { criteriaStatus: { other: true, "Tests pass": true }, completedSteps: ["x"] },
    ],
    ["steps that are no list", { completedSteps: "one" }],
    [
      "other counters",
      { iteration: 0, maxIterations: 999, circuitBreaker: { stuckCount: 0, lastUnmet: "x" } },
    ],
    ["another status", { status: "completed", reason: null }],
    ["other criteria and another spec", { criteria: [], spec: "nothing", steps: [] }],
  ])("claims nothing with %s", async (_name, part) => {
    await iterate(fixture, 2);
    const { loop } = await load();
    edit(part);
    expect(await takenIn()).toEqual([]);
    expect((await load()).loop).toEqual(loop);
  });

  it("claims nothing for a loop that is over", async () => {
    await append(await load(), { type: "loop.cancelled", by: "person" });
    edit({ exit_signal: true });
    expect(await takenIn()).toEqual([]);
  });

  it("is an edit without loopId, sequence and digest too, as agents write it by hand", async () => {
    writeFileSync(path, JSON.stringify({ exit_signal: true }));
    expect(await takenIn()).toEqual([{ type: "exit.signalled", source: "state-file" }]);
  });

  it("is read with a byte order mark and CRLF, and takes the last of two equal keys", async () => {
    writeFileSync(path, '\uFEFF{\r\n"exit_signal": false,\r\n"exit_signal": true\r\n}\r\n');
    expect(await takenIn()).toEqual([{ type: "exit.signalled", source: "state-file" }]);
  });

  it("knows a criterion by its own name only, not by what every object has", async () => {
    edit({ criteriaStatus: JSON.parse('{"__proto__": {"docs read well": true}}') as unknown });
    expect(await takenIn()).toEqual([]);
    writeFileSync(path, '{"__proto__": {"exit_signal": true}}');
    expect(await takenIn()).toEqual([]);
    expect({}).not.toHaveProperty("exit_signal");
  });

  it("is read again when another writer was first", async () => {
    const [one, other] = [await load(), await load()];
    await append(one, { type: "turn.started" });
    edit({ exit_signal: true });
    const { standing } = await transact(other, clock(), hold);
    expect(standing.cursor.seq).toBe(3);
    expect(lastEvents().map(({ type }) => type)).toEqual(["exit.signalled", "iteration.held"]);
  });
});

describe("state.json that cannot be understood", () => {
  it.each<[string, string | Buffer]>([
    ["empty", ""],
    ["no JSON", "not JSON"],
    ["cut short", '{"exit_signal": tr'],
    ["a list", "[]"],
    ["null", "null"],
    ["text", '"x"'],
    ["binary", Buffer.from([0, 255, 254, 128, 10, 0])],
    ["only zeros", Buffer.alloc(4_096)],
    ["larger than 5 MB", JSON.stringify({ exit_signal: true, spec: "x".repeat(5 * 1024 * 1024) })],
    ["a counter of text", '{"iteration": "3", "exit_signal": true}'],
    ["a counter that is a fraction", '{"iteration": 3.5}'],
    ["a counter that is null", '{"iteration": null}'],
    ["a breaker's counter of text", '{"circuitBreaker": {"stuckCount": "many"}}'],
    ["statuses that are a list", '{"criteriaStatus": [true]}'],
    ["statuses that are null", '{"criteriaStatus": null}'],
    ["nested deeper than it can be followed", nested(1_000_000)],
    ["nested deeply, twice", `${nested(50_000).slice(0, -1)},"iteration":"x"}`],
  ])("is damaged when it is %s, and stays as it is while the journal goes on", async (_name, bytes) => {
    writeFileSync(path, bytes);
    const before = readFileSync(path);
    const standing = await load();
    expect(standing.damagedStateFile).toMatch(/^\.loop\/state\.json cannot be understood: [\w ]{5,60}$/);
    const after = await transact(standing, clock(), hold);
    expect(after.standing.damagedStateFile).not.toBeNull();
    expect(topFrame((await load()).loop).iteration).toBe(1);
    expect(readFileSync(path).equals(before)).toBe(true);
    // The other projections are written all the same.
    expect(readFileSync(join(fixture.project.folder, "PROGRESS.md"), "utf8")).toContain("Iteration 1");
  });

  it("stays as it is when it is damaged only after the loop was loaded", async () => {
    const standing = await load();
    writeFileSync(path, "damaged");
    await transact(standing, clock(), hold);
    expect(readFileSync(path, "utf8")).toBe("damaged");
  });

  it("is written again once it was repaired or deleted", async () => {
    writeFileSync(path, "damaged");
    const standing = await load();
    rmSync(path);
    expect((await transact(standing, clock(), hold)).standing.damagedStateFile).toBeNull();
    expect(state()).toMatchObject({ iteration: 1 });
  });

  it.skipIf(process.platform === "win32")(
    "is neither waited for as a pipe nor read as a device",
    async () => {
      rmSync(path);
      execFileSync("mkfifo", [path]);
      expect((await load()).damagedStateFile).toContain("it is not a file");
      rmSync(path);
      symlinkSync("/dev/zero", path);
      expect((await load()).damagedStateFile).toContain("it is not a file");
      rmSync(path);
      mkdirSync(path);
      expect((await load()).damagedStateFile).not.toBeNull();
      expect(topFrame((await iterate(fixture, 1)).loop).iteration).toBe(1);
    },
  );
});

describe("names of any kind", () => {
  it("survive the journal and every projection", async () => {
    fixture.remove();
    open({
      criteria: HARD_NAMES.map((name) => ({ name, check: null })),
      steps: HARD_NAMES,
      exitRule: "tasks",
      spec: HARD_NAMES.join("\n"),
    });
    expect(await read()).toEqual({ type: "nothing-new" });
    expect(state()).toMatchObject({ criteria: HARD_NAMES, steps: HARD_NAMES });
    expect(Object.keys(state()["criteriaStatus"] as object).toSorted()).toEqual(HARD_NAMES.toSorted());

    for (const name of HARD_NAMES) {
      await append(await load(), {
        type: "criterion.attested",
        name,
        by: "observation",
        actor: "agent",
        note: name,
        source: "command",
      });
    }
    const frame = topFrame((await load()).loop);
    expect(frame.criteria.map((each) => [each.name, each.attestation?.note])).toEqual(
      HARD_NAMES.map((name) => [name, name]),
    );
    const statuses = state()["criteriaStatus"] as object;
    expect(Object.entries(statuses).map(([, met]) => met)).toEqual(HARD_NAMES.map(() => true));
    expect(await read()).toEqual({ type: "nothing-new" });
    for (const file of ["PROGRESS.md", "shape/SHAPE.md", "workflow-state.json"]) {
      expect(readFileSync(join(fixture.project.folder, file), "utf8").length).toBeGreaterThan(100);
    }
  });

  it("are claimed by an edit", async () => {
    fixture.remove();
    open({ criteria: HARD_NAMES.map((name) => ({ name, check: null })), steps: HARD_NAMES });
    const statuses = `{${HARD_NAMES.map((name) => `${JSON.stringify(name)}:true`).join(",")}}`;
    writeFileSync(path, `{"criteriaStatus":${statuses},"completedSteps":${JSON.stringify(HARD_NAMES)}}`);
    const events = await takenIn();
    expect(events.filter(({ type }) => type === "criterion.attested")).toHaveLength(HARD_NAMES.length);
    expect(events.filter(({ type }) => type === "step.finished")).toHaveLength(HARD_NAMES.length);
  });
});

describe("projections", () => {
  it("can all be deleted and are written again", async () => {
    for (const name of readdirSync(fixture.project.folder)) {
      if (name !== "loops") rmSync(join(fixture.project.folder, name), { recursive: true });
    }
    await iterate(fixture, 1);
    expect(readdirSync(fixture.project.folder).toSorted()).toEqual([
      "PROGRESS.md",
      "loops",
      "shape",
      "state.json",
    ]);
  });

  it("have SHAPE.md written again when somebody edited it or what it shows changed, and only then", async () => {
    const shape = join(fixture.project.folder, "shape", "SHAPE.md");
    await iterate(fixture, 1);
    const written = readFileSync(shape, "utf8");
    const { ino } = statSync(shape);
    await iterate(fixture, 1);
    expect(statSync(shape).ino).toBe(ino);
    writeFileSync(shape, written.replace("docs read well", "docs read badly"));
    const standing = await iterate(fixture, 1);
    expect(readFileSync(shape, "utf8")).toBe(written);
    await append(standing, { type: "shape.changed", shape: "colleague", by: "person" });
    expect(readFileSync(shape, "utf8")).toContain("- Shape: Colleague");
  });

  it("do not stop a loop where they cannot be written", async () => {
    rmSync(join(fixture.project.folder, "PROGRESS.md"));
    mkdirSync(join(fixture.project.folder, "PROGRESS.md"));
    rmSync(join(fixture.project.folder, "shape"), { recursive: true });
    writeFileSync(join(fixture.project.folder, "shape"), "in the way");
    expect(topFrame((await iterate(fixture, 1)).loop).iteration).toBe(1);
    expect(state()).toMatchObject({ iteration: 1 });
    expect(readdirSync(fixture.project.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("replace a link and do not follow it", async () => {
    const elsewhere = join(fixture.project.root, "elsewhere.json");
    writeFileSync(elsewhere, JSON.stringify(state()));
    const before = readFileSync(elsewhere);
    rmSync(path);
    symlinkSync(elsewhere, path);
    await iterate(fixture, 1);
    expect(readFileSync(elsewhere)).toEqual(before);
    expect(state()).toMatchObject({ iteration: 1 });
  });

  it("are seen whole at every moment while others write", async () => {
    const writer = resolve("dist/test-programs/journal-writer.mjs");
    const running = new Set<ChildProcess>();
    let written = 0;
    const write = (): void => {
      const args = [writer, fixture.project.root, fixture.id, "150"];
      const child = spawn(process.execPath, args, { stdio: "ignore" });
      running.add(child.on("close", () => running.delete(child)));
      written += 150;
    };
    write();
    write();
    const seen = new Set<unknown>();
    let looks = 0;
    while (running.size > 0) {
      const { digest, ...fields } = state();
      expect(digest).toBe(createHash("sha256").update(JSON.stringify(fields)).digest("hex").slice(0, 32));
      seen.add(fields["sequence"]);
      const progress = readFileSync(join(fixture.project.folder, "PROGRESS.md"), "utf8");
      expect(progress).toMatch(/^# Loop Progress[^]*\n- Stuck count: \d+\n$/);
      looks += 1;
      await sleep(1);
      // On a busy machine they may be done before this process has looked often enough.
      if (running.size < 2 && (looks <= 20 || seen.size <= 10)) write();
    }
    expect(looks).toBeGreaterThan(20);
    expect(seen.size).toBeGreaterThan(10);
    expect(topFrame((await load()).loop).iteration).toBe(written);
    expect(readdirSync(fixture.project.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("of another loop of the project are not mistaken for this one's", async () => {
    const other = opening(
      { criteria: [{ name: "docs read well", check: null }] },
      { id: idOf("another-loop-2def") },
    );
    await writeProjections(fixture.project, evolveAll(null, [other], START), 50);
    edit({ criteriaStatus: { "docs read well": true } });
    expect(await takenIn()).toEqual([]);
    expect(existsSync(path)).toBe(true);
  });
});
