import { spawnSync } from "node:child_process";
import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withoutWithheld } from "./withheld.mjs";

const REPORT = join(".loop", "report.html");
const LONGEST_MS = 60_000;

/** The loop as one page, for whoever looks at the job's artifact. Returns what to say about it; null: nothing. */
export function keepReport([command, ...args], env) {
  // An agent may have put a link in its place, and nothing is written through one.
  if (!lstatSync(".loop", { throwIfNoEntry: false })?.isDirectory()) return null;
  rmSync(REPORT, { recursive: true, force: true });
  const { status } = spawnSync(command, [...args, "export", "--out", REPORT], {
    env: withoutWithheld(env),
    stdio: "ignore",
    timeout: LONGEST_MS,
  });
  return status === 0 ? `What happened is in ${REPORT}, a page to open in a browser.` : null;
}
