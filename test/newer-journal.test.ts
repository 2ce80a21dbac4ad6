import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { EVENT_VERSION } from "../src/core/events/event.ts";
import { sumOf } from "../src/storage/journal/record.ts";
import { Sandbox } from "./support/sandbox.ts";
import type { Ran } from "./support/sandbox.ts";

const SESSION = "session-1";
const SENTENCE = "a newer version of loop wrote this loop; update loopwright";
const AT = "2026-01-02T03:04:05.000Z";

let sandbox: Sandbox;
let id: string;
let journal: string;

beforeEach(() => {
  sandbox = new Sandbox({ "README.md": "A project\n" });
  ({ id } = sandbox.start(SESSION, "Write done.txt", "-c", "done=test -f done.txt"));
  journal = sandbox.journal(id);
});

/** Appends what a later program might: with fields that this one has never seen. */
function append(events: readonly object[], fields: object = {}): void {
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  const { sum: after } = JSON.parse(lines.at(-1) ?? "") as { sum: string };
  const record = {
    follows: lines.length,
    after,
    at: AT,
    nonce: "newer",
    ...fields,
    events,
    signature: "of tomorrow",
  };
  const body = JSON.stringify(record).slice(0, -1);
  writeFileSync(journal, `${body},"sum":"${sumOf(body)}"}\n`, { flag: "a" });
}

const FORKED = { type: "loop.forked", v: 3, into: ["a", "b"], deep: { er: null } };

/** All that the project and the machine know: each file with its text. */
function everything(): readonly string[] {
  return [sandbox.root, sandbox.home].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name))
      .map((path) => `${path}\n${readFileSync(path, "latin1")}`),
  );
}

describe.each<[string, () => void]>([
  ["an unknown event", () => append([FORKED])],
  ["a later version of a known event", () => append([{ type: "iteration.held", v: 9, number: "two" }])],
  ["an unknown event among known ones", () => append([{ type: "turn.started", v: 1 }, FORKED])],
  [
    "records of today after it",
    () => {
      append([FORKED]);
      append([{ type: "turn.started", v: 1 }]);
    },
  ],
])("a journal with %s", (_, write) => {
  beforeEach(() => write());

  test("lets the session go with a sentence, and stays as it is", () => {
    const before = everything();
    expect(sandbox.stop(SESSION)).toEqual({
      code: 0,
      out: JSON.stringify({ systemMessage: `[LOOP] Not held: ${SENTENCE}` }),
      err: "",
    });
    expect(everything()).toEqual(before);
    // Not forgotten: an update goes on with it.
    expect(sandbox.stop(SESSION).out).toContain(SENTENCE);
  });

  test("is listed without a phase", () => {
    const before = everything();
    expect(sandbox.status()).toMatchObject([
      { id, phase: null, reason: SENTENCE, spec: null, iteration: null, next: null },
    ]);
    expect(sandbox.loop("status").out).toBe(`newer ${id}\n  ${SENTENCE}\n`);
    expect(everything()).toEqual(before);
  });
});

function refusal(why: string): Ran {
  return { code: 1, out: "", err: `loop: ${why}\n` };
}

test.each([
  [["pause"]],
  [["continue"]],
  [["cancel"]],
  [["done"]],
  [["check"]],
  [["log"]],
  [["undo", "--yes"]],
  [["approve", "--yes"]],
  [["criteria", "add", "more"]],
  [["step", "add", "more"]],
  [["status", "--watch"]],
  [["run", "--agent", "command", "--command", "touch was-run"]],
])("loop %j leaves a journal of a newer version alone", (words) => {
  append([FORKED]);
  const before = everything();
  for (const named of [[], ["--loop", id]]) {
    if (words[0] === "run" && named.length === 0) continue; // that would open another loop
    expect(sandbox.loop(...words, ...named)).toEqual(refusal(`The loop ${id} cannot be used: ${SENTENCE}.`));
  }
  expect(everything()).toEqual(before);
});

test("what another machine wrote is not trusted, whatever it is", () => {
  append([FORKED]);
  const elsewhere = { env: { XDG_STATE_HOME: join(sandbox.home, "elsewhere") } };
  expect(
    sandbox.loopWith(elsewhere, "trust", id, "--yes").err + sandbox.loopWith(elsewhere, "trust", id).out,
  ).toContain(`The loop ${id} cannot be approved: ${SENTENCE}.`);
});

test("a doctor does not send it away", () => {
  append([FORKED]);
  const { out } = sandbox.loop("doctor");
  expect(out).toContain(SENTENCE);
  expect(out).not.toContain("move .loop/loops");
});

describe("a journal of a newer program that is damaged is corrupt", () => {
  test.each<[string, () => void, RegExp]>([
    [
      "in its sum",
      () => {
        append([FORKED]);
        writeFileSync(journal, readFileSync(journal, "utf8").replace("loop.forked", "loop.forkel"));
      },
      /damaged at byte/,
    ],
    [
      "in its chain",
      () => append([FORKED], { after: "0123456789abcdef" }),
      /record 2 is missing or was replaced/,
    ],
    ["by a gap", () => append([FORKED], { follows: 7 }), /record 2 is missing or was replaced/],
    [
      "after the newer record",
      () => {
        append([FORKED]);
        append([FORKED], { after: "0123456789abcdef" });
      },
      /record 3 is missing or was replaced/,
    ],
    ["beside the newer event", () => append([FORKED, { type: "turn.started" }]), /of the wrong form/],
  ])("%s", (_, damage, about) => {
    damage();
    expect(sandbox.stop(SESSION).out).toContain("Aborted, not held");
    expect(sandbox.only()).toMatchObject({ phase: "aborted", reason: expect.stringMatching(about) });
  });
});

test("a newer record that came too late to count says nothing", () => {
  append([{ type: "turn.started", v: 1 }]);
  append([FORKED], { follows: 1 });
  expect(sandbox.only()).toMatchObject({ phase: "active" });
});

test("a snapshot of a newer program does not lead past what only that one knows", () => {
  append([FORKED]);
  append([{ type: "turn.started", v: 1 }]);
  const bytes = readFileSync(journal);
  const { sum } = JSON.parse(bytes.toString().trimEnd().split("\n").at(-1) ?? "") as { sum: string };
  const cursor = { seq: 3, sum, start: bytes.lastIndexOf('{"follows":') };
  const snapshot = { cursor, loop: { id, frames: [] } };
  const events = { ...EVENT_VERSION, "loop.forked": 3 };
  const format = sumOf(JSON.stringify({ loop: 5, events }));
  const text = JSON.stringify({ format, sum: sumOf(JSON.stringify(snapshot)), snapshot });
  writeFileSync(join(sandbox.root, ".loop", "loops", id, "snapshot.json"), text);
  expect(sandbox.only()).toMatchObject({ phase: null, reason: SENTENCE });
});
