import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Where a program lies on PATH; null when it does not. Only folders named in full: a relative one would find a program of the project. */
export function findOnPath(program: string, env: NodeJS.ProcessEnv): string | null {
  const endings = process.platform === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD").split(";") : [""];
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const found = endings.map((ending) => join(folder, `${program}${ending}`)).find(isProgram);
    if (found !== undefined) return found;
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    // Asked first, since most folders do not have it, and an error costs more than an answer.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
