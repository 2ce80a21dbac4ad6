#!/usr/bin/env node
// Runs vitest with these options and filters: .ci/tests.mjs NAME --option=value… FILE…
// When tests of a few files fail, those files get a second look: alone, on one worker. What passes then failed for lack of
// time or memory and not for a defect of the change at hand. It is not hidden: .ci/summary.mjs names it at the end.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

const MOST_FILES = 5;
const reports = process.env.TEST_REPORTS ?? mkdtempSync(join(tmpdir(), "test-reports-"));
const [name, ...options] = process.argv.slice(2);

const first = runTests("first", options);
const failed = first.files.filter(({ failures }) => failures.length > 0);
const isWorthALook =
  first.code !== 0 &&
  failed.length > 0 &&
  failed.length <= MOST_FILES &&
  failed.every(({ file }) => file !== null);
const second = isWorthALook ? lookAgain(failed.map(({ file }) => file)) : null;

const { code, files } = second ?? first;
const seenLast = [...new Map([...first.files, ...files].map((each) => [each.file, each])).values()];
const sum = (count) => seenLast.reduce((total, each) => total + count(each), 0);
const failures = seenLast.flatMap(named);
const passedAlone = (file) => seenLast.some((each) => each.file === file && each.failures.length === 0);
// A threshold of the coverage, say, or a vitest that was killed.
if (code !== 0 && failures.length === 0) failures.push(`vitest ended with ${code}, and named no test`);
writeFileSync(
  join(reports, `${name}.json`),
  JSON.stringify({
    passed: sum(({ passed }) => passed),
    failed: failures.length,
    skipped: sum(({ skipped }) => skipped),
    flaky: failed.filter(({ file }) => passedAlone(file)).flatMap(named),
    failures,
  }),
);
process.exit(code);

/** Coverage is that of every file together, so all of them are run again. */
function lookAgain(files) {
  process.stdout.write(
    `\n${name}: a second look at ${files.length} of the files, on one worker: ${files.join(" ")}\n`,
  );
  const isOption = (word) => word.startsWith("-");
  const again = options.includes("--coverage") ? options : [...options.filter(isOption), ...files];
  return runTests("second", [...again, "--maxWorkers=1"]);
}

function runTests(look, words) {
  const outcome = join(reports, `${name}-${look}.outcome`);
  const reporters = [
    "--reporter=default",
    `--reporter=${resolve(import.meta.dirname, "outcome-reporter.mjs")}`,
  ];
  const { status } = spawnSync("npx", ["vitest", "run", ...words, ...reporters], {
    stdio: "inherit",
    env: { ...process.env, TEST_OUTCOME: outcome },
  });
  return { code: status ?? 1, files: existsSync(outcome) ? JSON.parse(readFileSync(outcome, "utf8")) : [] };
}

function named({ file, failures }) {
  return failures.map((failure) => `${file === null ? "" : `${relative(".", file)} > `}${failure}`);
}
