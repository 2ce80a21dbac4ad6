import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Where a program lies on PATH; null when it does not. Only folders named in full: a relative one would find a program of the project. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
  const endings = process.platform === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD").split(";") : [""];
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const found = endings.map((ending) => join(folder, `${name}${ending}`)).find(isProgram);
    if (found !== undefined) return found;
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
