import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { processesWith } from "./sleepers.ts";

/** All that can be told of the files below a folder, ignored ones and git's own included. */
export function fingerprintOf(folder: string): readonly string[] {
  const found = lstatSync(folder);
  const line = [folder, found.mode, found.uid, found.gid, found.mtimeMs, contentOf(folder)].join(" ");
  if (!found.isDirectory()) return [line];
  return [line, ...readdirSync(folder).flatMap((name) => fingerprintOf(join(folder, name)))];
}

/** Mounts and processes of this machine that know of a folder. */
export function tracesOf(folder: string): readonly string[] {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  return [
    ...mounts.filter((line) => line.includes(folder)),
    ...processesWith(folder)
      .filter((pid) => pid !== process.pid)
      .map((pid) => `process ${pid}`),
  ];
}

function contentOf(path: string): string {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return readlinkSync(path);
  return found.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
}
