#!/usr/bin/env node
// After a run of tests that failed: .ci/second-look.mjs NAME COMMAND…
// When tests of a few files failed, runs the command with those files alone, on one worker. What passes then failed for lack
// of time or memory, and not for a defect of the change at hand. It is not hidden: .ci/summary.mjs names it at the end.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const MOST_FILES = 5;
const reports = process.env.TEST_REPORTS ?? "";
const [name, program, ...words] = process.argv.slice(2);

const first = join(reports, `${name}.outcome`);
const outcome = existsSync(first) ? JSON.parse(readFileSync(first, "utf8")) : [];
const failed = outcome.filter(({ failures }) => failures.length > 0).map(({ file }) => file);
if (failed.length === 0) giveUp("vitest failed, and named no test");
if (failed.includes(null)) giveUp("an error is nobody's");
if (failed.length > MOST_FILES) giveUp(`tests of ${failed.length} files failed`);

say(`a second look at ${failed.length} of the files, on one worker: ${failed.join(" ")}`);
// Coverage is that of every file together, so all of them are run again.
const files = words.includes("coverage") ? [] : failed;
const kept = [
  "--reporter=default",
  `--reporter=${resolve(import.meta.dirname, "outcome-reporter.mjs")}`,
  `--outputFile.outcome=${join(reports, `${name}.again.outcome`)}`,
];
const { status } = spawnSync(program, [...words, ...files, "--maxWorkers=1", ...kept], { stdio: "inherit" });
process.exit(status ?? 1);

function giveUp(why) {
  say(`not looked at again: ${why}`);
  process.exit(1);
}

function say(text) {
  process.stdout.write(`\n${name}: ${text}\n`);
}
