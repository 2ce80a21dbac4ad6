import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { processesWith, readProc } from "./sleepers.ts";

/** All that can be told of the files below a folder, ignored ones and git's own included. */
export function fingerprintOf(folder: string): readonly string[] {
  const found = lstatSync(folder);
  const line = [folder, found.mode, found.uid, found.gid, found.mtimeMs, contentOf(folder)].join(" ");
  if (!found.isDirectory()) return [line];
  return [line, ...readdirSync(folder).flatMap((name) => fingerprintOf(join(folder, name)))];
}

/** Processes that name a folder, and those, in whatever namespace, that have something mounted there. */
export function tracesOf(folder: string): readonly string[] {
  const mounting = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && readProc(name, "mountinfo").includes(folder),
  );
  return [...new Set([...processesWith(folder), ...mounting.map(Number)])]
    .filter((pid) => pid !== process.pid || mounting.includes(String(pid)))
    .map((pid) => `${pid} ${readProc(pid, "cmdline")}`);
}

function contentOf(path: string): string {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return readlinkSync(path);
  return found.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
}
