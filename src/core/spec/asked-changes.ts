import { readClauses } from "./clause.ts";
import { findPlaces } from "./scope.ts";

/** What a spec asks to change about tests, in its own words. */
export interface AskedChange {
  /** The sentence that says so. */
  readonly words: string;
  /**
   * `files`: those it names. `about`: tests that mention the names. `all`: tests and how they are run. `output`: tests that mention
   * the names, if they agree with how it is before the work. `compared`: the files it names, perhaps by a glob, if something is
   * compared with them; without names, all that are named as expected. `config`: the files it names, if they say how checks run.
   */
  readonly what: "files" | "about" | "all" | "output" | "compared" | "config";
  readonly names: readonly string[];
}

const TESTS =
  "(?:(?:unit|integration|end-to-end|e2e|existing|failing|flaky|old|related|corresponding|affected|wrong|its|their|the|all|our|any)\\s){0,4}(?:(?:doc[ -]?)?tests?|specs?|test (?:cases?|files?|suites?)|suites?|expectations?|expected (?:values?|outputs?|results?)|assertions?|snapshots?|fixtures?|goldens?|golden (?:files?|outputs?))";
const CHANGE =
  "(?:update|change|adjust|adapt|edit|modify|rewrite|correct|revise|regenerate|refresh|rework|replace|re-?record)";
const REMOVE = "(?:remove|delete|drop|get rid of)";
const SKIP = "(?:skip|disable|quarantine|mute|xfail)";

const NEGATED =
  /\b(?:do not|don't|don’t|never|must not|mustn't|should not|shouldn't|may not|cannot|without\s(?:(?:any|the|its|their|a|an|making|further|other)\s){0,3}(?:\w+ing|changes?|edits?|modifications?|tests?|specs?)|unchanged|untouched|leave|keep|instead of (?:chang|edit|touch|adapt)ing)\b/i;
/** What comes after these is what the change is for, and isn't changed itself. */
const PURPOSE =
  /\b(?:so|until|such that|because|since|when|if|pass(?:es|ing)?|green|against|according|to (?:make|satisfy|fix|pass|match|let|get|fulfil|please))\b/i;

const CHANGES_TESTS = new RegExp(
  `\\b(?:${CHANGE}|${REMOVE}|${SKIP}|fix(?=\\s(?:\\w+\\s){0,3}(?:expect|assert|snapshot|typo)))\\b.{0,60}?\\b${TESTS}\\b`,
  "i",
);
const WITH_TESTS = new RegExp(
  `\\b(?:with|and|together with|including|along with|as well as)\\s${TESTS}`,
  "i",
);
const CHANGED =
  "(?:updated|changed|adjusted|adapted|edited|modified|rewritten|corrected|revised|regenerated|refreshed|reworked|replaced|re-?recorded|removed|deleted|dropped|skipped|disabled|quarantined|muted)";
/** "Its test is to be changed accordingly", "tests follow". */
const TO_BE_CHANGED = new RegExp(
  `\\b${TESTS}\\s(?:(?:of|for|in)\\s\\S{1,80}\\s)?(?:(?:is|are|has|have|needs?|ought)\\sto|must|should|shall|will|may|can)\\s(?:\\w+\\s)?be\\s(?:\\w+\\s)?${CHANGED}\\b|\\b${TESTS}\\s(?:follow|(?:go|come|move) along)(?:\\s(?:suit|it|them|this))?\\.?$`,
  "i",
);
/** Behind these, something else is what is wrong: "the tests show that total() is wrong". */
const OF_SOMETHING_ELSE = "(?:that|because|since|shows?|says?|proves?|fail(?:s|ed|ing)?|but|while|if|when)";
const IS_WRONG = new RegExp(
  `\\b${TESTS}\\b(?:(?!\\b${OF_SOMETHING_ELSE}\\b).){0,80}?\\b(?:is|are)\\s(?:\\w+\\s)?(?:wrong|incorrect|outdated|obsolete|mistaken|stale|out of date|flaky)\\b|\\bwrong\\s${TESTS}`,
  "i",
);
/** "The test of x in a.test.js hangs on slow machines: skip it": what is said first is what "it" means. */
const SAID_FIRST = new RegExp(
  `^(?:the|this|that|these|those|our|all|both|two|three)?\\s?${TESTS}\\b.*?[:,–—-]\\s(?:(?:please|so|just|for now)[\\s,]{1,2})*(?:${SKIP}|${REMOVE}|update|adapt|adjust|regenerate)\\s(?:it|them|this|that|these|those)\\b`,
  "i",
);
/** What may also be skipped; to change one may mean something else than a test. */
const SKIPPED_FIRST = new RegExp(
  `^(?:the|this|that|these|those|both|two|three)?\\s?(?:\\w+\\s)?(?:${TESTS}|(?:example|scenario|case)s?)\\b.*?[:,–—-]\\s(?:(?:please|so|just|for now)[\\s,]{1,2})*${SKIP}\\s(?:it|them|this|that|these|those)\\b`,
  "i",
);
const LEADING = /^(?:(?:please|then|and|also|finally|first|next)[\s,]{1,2})*/i;
const SKIPS_IT = new RegExp(`${LEADING.source}${SKIP}\\s(?:it|them|this|that|these|those)\\b`, "i");
const CHANGES_FIRST = new RegExp(`${LEADING.source}(?:${CHANGE}|make|let)\\b`, "i");
const REMOVES_FIRST = new RegExp(`${LEADING.source}${REMOVE}\\b`, "i");
/** What is removed or renamed may say that its tests go with it. */
const GOES_WITH_TESTS = new RegExp(`${LEADING.source}(?:${REMOVE}|rename|move)\\b`, "i");
const OTHER_OUTPUT =
  /\b(?:instead of|rather than|no longer|from\s.{1,80}\sto|so that|to (?:say|print|return|show|use|write|format|answer|be))\b/i;
const RUNNER =
  "(?:node:test|node's (?:own )?test runner|jest|mocha|ava|tap|tape|uvu|jasmine|karma|qunit|vitest|playwright|cypress|bun test|deno test|unittest|nose2?|pytest|doctest|minitest|test-unit|rspec|junit\\s?\\d?|testng|spock|phpunit|pest|bats|shunit2|googletest|catch2|ctest|cmocka|nextest|ginkgo|xunit|nunit)";
const OTHER_RUNNER = new RegExp(
  `\\b(?:migrate|convert|port|switch|move|rewrite)\\b.{0,160}?\\b(?:to|into|with|using)\\s(?:the\\s)?\`?${RUNNER}\\b`,
  "i",
);
const PATH = /[\w@.-]*[/.][\w@./-]*\w/;

/** What may change about tests because the spec asks for it. "Make the tests pass" and "add tests" ask for no such thing. */
export function askedChanges(spec: string): readonly AskedChange[] {
  const clauses = readClauses(spec)
    .filter(({ section, isQuestion }) => section !== "constraints" && !isQuestion)
    // "The example in a_spec.rb is flaky. Skip it."
    .map(({ text }, at, all) => (SKIPS_IT.test(text) ? `${all[at - 1]?.text ?? ""}: ${text}` : text))
    .map(beforeNegation)
    .filter((text) => text !== "");
  return clauses.flatMap((text): readonly AskedChange[] => {
    if (OTHER_RUNNER.test(text)) return [{ words: text, what: "all", names: [] }];
    const changed = partOfChange(text);
    const named = changed === null ? [] : namesIn(changed).filter(mayBeTests);
    if (named.length > 0) return [{ words: text, what: "files", names: named }];
    if (changed !== null || (GOES_WITH_TESTS.test(text) && WITH_TESTS.test(text)))
      return [
        { words: text, what: "about", names: namesIn(spec) },
        ...(EXPECTED_FILES.test(changed ?? "")
          ? [{ words: text, what: "compared" as const, names: [] }]
          : []),
      ];
    const data = dataIn(upToPurpose(text, text.search(CHANGE_OR_REMOVE)));
    const configs = namesIn(upToPurpose(text, text.search(CONFIGURES))).filter(
      (name) => CONFIG_FILE.test(name) || (BUILD_SCRIPT.test(name) && namesWork(text, name)),
    );
    return [
      ...(configs.length === 0 ? [] : [{ words: text, what: "config" as const, names: configs }]),
      ...(data.length === 0 ? [] : [{ words: text, what: "compared" as const, names: data }]),
      ...changesOfSource(text),
    ];
  });
}

/** A sentence up to the part that says what not to do: "skip it, but don't delete it". What a "not" comes before may be a list. */
function beforeNegation(text: string): string {
  const at = text.search(NEGATED);
  if (at === -1) return text;
  return text.slice(
    0,
    Math.max(0, ...[...text.slice(0, at).matchAll(/[,;:](?=\s)/g)].map(({ index }) => index)),
  );
}

/** What a sentence asks to change about source, without a word about its tests. */
function changesOfSource(text: string): readonly AskedChange[] {
  const names = namesIn(text).filter((name) => !PATH.test(name));
  if (names.length === 0) return [];
  if (REMOVES_FIRST.test(text)) return [{ words: text, what: "about", names }];
  return CHANGES_FIRST.test(text) && OTHER_OUTPUT.test(text) ? [{ words: text, what: "output", names }] : [];
}

/** The part of a sentence that says what is to change about tests; null if none does. */
function partOfChange(text: string): string | null {
  const wrong = [IS_WRONG, TO_BE_CHANGED, SAID_FIRST, SKIPPED_FIRST].some((each) => each.test(text));
  const start = wrong ? 0 : text.search(CHANGES_TESTS);
  const part = wrong ? text : upToPurpose(text, start === -1 ? text.search(CHANGE_OR_REMOVE) : start);
  if (start !== -1) return new RegExp(TESTS, "i").test(part) ? part : null;
  // "Update test/cart.test.js": a file may be named without a word about tests.
  return TEST_FILE.test(part) ? part : null;
}

const CHANGE_OR_REMOVE = new RegExp(`\\b(?:${CHANGE}|${REMOVE}|${SKIP})\\b`, "i");

const CONFIG_FILE =
  /(?:\.(?:jsonc?|json5|ya?ml|toml|ini|cfg|conf|xml|config\.\w+)|rc(?:\.\w+)?|(?:^|\/)(?:Makefile|Rakefile|Gemfile|Justfile))$/;

/** A script that makes what is judged, and doesn't judge itself. */
export const BUILD_SCRIPT =
  /(?:^|\/)(?:[\w-]*[-_.])?(?:build|compile|bundle|generate|gen|configure|minify|assemble|dist|package)(?:[-_][\w-]*)?(?:\.(?:sh|bash|[cm]?js|ts|py|rb|pl|php|mk|cmake))?$/;

/** Ways to ask for another setting: "raise the timeout in vitest.config.ts". */
const CONFIGURES = new RegExp(
  `${LEADING.source}(?:${CHANGE}|${REMOVE}|set|add|enable|disable|turn (?:on|off)|configure|raise|increase|lower|reduce|bump|upgrade|pin|switch|use|let|make)\\b(?!\\()`,
  "i",
);

/** From a place on, if there is one, up to what it is for. */
function upToPurpose(text: string, start: number): string {
  const rest = start === -1 ? "" : text.slice(start);
  const end = rest.search(PURPOSE);
  return end === -1 ? rest : rest.slice(0, end);
}

const MOST_NAMES = 20;

const EXPECTED_FILES =
  /\b(?:snapshots?|goldens?|(?:golden|expected|reference) (?:files?|outputs?|results?))\b/i;
const EXPECTED = /\b(?:expected|golden|reference|outputs?|results?|fixtures?)\b/i;

/** Data by its path, by a glob, or by the folder of what is expected: "the expected files in cases/". */
function dataIn(text: string): readonly string[] {
  const words = text
    .split(/[\s`"'(),;]+/)
    .map((word) => word.replace(/^\.\//, "").replace(/[.:]+$/, ""))
    .filter((word) => /^[\w@./*?-]{3,120}$/.test(word));
  const folders = EXPECTED.test(text) ? words.filter((word) => word.endsWith("/")) : [];
  return [...words.filter((word) => DATA_FILE.test(word)), ...folders.map((folder) => `${folder}**`)].slice(
    0,
    MOST_NAMES,
  );
}

/** Source that is named beside its tests isn't one of them. */
function mayBeTests(name: string): boolean {
  return PATH.test(name) && (TEST_FILE.test(name) || DATA_FILE.test(name));
}

const DATA_FILE = /\.(?:snap|txt|json|ya?ml|csv|golden|expected|out|approved|xml|html)$/;
const TEST_FILE =
  /(?:^|[\s`"'(])(?:[\w@.-]+\/){0,12}(?:(?:tests?|spec|__tests__|__snapshots__|fixtures)\/[\w@./-]+|[\w@.-]*(?:[._-](?:test|spec)|test_[\w-]*|_test|Tests?)\.\w+)/;

function namesIn(text: string): readonly string[] {
  return findPlaces(text).map(({ quote }) => quote.replace(/\(\)$/, "").replace(/^\.\//, ""));
}

const WRITTEN = "(?:tests?|specs?|test (?:cases?|coverage)|coverage)";
/** The verb isn't a function's or a file's name: `add()`, `add.test.js`. */
const WRITES_TESTS: readonly RegExp[] = [
  `(?<![/.])\\b(?:write|add|create|extend|include|provide|develop|generate|cover)\\b(?![(./]).{0,80}?(?<![/.])\\b${WRITTEN}\\b(?!\\s(?:are|is)\\s(?:in|at)\\b)`,
  `\\b(?:raise|increase|improve|bring|get)\\b.{0,60}?\\bcoverage\\b`,
  `\\bwith (?:unit |regression )?tests\\b`,
  `\\bnew tests?\\b`,
  `^tests?(?:\\([\\w-]+\\))?:\\s`,
  `\\b(?:there (?:are|is|have to be|must be|should be)|needs?|have|has)\\s(?:an?\\s|some\\s|more\\s)?(?:\\w{1,20}\\s)?tests?\\sfor\\b`,
  `\\b(?:tdd|test[- ]first|test[- ]driven)\\b`,
].map((source) => new RegExp(source, "i"));

/** "show() has no tests: write them". */
const WRITES_THEM =
  /\b(?:no|missing|lacks?|needs?|too few)\s(?:\w+\s){0,2}tests?\b(?:(?!\b(?:may|must|should|can|pass\w*|fail\w*)\b).){0,40}[:;,–—-]\s(?:please\s)?(?:write|add|provide)\s(?:them|some|one|those)\b/i;

/** Whether tests are to be written. */
export function asksForTests(spec: string): boolean {
  return readClauses(spec).some(
    ({ text, isQuestion }) =>
      !isQuestion &&
      (WRITES_THEM.test(text) ||
        // "Add tests, leave src/ alone" asks for them.
        [text, ...text.split(/[,:;](?=\s)/)].some(
          (part) =>
            !NEGATED.test(part) && WRITES_TESTS.some((pattern) => pattern.test(upToPurpose(part.trim(), 0))),
        )),
  );
}

const FEWER_TESTS = new RegExp(`\\b(?:${REMOVE}|${SKIP})\\b`, "i");

/** Whether fewer tests than before may run: some are to be removed or skipped, with what they are about or without. */
export function asksForFewerTests(spec: string): boolean {
  return askedChanges(spec).some(({ words, what }) => what === "all" || FEWER_TESTS.test(words));
}

/** Which of the deleted files the spec asks to remove: those that it names, with or without their endings, and their headers. */
export function removedAsAsked(spec: string, deleted: readonly string[]): readonly string[] {
  if (deleted.length === 0 || !asksForFewerTests(spec)) return [];
  const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const stemOf = (path: string): string => path.replace(/\.[^/]*$/, "");
  const named = new Set(deleted.filter((path) => spec.includes(nameOf(path))).map(stemOf));
  return deleted.filter((path) => {
    const word = stemOf(nameOf(path));
    return named.has(stemOf(path)) || (word.length > 4 && spec.includes(word));
  });
}

/** A file that comes behind such words is what the work is held against, and so is one that itself has to pass. */
const HELD_AGAINST =
  /\b(?:satisf(?:y|ies)|match(?:es)?|conforms? to|against|according to|(?:accepted|checked|judged|verified) by|valid(?:ates?)? (?:with|by)|compared? (?:with|to)|agrees? with|pass(?:es)?|until|runs?|running|(?:every|each|all)(?:\s\w+){1,2}\s(?:of|in|from))\s[`"'(]*(?:[\w@.-]+\/)*$/i;
const HAS_TO_PASS =
  /^[`"')]*\s(?:(?:must|should|shall|has to|have to|needs? to|can|will)\s)?(?:still\s)?(?:stays?|pass(?:es)?|remains?|succeeds?|exits?|finish(?:es)?|accepts?|is (?:green|quiet|happy)|be (?:green|quiet|happy))\b/i;

/** Whether a spec names a file as something to work on, and not only as what judges it. */
export function namesWork(spec: string, name: string): boolean {
  return spec
    .split(name)
    .slice(0, -1)
    .some((_, at, before) => {
      const start = before.slice(0, at + 1).join(name);
      return !HELD_AGAINST.test(start) && !HAS_TO_PASS.test(spec.slice(start.length + name.length));
    });
}
