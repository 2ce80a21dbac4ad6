export interface MethodRule {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly reason: string;
}

const PASS = "(?:pass(?:es|ing|ed)?|succeeds?|succeed|green|clean|work|works|ok|stays? green|hold)";

export const METHODS: readonly MethodRule[] = [
  {
    kind: "unit tests",
    pattern: new RegExp(
      `\\bunit(?: and integration)? tests?\\b(?!.{0,60}coverage).{0,60}?\\b(?:${PASS}|cover\\w{0,3})\\b`,
      "i",
    ),
    reason: "unit tests",
  },
  {
    kind: "integration tests",
    pattern: new RegExp(`\\bintegration tests?\\b.{0,60}?\\b(?:${PASS}|cover\\w{0,3})\\b`, "i"),
    reason: "integration tests",
  },
  {
    kind: "end-to-end tests",
    pattern: new RegExp(
      `\\b(?:e2e|end[- ]to[- ]end|smoke|acceptance|snapshot|browser|ui)\\b(?: \\w{1,20}){0,2}\\s(?:tests?|suite|specs?)?.{0,40}?\\b${PASS}\\b`,
      "i",
    ),
    reason: "end-to-end tests",
  },
  {
    kind: "special tests",
    pattern: new RegExp(
      `\\b(?:stress|load|contract|performance|fuzz|property|regression|visual) tests?\\b.{0,40}?\\b${PASS}\\b`,
      "i",
    ),
    reason: "tests of a special kind",
  },
  {
    kind: "tests",
    pattern: new RegExp(
      `\\b(?:tests?|test suite|suite|specs)\\b(?!\\sfor\\b).{0,50}?\\b(?:${PASS}|cover\\w{0,3}\\b(?! (?:is|of|at|reach)))\\b`,
      "i",
    ),
    reason: "tests that pass",
  },
  {
    kind: "tests",
    pattern: /\ball (?:the |our |existing )?tests(?=\s?(?:\+|&|and|plus)\s)/i,
    reason: "all tests",
  },
  {
    kind: "tests",
    pattern: /\b(?:with|including|plus|covered by|backed by|proven by)\s(?:\w{1,20}\s){0,3}tests?\b/i,
    reason: "tests come with the change",
  },
  {
    kind: "tests",
    pattern:
      /\b(?:fix|make|get|repair)\s(?:all\s|every\s|the\s)?(?:\w{1,20}\s){0,3}(?:failing|broken|red|flaky)\s(?:\w{1,20}\s){0,2}(?:tests?|specs?|suite|checks|builds?|pipeline)\b/i,
    reason: "the failing tests are the check",
  },
  {
    kind: "lint",
    pattern: new RegExp(`\\b(?:lint(?:er|ing)?)\\b.{0,40}?\\b(?:${PASS}|no (?:errors|warnings))\\b`, "i"),
    reason: "a clean lint",
  },
  {
    kind: "lint",
    pattern:
      /\b(?:fix|resolve|clear|remove|get rid of)\s(?:all|every|each)\s(?:of\s)?(?:the\s)?(?:[\w-]{1,20}\s){0,3}(?:errors?|warnings?|violations|deprecations?|vulnerabilities|findings)\b/i,
    reason: "the tool that reports them is the check",
  },
  {
    kind: "lint",
    pattern:
      /\b(?:no|zero|0)(?: more)? (?:lint|linter|[\w-]{0,10}lint|clippy|rubocop|flake8|mypy|tsc|compiler|sonar) (?:errors?|warnings?|findings|violations)\b/i,
    reason: "a clean lint",
  },
  {
    kind: "types",
    pattern: new RegExp(
      `\\b(?:type[- ]?check(?:s|er|ing)?|types)\\b.{0,20}?\\b(?:${PASS}|no errors)\\b|\\bno type errors\\b|\\btype[- ]checks\\b`,
      "i",
    ),
    reason: "a type check",
  },
  {
    kind: "build",
    pattern: new RegExp(
      `\\b(?:build|compilation|bundle|project)\\b\\s(?:\\w{1,20}\\s){0,3}?(?:${PASS}|compiles)\\b|\\b(?:it|code|everything) (?:still )?(?:compiles|builds)\\b`,
      "i",
    ),
    reason: "a build that works",
  },
  {
    kind: "ci",
    pattern:
      /\b(?:ci|pipeline|github actions?|checks)\b\s(?:\w{1,20}\s){0,3}?(?:pass(?:es)?|green|succeeds?)\b|\bgreen (?:ci|pipeline)\b/i,
    reason: "a green pipeline",
  },
  {
    kind: "coverage",
    pattern:
      /\bcoverage\b.{0,60}?\d{1,3}(?:\.\d)?\s?(?:%|percent)|\d{1,3}\s?%\s(?:\w{1,20}\s){0,3}coverage\b/i,
    reason: "coverage is measured",
  },
  {
    kind: "benchmark",
    pattern:
      /\b(?:benchmarks?|load tests?|profil(?:er|ing)|measured (?:by|with|in|on|using)|lighthouse|k6|web vitals)\b(?!\sfor\b)/i,
    reason: "a measurement",
  },
  {
    kind: "manual",
    pattern:
      /\b(?:manual(?:ly)?\b.{0,40}|by hand\b.{0,20}|(?<!so that )(?:i|we) can (?!be\b)\w{2,20}.{0,40}|tested on (?:a|my|real)\b.{0,30}|qa\b(?: \w{1,20}){0,3}|(?:checked|tested|confirmed|verified) in (?:chrome|firefox|safari|staging|a browser|the browser)\b)/i,
    reason: "a look by a person",
  },
  {
    kind: "review",
    pattern:
      /\b(?:(?:review|approv)(?:ed|al)? (?:by|from)\b.{0,40}|signs? off|(?:teammate|colleague|reviewer|maintainer|lead|ops|team)\s(?:\w{1,20}\s)?(?:reviews?|approves?|checks|compares)\b.{0,40}|sign-off|signed off|screenshots?\b.{0,30})/i,
    reason: "a judgement by a person",
  },
  {
    kind: "verify",
    pattern:
      /\b(?:verif(?:y|ied)|validated?|confirm(?:ed)?|compared?|cross-check(?:ed)?)\s(?:\w{1,20}\s){0,4}?(?:that|against|with|by|via|using|on|in)\b.{0,60}/i,
    reason: "a stated verification",
  },
  {
    kind: "comparison",
    pattern:
      /\b(?:counts?|checksums?|hashes|outputs?|results?|totals|numbers)\s(?:still\s|must\s)?(?:match|agree|are (?:equal|identical|the same))\b.{0,40}/i,
    reason: "a comparison",
  },
  {
    kind: "rating",
    pattern: /\b[\w-]{2,30}\s(?:gives|scores|rates)\s(?:it\s)?(?:an?\s)?(?:[A-F][+-]?|\d{1,3})(?!\w)/,
    reason: "a rating by a tool",
  },
  {
    kind: "proof",
    pattern: /\b(?:proven|shown|demonstrated|evidenced) by\b.{0,60}/i,
    reason: "a stated proof",
  },
  {
    kind: "example",
    pattern: /\b(?:examples?|demo|snippets?|samples?)\b.{0,40}?\b(?:works?|runs?)\b/i,
    reason: "examples that work",
  },
  {
    kind: "produce",
    pattern:
      /\b(?:mail|message|event|notification|webhook)\sarrives?\b.{0,40}|\b(?:curl|grep|git grep|query|request|script|run)\b.{0,60}?\b(?:returns?|shows?|prints?|finds?|outputs?|exits?)\s(?:no|nothing|zero|\d{1,6}|`|the expected)\b.{0,40}/i,
    reason: "an observable result",
  },
];
