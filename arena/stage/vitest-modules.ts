import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const MODULES = "node_modules";

interface Manifest {
  readonly dependencies?: { readonly [name: string]: string };
  readonly optionalDependencies?: { readonly [name: string]: string };
}

/** Vitest and all that it needs, out of this repository's own modules; returns where they are. */
export function copyVitest(folder: string): string {
  const modules = join(folder, MODULES);
  for (const name of closureOf("vitest")) {
    cpSync(join(MODULES, name), join(modules, name), { recursive: true });
  }
  mkdirSync(join(modules, ".bin"));
  symlinkSync("../vitest/vitest.mjs", join(modules, ".bin", "vitest"));
  return modules;
}

function closureOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  const manifest = join(MODULES, name, "package.json");
  // Optional ones are for other platforms.
  if (found.has(name) || !existsSync(manifest)) return found;
  found.add(name);
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, "utf8")) as Manifest;
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) closureOf(each, found);
  return found;
}
