import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The program as another version of it: built from these sources, with some of their words replaced. */
export function buildOther(
  folder: string,
  version: string,
  changes: readonly { readonly file: string; readonly from: string; readonly to: string }[],
): string {
  mkdirSync(folder, { recursive: true });
  for (const part of ["src", "scripts", "plugin", "package.json", "LICENSE"])
    cpSync(resolve(part), join(folder, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const own = readFileSync(join(folder, "package.json"), "utf8");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...JSON.parse(own), version }));
  for (const { file, from, to } of changes) {
    const text = readFileSync(join(folder, file), "utf8");
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(join(folder, file), text.replace(from, to));
  }
  const built = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: folder, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`not built: ${built.stderr}`);
  return join(folder, "dist", "cli.js");
}
