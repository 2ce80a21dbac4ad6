import { codeSpans, insideOf, maskCode, isCommand } from "./code.ts";
import { anyCase, matches, type Earned } from "./rule.ts";

export interface Method {
  /** Two findings of one kind are one method. */
  readonly kind: string;
  readonly finding: Earned;
}

const VERDICT =
  /\b(?:pass(?:es|ing|ed)?|succeeds?|succeed|green|clean|exits?|no (?:\w{1,20}\s)?(?:errors?|warnings?|issues|changes|failures)|works?|runs?|shows?|reports?|prints?|produces?|returns?|builds?|covers?|ok|proves?|confirms?|verif(?:y|ies|ied)|check|before\s?(?:\/|and)\s?after|still|is (?:0|zero|empty))\b/i;

const CHECK_TOOL =
  /(?<![\w`./-])(?:tsc(?: --noEmit)?|vitest|jest|mocha|pytest|tox|mypy(?: --strict)?|pyright|ruff|eslint|oxlint|prettier|phpunit|rspec|playwright|cypress|clippy|rubocop|supertest|valgrind|flake8|pylint|stylelint|hyperfine|axe-core|hadolint|actionlint|shellcheck|phpstan|psalm|golangci-lint|swiftlint|checkstyle|spotless|detekt|ktlint|(?:cargo|go|npm|pnpm|yarn|swift|dotnet|flutter|mix|gradle|mvn) (?:run )?(?:test|bench|clippy|check|build|vet|lint|fmt|verify)|terraform (?:plan|validate)|k6(?: run)?|helm lint|make (?:test|lint|check|build)|storybook|axe|pa11y|lychee|link checker|semgrep|trivy|snyk|sonar(?:qube)?)(?![\w-])/i;

export function method(kind: string, quote: string, reason: string): Method {
  return { kind, finding: { points: 1, quote, reason } };
}

const JUDGED_CODE =
  /`[^`\n]{1,200}`\s(?:(?:must|has to|should)\sstill\s[a-z]{3,20}|is\s(?:0|zero|empty)\b)|`[^`\n]{1,200}`\s(?:still\s|must\s)?(?:pass|succeed|exits?|proves?|shows?|confirms?|reports?|finds?|is clean|is green|works)/;

export function commandMethods(text: string): Method[] {
  const prose = maskCode(text);
  if (!VERDICT.test(prose)) return [];
  const judged = matches(JUDGED_CODE, text).join(" ");
  const quoted = codeSpans(text).filter((span) => isCommand(insideOf(span)) || judged.includes(span));
  return [...quoted, ...matches(CHECK_TOOL, prose)].map((quote) =>
    method(`command ${quote.replaceAll("`", "")}`, quote, "a command that checks it"),
  );
}

/** Commands that a list of checks names without a verdict. */
export function namedCommands(text: string): readonly string[] {
  return [
    ...codeSpans(text).filter((span) => isCommand(insideOf(span))),
    ...matches(CHECK_TOOL, maskCode(text)),
  ];
}

export function statedMethods(text: string): Method[] {
  const prose = maskCode(text);
  return METHODS.flatMap(([kind, pattern, reason]) =>
    matches(pattern, prose, text)
      .slice(0, 1)
      .map((quote) => method(kind, quote, reason)),
  );
}

const GENERAL_KINDS = new Map([
  [
    "tests",
    /\btest|\bvitest|\bjest|\bspec|^ci$|^unit|^integration|^end-to-end|tox|phpunit|cypress|playwright|rspec|pytest/,
  ],
  ["lint", /lint|clippy|ruff|eslint|flake8/],
  ["types", /\btsc\b|mypy|pyright|type-?check/],
  ["build", /\bbuild|compile/],
  ["benchmark", /\bbench|k6|lighthouse/],
  ["verify", /./],
]);

/** "Tests pass" adds nothing to `npm test`, and what a command prints nothing to the command. */
export function distinctMethods(methods: readonly Method[]): Method[] {
  const kinds = [...new Map(methods.map((entry) => [entry.kind, entry])).values()];
  const specific = kinds.filter(({ kind }) => {
    const covered = GENERAL_KINDS.get(kind);
    return (
      covered === undefined ||
      !kinds.some(
        (other) =>
          other.kind !== kind && !other.kind.startsWith("listed ") && covered.test(other.kind.toLowerCase()),
      )
    );
  });
  return specific.filter(
    ({ kind, finding }) =>
      !(kind === "produce" || kind.startsWith(NAMED_CHECK)) ||
      !specific.some((other) => other.kind !== kind && sayTheSame(finding.quote, other.finding.quote)),
  );
}

/** How the kind of a check begins that only its name tells apart; it counts unless the same is said in another way. */
export const NAMED_CHECK = "named check ";

function sayTheSame(left: string, right: string): boolean {
  const [a, b] = [left, right].map((quote) => quote.replaceAll("`", "").toLowerCase());
  return a !== undefined && b !== undefined && (a.includes(b) || b.includes(a));
}

const PASS = "(?:pass(?:es|ing|ed)?|succeeds?|succeed|green|clean|work|works|ok|stays? green|hold)";

/** By kind: several rules of one kind find one method. */
const METHODS: readonly (readonly [kind: string, pattern: RegExp, reason: string])[] = [
  [
    "unit tests",
    anyCase`\bunit(?: and integration)? tests?\b(?!.{0,60}coverage).{0,60}?\b(?:${PASS}|cover\w{0,3})\b`,
    "unit tests",
  ],
  [
    "integration tests",
    anyCase`\bintegration tests?\b.{0,60}?\b(?:${PASS}|cover\w{0,3})\b`,
    "integration tests",
  ],
  [
    "end-to-end tests",
    anyCase`\b(?:e2e|end[- ]to[- ]end|smoke|acceptance|snapshot|browser|ui)\b(?: \w{1,20}){0,2}\s(?:tests?|suite|specs?)?.{0,40}?\b${PASS}\b`,
    "end-to-end tests",
  ],
  [
    "special tests",
    anyCase`\b(?:stress|load|contract|performance|fuzz|property|regression|visual) tests?\b.{0,40}?\b${PASS}\b`,
    "tests of a special kind",
  ],
  [
    "tests",
    anyCase`\b(?:tests?|test suite|suite|specs)\b(?!\sfor\b).{0,50}?\b(?:${PASS}|cover(?:s|ed|ing)?)\b`,
    "tests that pass",
  ],
  ["tests", /\ball (?:the |our |existing )?tests(?=\s?(?:\+|&|and|plus)\s)/i, "all tests"],
  [
    "tests",
    /\b(?:with|including|plus|covered by|backed by|proven by)\s(?:\w{1,20}\s){0,3}tests?\b/i,
    "tests come with the change",
  ],
  [
    "tests",
    /\b(?:fix|make|get|repair)\s(?:all\s|every\s|the\s)?(?:\w{1,20}\s){0,3}(?:failing|broken|red|flaky)\s(?:\w{1,20}\s){0,2}(?:tests?|specs?|suite|checks|builds?|pipeline)\b/i,
    "the failing tests are the check",
  ],
  [
    "special tests",
    /\b(?:[\w-]{2,20}\s)tests?\s(?:still\s)?runs?\s(?:\S{1,20}\s){0,6}?without\b.{0,40}/i,
    "tests of a special kind",
  ],
  ["tests", /\b(?:make|get)\s(?:it|them|this|that)\spass\b/i, "the failing tests are the check"],
  ["tests", /\b(?:an?|the|this|that) failing test\b|^run the tests\b/i, "the failing test is the check"],
  ["build", /\b(?:fix|repair) the (?:build|compilation|pipeline)\b/i, "the build is the check"],
  ["lint", anyCase`\b(?:lint(?:er|ing)?)\b.{0,40}?\b(?:${PASS}|no (?:errors|warnings))\b`, "a clean lint"],
  [
    "lint",
    /\b(?:fix|resolve|clear|remove|kill|eliminate|get rid of)\s(?:all|every|each)\s(?:of\s)?(?:the\s)?(?:[\w-]{1,20}\s){0,3}(?:errors?|warnings?|violations|deprecations?|vulnerabilities|findings)\b/i,
    "the tool that reports them is the check",
  ],
  [
    "lint",
    /\b(?:no|zero|0)(?: more)? (?:lint|linter|[\w-]{0,10}lint|clippy|rubocop|flake8|mypy|tsc|compiler|sonar) (?:errors?|warnings?|findings|violations)\b/i,
    "a clean lint",
  ],
  [
    "types",
    anyCase`\b(?:type[- ]?check(?:s|er|ing)?|types)\b.{0,20}?\b(?:${PASS}|no errors)\b|\bno type errors\b|\btype[- ]checks\b`,
    "a type check",
  ],
  [
    "build",
    anyCase`\b(?:build|compilation|bundle|project)\b\s(?:\w{1,20}\s){0,3}?(?:${PASS}|compiles)\b|\b(?:it|code|everything) (?:still )?(?:compiles|builds)\b`,
    "a build that works",
  ],
  [
    "ci",
    /\b(?:ci|pipeline|github actions?|checks)\b\s(?:\w{1,20}\s){0,3}?(?:pass(?:es)?|green|succeeds?)\b|\bgreen (?:ci|pipeline)\b/i,
    "a green pipeline",
  ],
  [
    "coverage",
    /\bcoverage\b.{0,60}?\d{1,3}(?:\.\d)?\s?(?:%|percent)|\d{1,3}\s?%\s(?:\w{1,20}\s){0,3}coverage\b/i,
    "coverage is measured",
  ],
  [
    "benchmark",
    /\b(?!benchmark (?:the|our|an?)\s)(?:benchmarks?|load tests?|profil(?:er|ing)|measured (?:by|with|in|on|using)|lighthouse|k6|web vitals)\b(?!\sfor\b)/i,
    "a measurement",
  ],
  [
    "manual",
    /\b(?:manual(?:ly)?\b.{0,40}|(?:i|we|\w{3,20}s) (?:try|test|check|verify|compare) (?:it|them)\b.{0,40}|by hand\b.{0,20}|(?<!so that )(?:i|we) can (?!(?:be|do|make|improve)\b)\w{2,20}.{0,40}|tested on (?:a|my|real)\b.{0,30}|(?:verified|checked|tested|confirmed|tried)\b.{0,60}?\b(?:on|in) staging\b|qa\b(?: \w{1,20}){0,3}|(?:checked|tested|confirmed|verified) in (?:chrome|firefox|safari|staging|a browser|the browser)\b)/i,
    "a look by a person",
  ],
  [
    "review",
    /\b(?:(?:review|approv)(?:ed|al)? (?:by|from)\b.{0,40}|signs? off|(?:teammate|colleague|reviewer|maintainer|lead|ops|team)\s(?:\w{1,20}\s)?(?:reviews?|approves?|checks|compares)\b.{0,40}|sign-off|signed off|(?<!\b(?:no|without|add|new)\s)screenshots?\b.{0,30})/i,
    "a judgement by a person",
  ],
  [
    "tried",
    /^(?:please\s)?(?:test|try|check|measure|validate)\s(?:(?:it|this|that|them|everything)\b|(?<=try\s)(?:an?|the)\s|(?:it\s)?(?:with|by|on|in|against|via)\b).{0,60}/i,
    "a stated trial",
  ],
  [
    "measured on data",
    /\bon (?:the|a|our) (?:hold-?out|test|validation|evaluation|sample|golden)[ -](?:set|data(?:set)?)\b/i,
    "a measurement",
  ],
  [
    "verify",
    /\b(?:verif(?:y|ied)|validated?|confirm(?:ed)?|compared?|cross-check(?:ed)?)\s(?:\w{1,20}\s){0,4}?(?:that|against|with|by|via|using|on|in)\b.{0,60}/i,
    "a stated verification",
  ],
  [
    "comparison",
    /\bcompare (?:the )?(?:\w{2,20}\s){0,2}(?:counts?|checksums?|hashes|outputs?|results?|totals|numbers)\b/i,
    "a comparison",
  ],
  [
    "comparison",
    /\b(?:counts?|checksums?|hashes|outputs?|results?|totals|numbers?)\s(?:still\s|must\s)?(?:\w{1,20}\s){0,4}?(?:match(?:es)?|agrees?|equals?|(?:is|are) (?:equal|identical|the same))\b.{0,40}/i,
    "a comparison",
  ],
  [
    "rating",
    /\b[\w-]{2,30}\s(?:gives|scores|rates)\s(?:it\s)?(?:an?\s)?(?:[A-F][+-]?|\d{1,3})(?!\w)/,
    "a rating by a tool",
  ],
  ["proof", /\b(?:proven|shown|demonstrated|evidenced) by\b.{0,60}/i, "a stated proof"],
  [
    "example",
    /\b(?:examples?|demo|snippets?|samples?|links?)\b.{0,40}?\b(?:works?|runs?)\b/i,
    "examples that work",
  ],
  [
    "produce",
    /\b(?:mail|message|event|notification|webhook)\sarrives?\b(?!\s(?:twice|never|late|too|again|empty|in the wrong)).{0,40}|\b(?:curl|grep|git grep|query|request|script|run)\b.{0,60}?\b(?:returns?|shows?|prints?|finds?|outputs?|exits?)\s(?:no|nothing|zero|\d{1,6}|`|the expected)\b.{0,40}|\bcurl\b.{0,40}?\b(?:shows?|returns?|prints?|answers?)\s\S.{0,40}|(?:,\s|\band\s)the\s[\w-]{2,20}(?:\s[\w-]{2,20})?\s(?:shows?|prints?|reports?|lists?)\s\S.{0,40}/i,
    "an observable result",
  ],
];
