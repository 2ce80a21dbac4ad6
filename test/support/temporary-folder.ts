import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFullEffort } from "./effort.ts";

const MEMORY = "/dev/shm";
const ROOM = 2 * 1024 ** 3;

/**
 * A folder for everything that tests write. Where the machine has room it is in memory, since most of their time would
 * go into making small files; with full effort it is on a disk, as users have it.
 */
export function makeTemporaryFolder(): string {
  const isAsked = process.env["TMPDIR"] !== undefined && process.env["TMPDIR"] !== "";
  const parent = !isAsked && !isFullEffort && canRunIn(MEMORY) ? MEMORY : tmpdir();
  removeLeftBehind(parent);
  return realpathSync(mkdtempSync(join(parent, `loopwright-tests-${process.pid}-`)));
}

/** What one process makes once for all its tests. Removed when the process ends. */
export function makeSharedFolder(kind: "templates" | "package"): string {
  removeLeftBehind(tmpdir());
  const folder = mkdtempSync(join(tmpdir(), `loopwright-${kind}-${process.pid}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const OUR_NAME = /^loopwright-(?:tests|templates|package)-(\d+)-/;
const HOUR_MS = 3_600_000;

/** A run that is killed cleans nothing up. In another container it may be alive although no process here has its id, but it writes. */
export function removeLeftBehind(parent: string, now = Date.now()): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = OUR_NAME.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(parent, name);
    const { mtimeMs = now } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > HOUR_MS) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Containers often have a small one, or one from which nothing may be run. */
function canRunIn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ROOM && runsScripts(folder);
  } catch {
    return false;
  }
}

function runsScripts(folder: string): boolean {
  const own = mkdtempSync(join(folder, "loopwright-probe-"));
  try {
    writeFileSync(join(own, "probe"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    return spawnSync(join(own, "probe")).status === 0;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
