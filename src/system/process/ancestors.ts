import { procFile } from "./proc-file.ts";
import { parseStat } from "./process-table.ts";

/** Deeper than any chain of shells. */
const FURTHEST = 64;

/**
 * The environments of the parent processes, nearest first. Only Linux shows them, and not those of other users. A process can
 * change its own variables, but not its parent's.
 */
export function environmentsAbove(): readonly NodeJS.ProcessEnv[] {
  known ??= process.platform === "linux" ? readAbove() : [];
  return known;
}

let known: readonly NodeJS.ProcessEnv[] | null = null;

function readAbove(): readonly NodeJS.ProcessEnv[] {
  const found: NodeJS.ProcessEnv[] = [];
  for (let pid = process.ppid, steps = 0; pid > 1 && steps < FURTHEST; steps += 1) {
    const environ = procFile(`${pid}/environ`);
    if (environ !== null) found.push(parseEnviron(environ));
    pid = parseStat(procFile(`${pid}/stat`) ?? "")?.parent || 0;
  }
  return found;
}

function parseEnviron(environ: string): NodeJS.ProcessEnv {
  const pairs = Buffer.from(environ, "latin1").toString("utf8").split("\0");
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const end = pair.indexOf("=");
      return end < 1 ? [] : [[pair.slice(0, end), pair.slice(end + 1)]];
    }),
  );
}
