import { type Reader, runnerReport } from "../test-report.ts";

const ASSERTS =
  /^Asserts: +(\d{1,9}) pass +(\d{1,9}) fail(?: +(\d{1,9}) skip)?(?: +(\d{1,9}) todo)? +\d+ of \d+ complete$/;

const FILE = /^ (?:PASS|FAIL|TODO|SKIP) /;

/** What the program `tap` prints instead of the TAP it read. */
export const readNodeTap: Reader = (lines) => {
  let from = -1;
  return lines.flatMap((text, line) => {
    if (from < 0 && FILE.test(text)) from = line;
    const found = ASSERTS.exec(text);
    if (found === null) return [];
    const begun = from < 0 ? line : from;
    from = -1;
    const [passed = 0, failed = 0, skipped = 0, todo = 0] = found
      .slice(1)
      .map((number) => Number(number ?? 0));
    return [runnerReport({ runner: "tap", from: begun, to: line, passed, failed, skipped, todo })];
  });
};
