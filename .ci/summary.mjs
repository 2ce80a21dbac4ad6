#!/usr/bin/env node
// The end of what .ci/run prints: which tests failed, also those that passed when they ran alone, and the counts of the suite.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const reports = process.env.TEST_REPORTS;
const parts = readdirSync(reports)
  .filter((file) => /^[^.]+\.outcome$/.test(file))
  .map((file) => file.replace(".outcome", ""));

const seen = new Map(parts.map((part) => [part, seenLast(part)]));
for (const part of parts) {
  const last = seen.get(part);
  const isMended = ({ file }) => last.some((each) => each.file === file && each.failures.length === 0);
  const flaky = outcomeOf(part).filter(isMended).flatMap(named);
  for (const test of flaky) print(`flaky: failed under load, passed alone: ${test} (${part})`);
  for (const test of last.flatMap(named)) print(`failed: ${test} (${part})`);
}
// Every test once: what was run again on another Node counts only if it failed there.
const all = [...seen.values()].flat();
const once = ["covered", "tests", "e2e"].flatMap((part) => seen.get(part) ?? []);
const sum = (files, count) => files.reduce((total, each) => total + count(each), 0);
const [passed, skipped] = [sum(once, (each) => each.passed), sum(once, (each) => each.skipped)];
print(`${passed} passed, ${sum(all, (each) => each.failures.length)} failed, ${skipped} skipped`);

/** Of each file, what the last look at it showed. */
function seenLast(part) {
  const looks = [...outcomeOf(part), ...outcomeOf(`${part}.again`)];
  return [...new Map(looks.map((each) => [each.file, each])).values()];
}

function outcomeOf(look) {
  const path = join(reports, `${look}.outcome`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
}

function named({ file, failures }) {
  return failures.map((failure) => `${file === null ? "" : `${relative(".", file)} > `}${failure}`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
