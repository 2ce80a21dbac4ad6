import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from "node:fs";
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
  return realpathSync(mkdtempSync(join(parent, "loopwright-tests-")));
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
