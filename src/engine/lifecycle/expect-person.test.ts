import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loopWith } from "../../../test/support/loop-builders.ts";
import type { SessionId } from "../../core/loop/id.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { recordStart } from "../../storage/home/session-files.ts";
import { otherSessionOf } from "./expect-person.ts";

const FIRST = "session-one" as SessionId;
const SECOND = "session-two" as SessionId;
const MINUTE = 60_000;
const LOOP = loopWith({}, { type: "session.bound", binding: { session: FIRST, host: "claude-code" } });

function machineAt(now: number): Machine {
  const home = mkdtempSync(join(tmpdir(), "loopwright-other-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, "sessions"));
  return { home, now: () => now } as Machine;
}

test("a session that was heard of lately is alive, and silence ends that", () => {
  const soon = otherSessionOf(machineAt(LOOP.updatedAt + 3 * MINUTE), LOOP, SECOND);
  expect(soon).toEqual({
    session: FIRST,
    isAlive: true,
    text: "session session-one, last active 3 min ago",
  });
  expect(otherSessionOf(machineAt(LOOP.updatedAt + 11 * MINUTE), LOOP, SECOND)?.isAlive).toBe(false);
});

test("a session whose transcript was written lately is alive", () => {
  const now = LOOP.updatedAt + 60 * MINUTE;
  const machine = machineAt(now);
  const transcriptPath = join(machine.home, "transcript.jsonl");
  writeFileSync(transcriptPath, "");
  utimesSync(transcriptPath, now / 1000 - 60, now / 1000 - 60);
  recordStart(machine.home, FIRST, { startedAt: 0, transcriptPath });
  expect(otherSessionOf(machine, LOOP, SECOND)?.isAlive).toBe(true);
});

test("no other session is named to the session itself, for a loop without one, and for a paused loop", () => {
  const machine = machineAt(LOOP.updatedAt);
  expect(otherSessionOf(machine, LOOP, FIRST)).toBeNull();
  expect(otherSessionOf(machine, loopWith({ binding: null }), SECOND)).toBeNull();
  const paused = loopWith(
    {},
    { type: "session.bound", binding: { session: FIRST, host: "claude-code" } },
    { type: "loop.paused", reason: "user", detail: null, by: "person" },
  );
  expect(otherSessionOf(machine, paused, SECOND)).toBeNull();
});
