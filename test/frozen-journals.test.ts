import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { EVENT_VERSION } from "../src/core/events/event.ts";
import { STAGE_EVENT_VERSION } from "../src/core/stages/stage-event.ts";
import { WORKFLOW_EVENT_VERSION } from "../src/core/plan/workflow-event.ts";
import { loadJournal } from "../src/storage/journal/file/load.ts";
import { sumOf } from "../src/storage/journal/record.ts";
import { FINISHES, Stage } from "./support/driven.ts";
import { heldReason, toldOf } from "./support/sandbox.ts";
import { isCiEffort, oneOf } from "./support/effort.ts";

const FOLDER = "test/fixtures/journals";

/** A program that wrote journals of its own kind, and what has changed since. `scripts/freeze-journals.mjs` adds one. */
interface FrozenSet {
  readonly name: string;
  /** The versions that were not 1 at that time. */
  readonly versions: { readonly [type: string]: number };
  /** Events that came later, and those that no scenario can bring about, with the reason. */
  readonly without: { readonly [type: string]: string };
  /** Events of `SINCE_ALL` that it has already. */
  readonly early?: readonly string[];
  /** Fields of the loop that came later, as upcasters fill them in. */
  readonly addedSince: { readonly [field: string]: unknown };
  /** The same of every attestation in it. */
  readonly addedToAttestations: { readonly [field: string]: unknown };
  readonly snapshotFormat: unknown;
}

/** What came with plans. */
const BEFORE_PLANS = {
  without: Object.fromEntries(
    ["next.said", ...Object.keys({ ...WORKFLOW_EVENT_VERSION, ...STAGE_EVENT_VERSION })].map((type) => [
      type,
      "came later",
    ]),
  ),
  addedSince: {
    proofBudgetMs: null,
    saidNext: null,
    attemptOf: null,
    workflow: null,
    stages: null,
    recall: null,
  },
};

/** What came with proofs. */
const BEFORE_PROOFS = {
  without: {
    ...BEFORE_PLANS.without,
    "proof.shown": "came later",
    "opening.approved": "came later",
    "loop.trusted": "came later",
    "shape.changed": "came later",
  },
  addedSince: { ...BEFORE_PLANS.addedSince, proof: "standard", mayChange: [] },
};

const SETS: readonly FrozenSet[] = [
  {
    name: "0.1.0",
    versions: {},
    without: BEFORE_PROOFS.without,
    addedSince: { ...BEFORE_PROOFS.addedSince, folder: "" },
    addedToAttestations: { actor: "agent" },
    snapshotFormat: 4,
  },
  {
    name: "0.1.0-before-actors",
    versions: { "loop.opened": 2, "loop.continued": 2 },
    ...BEFORE_PROOFS,
    addedToAttestations: { actor: "agent" },
    snapshotFormat: "61d8dec593b62754",
  },
  {
    name: "0.1.0-before-folders",
    versions: {
      "loop.opened": 3,
      "frame.pushed": 2,
      "criterion.added": 2,
      "criterion.amended": 2,
      "criterion.attested": 2,
      "loop.continued": 2,
      "loop.completed": 2,
    },
    without: {
      ...BEFORE_PLANS.without,
      "shape.changed": "came later",
      "loop.trusted": "no scenario trusts one",
      "opening.approved": "no scenario approves one",
    },
    addedSince: BEFORE_PLANS.addedSince,
    addedToAttestations: {},
    snapshotFormat: "95c1dc5a430c8a6f",
  },
  {
    name: "0.1.0-before-red-checks",
    versions: {
      "loop.opened": 5,
      "frame.pushed": 3,
      "criterion.added": 3,
      "criterion.amended": 3,
      "criterion.attested": 2,
      "loop.continued": 2,
      "loop.completed": 2,
    },
    without: {
      ...Object.fromEntries(
        [
          "next.said",
          "plan.extended",
          "check.wavered",
          "delivery.begun",
          ...Object.keys(STAGE_EVENT_VERSION),
        ].map((type) => [type, "came later"]),
      ),
      "shape.changed": "no scenario changes one",
      "loop.trusted": "no scenario trusts one",
      "opening.approved": "no scenario approves one",
    },
    addedSince: { proofBudgetMs: null, saidNext: null, stages: null, recall: null },
    addedToAttestations: {},
    snapshotFormat: "0376fd0b7ccc61a7",
  },
  {
    name: "0.1.0-before-turn-prices",
    versions: {
      "loop.opened": 5,
      "frame.pushed": 3,
      "criterion.added": 3,
      "criterion.amended": 3,
      "criterion.attested": 2,
      "loop.continued": 2,
      "loop.completed": 2,
      "attempt.set-back": 2,
      "merge.ended": 2,
    },
    without: {
      ...Object.fromEntries(
        ["intent.settled", "shape.drawn", "question.asked", "question.closed"].map((type) => [
          type,
          "no scenario asks a model before its plan",
        ]),
      ),
      "check.wavered": "came later",
      "next.said": "came later",
      "delivery.begun": "came later",
      "finding.resolved": "no scenario has a reviewer that finds anything",
      "plan.extended": "no scenario has a reviewer that finds anything",
      "learnings.recalled": "no scenario has learned anything before",
      "shape.changed": "no scenario changes one",
      "loop.trusted": "no scenario trusts one",
      "opening.approved": "no scenario approves one",
    },
    addedSince: { proofBudgetMs: null, saidNext: null },
    addedToAttestations: {},
    snapshotFormat: "a4436b9bccb26d96",
  },
  {
    name: "0.1.0-before-flaky-merges",
    versions: {
      "loop.opened": 5,
      "frame.pushed": 3,
      "criterion.added": 3,
      "criterion.amended": 3,
      "criterion.attested": 2,
      "loop.continued": 2,
      "loop.completed": 2,
      "attempt.set-back": 2,
      "merge.ended": 2,
      "cost.charged": 2,
    },
    without: {
      ...Object.fromEntries(
        ["intent.settled", "shape.drawn", "question.asked", "question.closed"].map((type) => [
          type,
          "no scenario asks a model before its plan",
        ]),
      ),
      "check.wavered": "came later",
      "next.said": "came later",
      "delivery.begun": "came later",
      "finding.resolved": "no scenario has a reviewer that finds anything",
      "plan.extended": "no scenario has a reviewer that finds anything",
      "learnings.recalled": "no scenario has learned anything before",
      "shape.changed": "no scenario changes one",
      "loop.trusted": "no scenario trusts one",
      "opening.approved": "no scenario approves one",
    },
    addedSince: { proofBudgetMs: null, saidNext: null },
    addedToAttestations: {},
    snapshotFormat: "b461b45eba9059e5",
  },
  {
    name: "0.1.0-before-faults",
    versions: {
      "loop.opened": 5,
      "frame.pushed": 3,
      "criterion.added": 3,
      "criterion.amended": 3,
      "criterion.attested": 2,
      "loop.continued": 2,
      "loop.completed": 2,
      "attempt.set-back": 2,
      "merge.ended": 2,
      "cost.charged": 2,
      "attempt.started": 2,
      "attempt.finished": 2,
    },
    without: {
      ...Object.fromEntries(
        ["intent.settled", "shape.drawn", "question.asked", "question.closed"].map((type) => [
          type,
          "no scenario asks a model before its plan",
        ]),
      ),
      "check.wavered": "no check of a scenario wavers",
      "next.said": "no scenario says it",
      "finding.resolved": "no scenario has a reviewer that finds anything",
      "plan.extended": "no scenario has a reviewer that finds anything",
      "learnings.recalled": "no scenario has learned anything before",
      "shape.changed": "no scenario changes one",
      "loop.trusted": "no scenario trusts one",
      "opening.approved": "no scenario approves one",
    },
    addedSince: { proofBudgetMs: null },
    addedToAttestations: {},
    snapshotFormat: "18aa47c5393813bb",
  },
  {
    name: "0.1.0-before-shown-proofs",
    versions: {
      "loop.opened": 6,
      "frame.pushed": 3,
      "criterion.added": 3,
      "criterion.amended": 3,
      "criterion.attested": 2,
      "loop.continued": 2,
      "loop.completed": 2,
      "attempt.set-back": 2,
      "merge.ended": 2,
      "cost.charged": 2,
      "attempt.started": 2,
      "attempt.finished": 2,
      "proof.shown": 2,
    },
    early: ["attempt.fell-short"],
    without: {
      ...Object.fromEntries(
        ["intent.settled", "shape.drawn", "question.asked", "question.closed"].map((type) => [
          type,
          "no scenario asks a model before its plan",
        ]),
      ),
      "check.wavered": "no check of a scenario wavers",
      "next.said": "no scenario says it",
      "finding.resolved": "no scenario has a reviewer that finds anything",
      "plan.extended": "no scenario has a reviewer that finds anything",
      "learnings.recalled": "no scenario has learned anything before",
      "shape.changed": "no scenario changes one",
      "loop.trusted": "no scenario trusts one",
      "opening.approved": "no scenario approves one",
    },
    addedSince: {},
    addedToAttestations: {},
    snapshotFormat: "18aa47c5393813bb",
  },
];

/** What came after all of them. */
const SINCE_ALL = {
  without: {
    "permission.denied": "came later",
    "commit.wanted": "came later",
    "work.committed": "came later",
    "commit.undone": "came later",
    "words.told": "came later",
    "words.heard": "came later",
    "attempt.fell-short": "came later",
    "attempt.placed": "came later",
    "task.edited": "came later",
    "task.skipped": "came later",
    "task.retried": "came later",
    "learnings.judged": "came later",
    "merge.undone": "came later",
    "work.checked": "came later",
  },
  addedSince: { denied: [], words: [] },
};

/** The loop as its own program made it, with what has been added to the form of a loop since. */
function loopOfToday(text: string, { addedSince, addedToAttestations }: FrozenSet): unknown {
  const loop = JSON.parse(text, (key, value: unknown) => {
    if (key === "attestation" && value !== null) return { ...value, ...addedToAttestations };
    if (typeof value !== "object" || value === null) return value;
    if (key === "setback") return { failing: [], ...value };
    if (key === "state" && "confidence" in value) return { doubts: [], ...value };
    if ("reservedUsd" in value) return { reservedTokens: null, ...value };
    if ("wavesDone" in value)
      return {
        ...{ skipped: [], retried: [], wavered: [], deliveredFrom: null, suspects: [], undone: null },
        ...value,
      };
    if ("everMet" in value) return { proofs: [], judgedAgainst: null, ...value };
    return "breakers" in value ? { proofs: [], ...value } : value;
  }) as { readonly phase: string };
  const ofEnd = loop.phase === "completed" ? { why: [], changed: null } : {};
  return { ...SINCE_ALL.addedSince, ...addedSince, ...ofEnd, ...loop };
}

const NEWLY_READ = new Set([
  ...["failedTree", "isAgents", "dearestTurnUsd", "asked", "pausedBy"],
  ...["proven", "unproven", "result"],
]);

/** A loop without what its journal told all along, and no program had a field for. */
function withoutNewlyRead(loop: unknown): unknown {
  return JSON.parse(JSON.stringify(loop), (key, value: unknown) => (NEWLY_READ.has(key) ? undefined : value));
}

function journalsOf(set: string): readonly string[] {
  return readdirSync(join(FOLDER, set))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.replace(/\.jsonl$/, ""));
}

/** A journal of this text, away from every snapshot. */
function journalOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-frozen-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "journal.jsonl");
  writeFileSync(path, text);
  return path;
}

function frozen(set: string, name: string): string {
  return readFileSync(join(FOLDER, set, `${name}.jsonl`), "utf8");
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").slice(0, -1);
}

test("every frozen set is held to", () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(SETS.map(({ name }) => name).toSorted());
});

describe.each(SETS)("the journals of $name", (then) => {
  const { name: set, versions, without, early = [], snapshotFormat } = then;
  describe.each(journalsOf(set))("%s", (name) => {
    test("is the loop that it was", () => {
      const text = readFileSync(join(FOLDER, set, `${name}.loop.json`), "utf8");
      const { loop } = loadJournal(journalOf(frozen(set, name)));
      expect(withoutNewlyRead(loop)).toEqual(withoutNewlyRead(loopOfToday(text, then)));
    });

    test("is that loop also beside a snapshot of that time", () => {
      const journal = journalOf(frozen(set, name));
      const { loop, cursor } = loadJournal(journal);
      const frozenLoop: unknown = JSON.parse(readFileSync(join(FOLDER, set, `${name}.loop.json`), "utf8"));
      const snapshot = { cursor, loop: frozenLoop };
      const text = { format: snapshotFormat, sum: sumOf(JSON.stringify(snapshot)), snapshot };
      writeFileSync(join(dirname(journal), "snapshot.json"), JSON.stringify(text));
      expect(loadJournal(journal).loop).toEqual(loop);
    });

    test("loads up to each of its records", () => {
      const lines = linesOf(frozen(set, name));
      for (const count of lines.keys()) {
        const text = lines.slice(0, count + 1).join("\n");
        expect(loadJournal(journalOf(`${text}\n`)).cursor.seq).toBeGreaterThan(0);
      }
    });
  });

  test("tell every event that there was, in the form of that time", () => {
    const told = new Map<string, number>();
    for (const line of journalsOf(set).flatMap((name) => linesOf(frozen(set, name)))) {
      const { events } = JSON.parse(line.slice(line.lastIndexOf('{"follows":'))) as {
        readonly events: readonly { readonly type: string; readonly v: number }[];
      };
      for (const { type, v } of events) told.set(type, v);
    }
    const later = { ...SINCE_ALL.without, ...without };
    const known = Object.keys(EVENT_VERSION).filter(
      (type) => early.includes(type) || !Object.hasOwn(later, type),
    );
    const expected = known.map((type) => [type, versions[type] ?? 1] as const);
    expect([...told].toSorted()).toEqual(expected.toSorted());
  });
});

/** A project with a loop that a program of old opened elsewhere, and that a person trusts here. */
function stageWith(set: string, name: string): Stage {
  const stage = new Stage();
  const { id } = JSON.parse(readFileSync(join(FOLDER, set, `${name}.loop.json`), "utf8")) as { id: string };
  mkdirSync(join(stage.root, ".loop", "loops", id), { recursive: true });
  copyFileSync(join(FOLDER, set, `${name}.jsonl`), stage.journal(id));
  const { code, err } = stage.loop("trust", id, "--yes");
  if (code !== 0) throw new Error(err);
  return stage;
}

const SESSION = "session-2";

describe.each(SETS)("a loop of $name", ({ name: set }) => {
  test("a session's is finished in another session", () => {
    const stage = stageWith(set, "session-active");
    const before = stage.own("journal.jsonl");
    expect(stage.loop("continue", "--session", SESSION).code).toBe(0);
    // Trust voids evidence: how long the check takes here is not known before.
    stage.loop("check");

    expect(heldReason(stage.stop(SESSION))).toContain("unmet criteria: done");
    stage.write({ "done.txt": "done\n" });
    expect(stage.agentLoop(SESSION, "done").code).toBe(0);
    // Nobody kept an opening then, so nothing can be compared with it.
    expect(toldOf(stage.stop(SESSION))).toContain("[LOOP] ✓ done: done (weak: ");

    expect(stage.only()).toMatchObject({ phase: "completed", confidence: "weak", iteration: 2 });
    expect(stage.own("journal.jsonl").startsWith(before)).toBe(true);
  });

  // In a usual run, those of the oldest version, which has the longest way to the form of today.
  test.runIf(isCiEffort || set === SETS[0]?.name).each(
    oneOf<[string, string, readonly string[]]>([
      ["a session's", "session-active", ["run"]],
      ["whose run was killed in the middle of a turn", "run-killed", ["run"]],
      ["whose run was interrupted", "run-interrupted", ["continue"]],
      ["whose run had spent its budget", "run-over-budget", ["continue", "--budget", "5"]],
    ]),
  )("%s is finished by a run", (_, name, command) => {
    const stage = stageWith(set, name);
    const before = stage.own("journal.jsonl");
    const script = stage.script([FINISHES], true);

    const ran = stage.loop(...command, "--loop", stage.id, "--agent", "rehearsal", "--script", script);

    expect(ran).toMatchObject({ code: 6 });
    expect(stage.only()).toMatchObject({ phase: "completed", confidence: "weak" });
    expect(stage.own("journal.jsonl").startsWith(before)).toBe(true);
  });
});
