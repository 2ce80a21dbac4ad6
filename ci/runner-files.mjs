import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RUNNER_FILES } from "./withheld.mjs";

/** Where GitHub's runner keeps such files, also those of the action that a step belongs to, which the step is not told of. */
const FOLDER = "_runner_file_commands";

/**
 * Remembers what the runner's files hold. Not to be told where they are keeps nobody from looking for them, so the
 * returned function puts back what they held, and names those that had been changed.
 */
export function rememberRunnerFiles(env) {
  const named = RUNNER_FILES.flatMap((name) => env[name] || []);
  const folders = new Set(named.map((path) => dirname(path)).filter((path) => basename(path) === FOLDER));
  const beside = [...folders].flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  const known = [...new Set([...named, ...beside])].map((path) => ({ path, held: heldBy(path) }));
  return () => known.filter(putBack).map(({ path }) => basename(path));
}

function putBack({ path, held }) {
  const found = heldBy(path);
  if (found === held || (found !== null && held !== null && found.equals(held))) return false;
  rmSync(path, { recursive: true, force: true });
  if (held !== null) writeFileSync(path, held, { flag: "wx" });
  return true;
}

/** null: there is no such file, or something else in its place. */
function heldBy(path) {
  try {
    return lstatSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
