import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, normalize, sep } from "node:path";

/** Where a program is on PATH; null if it isn't. Ignores relative entries, which could find a program in the project. */
export function findOnPath(program: string, env: NodeJS.ProcessEnv): string | null {
  const endings = process.platform === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD").split(";") : [""];
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const found = endings.map((ending) => `${folder}${sep}${program}${ending}`).find(isProgram);
    if (found !== undefined) return normalize(found);
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    // Checked first, since most folders don't have it, and an error costs more than an answer.
    if (!existsSync(path) || !statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
