/** Files of tools and libraries: a failure passes through them, it isn't there. */
const LIBRARY =
  /node_modules|site-packages|dist-packages|\bnode:|\/usr\/(?:lib|share|include)\/|\/gems\/|\/\.cargo\/|\/rustc\/|\/lib\/python\d|\bext:|<Jasmine>|\/vendor\/|\borg\.(?:junit|opentest4j|apache\.maven|gradle)\b|\bjava\.base\/|\bjdk\.|\bunittest\/|\(elixir |\(ex_unit /;

const IN_WORDS: readonly RegExp[] = [
  /\bFile "([^"]+)", line (\d+)/,
  /\bat (\S+) line (\d+)\b/,
  /\bfile (\S+), line (\d+)/,
  /\bin (\S+):line (\d+)/,
  /^(\S+\.\w+)\((\d+),\d+\)/,
  /\bin (\S+\.\w+) on line (\d+)/,
  /^\s*File: ([^\s:]+):(\d+)/,
];

/** The places in a line, as FILE:LINE, but for those in libraries. */
export function placesIn(line: string): readonly string[] {
  if (!/\d/.test(line) || LIBRARY.test(line)) return [];
  for (const pattern of IN_WORDS) {
    const [, file, number] = pattern.exec(line) ?? [];
    if (file !== undefined && number !== undefined) return [`${file}:${number}`];
  }
  return line.split(/[\s()'"`,;<>[\]]+/).flatMap((word) => {
    const [, file, number] =
      /^(?:file:\/\/)?((?:[A-Za-z]:)?[^:]*\.[A-Za-z]\w{0,5}):(\d{1,7})(?!\w)/.exec(word) ?? [];
    return file === undefined || number === undefined ? [] : [`${file.replace(/^\.\//, "")}:${number}`];
  });
}

const NOISE: readonly RegExp[] = [
  /^[\s\W]*$/,
  // Frames.
  /^\s*at (?:async )?(?:\S+ \(|<?[\w./:@-]+[>:]|new |Object\.|process\.)/,
  /^\s*(?:❯|›) /,
  /^\s*# \S+:\d+:in\b/,
  /^\s*(?:from )?\S+:\d+:in [`']/,
  /^\s*\S+:\d+: (?:in \S+|\(test\)|Failure)$/,
  /^\s*at \S+ line \d+\.?$/,
  /^\s*#? *\(in test file .*, line \d+\)$/,
  // A place alone.
  /^\s*(?:file:\/\/)?[^\s:]+:\d+(?::\d+)?:?$/,
  // Code that is shown around a place.
  /^\s*>?\s*\d+\s*[|│]/,
  /^(?:\s+|\s*=>\s*)\d+: /,
  /^\s*\|/,
  /^\s*--> /,
  /^\s*Failure\/Error:/,
  /^\s*code:/,
  // Labels, and what is told of every test.
  /^\s*(?:Message|Stack|Error Message|Stack Trace|stacktrace|Traceback|Diff|Compared values):?$/i,
  /^\s*(?:duration_ms|type|location|failureType|code|name|operator|stack|at|generatedMessage|diff): ?/,
  /^\s*[✔✓↩∅☢↓﹣] /,
  /^\s*(?:ok \d|\(pass\) |PASS )|# (?:SKIP|TODO)\b|(?: PASSED| \.\.\. ok)\b/i,
  /^(?:\S+ )?[.FEsxX*]+(?: +\[ *\d+%\])?$/,
  // Commands that are echoed.
  /^\s*[>$+] \S/,
];

/** A line that says nothing about what went wrong: frames, rules, code around a place, commands, passing tests. */
export function isNoise(line: string): boolean {
  return NOISE.some((pattern) => pattern.test(line));
}

const DETAIL =
  /^[\s#E│]*(?:(?:expected|received|actual|got|left|right)\s*[:=] ?\s*\S|\+ {2}where |with expansion:$|Which is: |(?:\+\+|--)\S.*\((?:Expected|Actual)\)$)/i;

/** What was expected, or what was there instead. */
export function isDetail(line: string): boolean {
  return DETAIL.test(line);
}

const SUMMARIES: readonly RegExp[] = [
  /\b\d+ (?:tests?|specs?|examples?|suites?|runs?|assertions?|checks?|pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|skipped|pending|subtests?)\b/i,
  /\b(?:tests?|suites?|test (?:suites|files|cases)|pass(?:ed)?|fail(?:ed|ures?)?|errors?|cancelled|skipped|todo|duration\w*|total)\b\s*[:=]?\s*\d/i,
  /^\s*(?:FAIL|FAILED|PASS|OK|ok|FAILURES!*|ERRORS!*)\s*(?:\S+\s*(?:[\d.]+m?s)?)?$/,
  /^\s*=+ .* =+$/,
  /^\s*(?:test result: |Start at |Duration |Finished in |Ran all |Randomized |1\.\.\d)/,
];

/** "expected Total 17, got 3" has words of a summary, and says what failed. */
const COMPARED = /\bexpected\b.{0,200}\b(?:got|but|received|found|to)\b/i;

/** Numbers of tests, and the words that end a report. */
export function isSummary(line: string): boolean {
  return SUMMARIES.some((pattern) => pattern.test(line)) && !COMPARED.test(line);
}
