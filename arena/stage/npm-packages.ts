import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { start } from "./process.ts";

/** The modules of an installation of these packages, kept from run to run; null where it cannot be had. */
export async function installed(
  packages: readonly string[],
  tell: (line: string) => void,
): Promise<string | null> {
  const name = createHash("sha256").update(packages.join()).digest("hex").slice(0, 12);
  const folder = resolve("node_modules/.cache/arena", `npm-${name}`);
  const [modules, mark] = [join(folder, "node_modules"), join(folder, "complete")];
  if (existsSync(mark)) return modules;
  tell(`installing ${packages.join(", ")} into ${folder} (npm install)`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}\n");
  const { code } = await start(["npm", "install", "--silent", "--no-audit", "--no-fund", ...packages], {
    cwd: folder,
    env: process.env,
  });
  if (code !== 0) return null;
  writeFileSync(mark, "");
  return modules;
}
