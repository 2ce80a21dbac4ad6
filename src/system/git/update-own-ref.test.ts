import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { updateOwnRef, watchLock } from "./update-own-ref.ts";

const REF = "refs/loopwright/a-loop/1";

let root = "";
let commit = "";

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

/** As a git leaves it that is killed while it changes the ref. */
function leaveLock(ref: string, ageMs: number): string {
  const lock = join(root, ".git", `${ref}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, "");
  const at = (Date.now() - ageMs) / 1_000;
  utimesSync(lock, at, at);
  return lock;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-ref-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "-m", "First");
  commit = git("rev-parse", "HEAD");
});

describe("a ref of ours", () => {
  test("whose lock a killed git left behind is changed all the same", async () => {
    const lock = leaveLock(REF, 60_000);
    const outcome = await updateOwnRef({ root, ref: REF, args: ["update-ref", REF, commit] });
    expect(outcome).toMatchObject({ ok: true });
    expect(git("rev-parse", REF)).toBe(commit);
    expect(existsSync(lock)).toBe(false);
  });

  test("whose lock is fresh is waited for, and the lock left to whoever has it", async () => {
    const lock = leaveLock(REF, 0);
    let isChanged = false;
    const changing = updateOwnRef({ root, ref: REF, args: ["update-ref", REF, commit] }).finally(() => {
      isChanged = true;
    });
    await sleep(300);
    expect([isChanged, existsSync(lock)]).toEqual([false, true]);
    rmSync(lock);
    expect(await changing).toMatchObject({ ok: true });
  });

  test("whose lock has a date to come is waited for as long as for a fresh one, and no longer", () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const isDead = watchLock();
    const lock = { ino: 1, mtimeMs: Date.now() + 3_600_000 };
    expect(isDead(lock)).toBe(false);
    vi.advanceTimersByTime(4_000);
    // Another git has made one of its own meanwhile.
    expect(isDead({ ...lock, ino: 2 })).toBe(false);
    vi.advanceTimersByTime(4_000);
    expect(isDead({ ...lock, ino: 2 })).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(isDead({ ...lock, ino: 2 })).toBe(true);
  });

  test("with a folder in place of its lock says so at once, and leaves the folder", async () => {
    const lock = join(root, ".git", `${REF}.lock`);
    mkdirSync(lock, { recursive: true });
    utimesSync(lock, 1, 1);
    const outcome = await updateOwnRef({ root, ref: REF, args: ["update-ref", REF, commit] });
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining("File exists") as string });
    expect(existsSync(lock)).toBe(true);
  });

  test("that can't be changed for another reason says so at once", async () => {
    const wrong = "1".repeat(commit.length);
    const outcome = await updateOwnRef({ root, ref: REF, args: ["update-ref", REF, commit, wrong] });
    expect(outcome).toMatchObject({ ok: false });
  });

  test("leaves the lock of another ref alone", async () => {
    const lock = leaveLock("refs/heads/mine", 60_000);
    const args = ["update-ref", "refs/heads/mine", commit];
    expect(await updateOwnRef({ root, ref: REF, args })).toMatchObject({ ok: false });
    expect(existsSync(lock)).toBe(true);
  });
});
