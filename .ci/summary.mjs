#!/usr/bin/env node
// The end of what .ci/run prints: which tests failed, also those that passed when they ran alone, and the counts of the suite.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const print = (line) => process.stdout.write(`${line}\n`);
const reports = process.env.TEST_REPORTS;
const read = (file) => JSON.parse(readFileSync(join(reports, file), "utf8"));

for (const file of readdirSync(reports).filter((each) => each.endsWith(".json"))) {
  const { flaky, failures } = read(file);
  const part = file.replace(".json", "");
  for (const test of flaky) print(`flaky: failed under load, passed alone: ${test} (${part})`);
  for (const test of failures) print(`failed: ${test} (${part})`);
}
// Every test of the suite once; not those that were run again on another Node, nor those with the real agents.
const suite = ["covered.json", "tests.json"].filter((file) => existsSync(join(reports, file))).map(read);
const sum = (key) => suite.reduce((total, report) => total + report[key], 0);
print(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
