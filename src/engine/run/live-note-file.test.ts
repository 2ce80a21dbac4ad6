import { createMachine } from "../../storage/loops/machine.ts";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isDrivenNow } from "../../storage/loops/known-loop.ts";
import type { Loop, ProcessMark } from "../../core/loop/loop.ts";
import { ownMark, startOfProcess } from "../../system/process/process-facts.ts";
import { loopFolder, projectAt } from "../../storage/home/project.ts";
import { loopWith, sessionId } from "../../../test/support/loop-builders.ts";
import type { LiveNews } from "../../views/news/live-state.ts";
import { keepLiveNote, readLiveNote, type LiveNoteKeeper } from "./live-note-file.ts";

const project = projectAt(mkdtempSync(join(tmpdir(), "loopwright-note-")));
const RUN = sessionId("run-1");

function drivenBy(process: ProcessMark): Loop {
  return loopWith({}, { type: "run.began", run: RUN, driver: "codex", model: null, process });
}

const mine = drivenBy(ownMark());
const path = join(loopFolder(project, mine.id), "live.json");

function keep(): LiveNoteKeeper {
  const machine = createMachine({}, project.root);
  return keepLiveNote(machine, project, mine.id);
}

function said(text: string): LiveNews {
  return { type: "seen", agentEvent: { type: "said", text }, usd: null };
}

beforeEach(() => {
  mkdirSync(loopFolder(project, mine.id), { recursive: true });
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(project.root, { recursive: true, force: true });
});

test("the live note of a run tells what the run does, to the user only", () => {
  const { tell } = keep();
  tell(said("I look at the tests."));
  tell({ type: "seen", agentEvent: { type: "used", tool: "Bash", detail: "npm test" }, usd: null });
  tell({ type: "checking", name: "tests pass" });
  tell({ type: "checked", name: "tests pass", passed: true });
  vi.runAllTimers();
  expect(readLiveNote(project, mine)).toMatchObject({
    doing: { type: "checking", name: "tests pass" },
    said: "I look at the tests.",
    tool: { name: "Bash", detail: "npm test" },
    checked: [{ name: "tests pass", passed: true }],
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("the live note of a run is written once a second at most, and in the end as it is", () => {
  const { tell } = keep();
  tell(said("one"));
  vi.advanceTimersByTime(0);
  const first = statSync(path).ino;
  tell(said("two"));
  tell(said("three"));
  vi.advanceTimersByTime(999);
  expect(statSync(path).ino).toBe(first);
  vi.advanceTimersByTime(1);
  expect(readLiveNote(project, mine)?.said).toBe("three");
});

test("the live note of a run brings no deleted loop back", () => {
  const { tell, forget } = keep();
  rmSync(project.folder, { recursive: true });
  tell(said("anybody there?"));
  expect(() => vi.runAllTimers()).not.toThrow();
  forget();
  expect(existsSync(project.folder)).toBe(false);
});

test("the live note of a run is gone when the run is over", () => {
  const { tell, forget } = keep();
  tell(said("one"));
  vi.runAllTimers();
  tell(said("two"));
  forget();
  vi.runAllTimers();
  expect(existsSync(path)).toBe(false);
});

test("the live note of a run is left alone by a run that had nothing to tell", () => {
  writeFileSync(path, "another run's");
  keep().forget();
  expect(existsSync(path)).toBe(true);
});

test("the live note of a run is believed only of the process that drives the loop, and only while it lives", () => {
  const { tell } = keep();
  tell(said("one"));
  vi.runAllTimers();
  const dead = { ...ownMark(), startedAt: "before" };
  const parent = { ...ownMark(), pid: process.ppid, startedAt: startOfProcess(process.ppid) ?? "" };
  expect(readLiveNote(project, mine)).not.toBeNull();
  expect(readLiveNote(project, drivenBy(dead))).toBeNull();
  expect(readLiveNote(project, drivenBy(parent))).toBeNull();
  expect(readLiveNote(project, loopWith({}))).toBeNull();
  expect([mine, drivenBy(dead), loopWith({})].map(isDrivenNow)).toEqual([true, false, false]);
});

test("the live note of a run is not believed when it is anything else", () => {
  const { tell } = keep();
  tell(said("one"));
  vi.runAllTimers();
  const note = JSON.parse(readFileSync(path, "utf8")) as { [key: string]: unknown };
  const strange = [
    "",
    "{",
    "[]",
    JSON.stringify({ ...note, said: 7 }),
    JSON.stringify({ ...note, doing: { type: "dancing" } }),
    JSON.stringify({ ...note, turnUsd: -1 }),
    JSON.stringify({ ...note, said: "x".repeat(2_000) }),
    JSON.stringify({ ...note, filler: "x".repeat(100_000) }),
  ];
  const believed = strange.filter((text) => {
    writeFileSync(path, text);
    return readLiveNote(project, mine) !== null;
  });
  expect(believed).toEqual([]);
});
