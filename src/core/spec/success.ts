import { isCommand, maskCode } from "./code.ts";
import {
  commandMethods,
  distinctMethods,
  method,
  namedCommands,
  statedMethods,
  NAMED_CHECK,
} from "./methods.ts";
import type { Method } from "./methods.ts";
import type { Reading } from "./reading.ts";
import { MEASURED, OBSERVED_STATE } from "./target.ts";
import { anyCase, applyRules, matches, NOTHING, rules } from "./rule.ts";
import type { DimensionScore, Extras, Earned } from "./rule.ts";

const ADDED_TEST =
  /\b(?:add|write|include|create|extend)\s(?:an?\s|the\s|some\s|new\s)?(?:\w{1,20}\s){0,3}(?:tests?|\w{0,15}test cases?|(?:request|model|feature|system|unit|regression|rspec) specs?|specs?$)/i;

const TEST_NOTE =
  /^(?:an?|one|two|some)\s(?:\w{1,20}\s){0,2}tests?\b.{0,60}|^(?:an?\s|with\s|plus\s|and\s|needs\s)?(?:\w{1,20}\s){0,2}(?:unit|integration|regression|e2e|end-to-end|request|snapshot)\s?tests?(?:\s(?:for|included|too|please)\b.{0,40}|$)/i;

export function scoreSuccess(reading: Reading, extras: Extras): DimensionScore {
  const methods = distinctMethods([
    ...reading.checks.flatMap(commandMethods),
    ...reading.checks.flatMap(statedMethods),
    ...reading.checks.flatMap(namedChecks),
    ...addedTests(reading),
    ...listedMethods(reading),
    ...extras.criteria.map(({ name }) => method(`criterion ${name}`, name, "given with --criterion")),
  ]);
  if (methods.length > 1) return { points: 2, findings: withPoints(methods, 2) };
  if (methods.length === 1) return { points: 1, findings: withPoints(methods, 1) };
  const implied = [...measuredEndings(reading), ...findRefactoring(reading)];
  return implied.length === 0 ? NOTHING : { points: 1, findings: implied.slice(0, 1) };
}

function withPoints(methods: readonly Method[], points: 1 | 2): Earned[] {
  return methods.map(({ finding }) => ({ ...finding, points }));
}

/** Tests that are the work itself verify nothing else. */
function addedTests(reading: Reading): Method[] {
  return reading.work.flatMap((text, index) =>
    [...matches(ADDED_TEST, text), ...(index > 0 ? matches(TEST_NOTE, text) : [])]
      .filter((quote) => index > 0 || !text.replace(/^please\s/i, "").startsWith(quote))
      .map((quote) => method("tests", quote, "tests come with the change")),
  );
}

function listedMethods(reading: Reading): Method[] {
  const listed = reading.clauses
    .filter((clause) => clause.section === "success")
    .map((clause) => clause.text);
  return listed.flatMap(partsOfList).flatMap((text) => {
    if (isCommand(text)) return [method(`command ${text}`, text, "listed as a check")];
    if (commandMethods(text).length > 0) return [];
    if (statedMethods(text).length === 0) return [method(`listed ${text}`, text, "listed as a check")];
    return namedCommands(text).map((quote) => method(`command ${quote}`, quote, "listed as a check"));
  });
}

/** "cargo test, cargo clippy" are two, as are a command and what it is listed with; a sentence with a comma is one. */
function partsOfList(text: string): readonly string[] {
  const parts = text.split(/,\s(?:and\s)?|\sand\s/).map((part) => part.replaceAll("`", ""));
  return parts.some(isCommand) ? parts : [text];
}

function measuredEndings(reading: Reading): Earned[] {
  const conditions = reading.endings.map((ending) => ending.condition);
  return conditions
    .flatMap((text) => [...MEASURED, ...OBSERVED_STATE].flatMap((rule) => matches(rule.pattern, text)))
    .map((quote) => ({ points: 1, quote, reason: "the end is measured" }));
}

/** "The default port" is a thing; "port it" is work. */
const AS_A_VERB =
  "(?<!\\b(?:an?|the|this|that|its?|our|your|new|default|first|last|next|each|every|no|of|in|on|at|by|with)\\s)";

/** Words and pictures have no behaviour that could stay. */
const PROSE =
  /\b(?:faq|readme|guide|docs?|documentation|tutorial|texts?|images?|pngs?|photos?|pages?|\S{1,60}\.(?:md|rst|txt))$/i;

const REFACTORING = rules(
  1,
  [
    /\b(?:refactor|restructure|reorgani[sz]e|deduplicate (?:the |our )?(?:\w{1,20}\s)?(?:code|logic|helpers?|functions?|methods?|tests?)|rename|extract|inline|decouple|decompose|flatten|unify|modulari[sz]e|consolidate)\b/i,
    "a refactor implies that behaviour stays",
  ],
  [
    anyCase`${AS_A_VERB}\b(?:migrate|port(?!\s\d)|rewrite|convert)\b(?:\s(?:the|all|our|every))?(?:\s\S{1,40})?`,
    "a migration implies that behaviour stays",
    PROSE,
  ],
  [/\b(?:migration|refactoring)\s(?:of|from|to)\b/i, "a migration implies that behaviour stays"],
  [/\bmove\s.{1,120}?\s(?:to|into|out of)\b/i, "a move implies that behaviour stays"],
  [/\bturn\s.{1,120}?\sinto\b/i, "a refactor implies that behaviour stays"],
  [/\bsplit\s.{1,120}?\s(?:into|up)\b/i, "a refactor implies that behaviour stays"],
  [
    /\b(?:replace|swap)\s.{1,160}?\s(?:with|by|for)\b/i,
    "a replacement implies that behaviour stays",
    /["“][^"”\n]{1,80}["”]\s(?:with|by|for)$/,
  ],
  [/\bswitch\s.{0,120}?\bfrom\s.{1,80}?\sto\b/i, "a migration implies that behaviour stays"],
);

/** Tidying is a refactor only where it says so. */
const STATED = rules(1, [
  /\b(?:simplify|clean up|tidy|streamline|untangle)\b.{1,120}?\bwithout (?:changing|altering|affecting)\b.{0,40}/i,
  "behaviour is said to stay",
]);

export function findRefactoring(reading: Reading): Earned[] {
  return [...applyRules(REFACTORING, reading.work), ...applyRules(STATED, reading.limits)];
}

const VERDICT =
  "(?:must\\s|still\\s)?(?:pass(?:es)?|succeeds?|(?:is|stays) (?:clean|green)|reports? (?:nothing|(?:no|0|zero) \\w{3,20}))\\b";
const NOBODY =
  "(?!(?:it|this|that|they|everything|all|both|each|one|time|code|work|the|an?|my|our|existing|tests?|suite|specs?)\\b)";

/** Somebody who looks at the result: "Accounting checks ten samples". */
const LOOKED_AT =
  /^(?:(?!(?:It|This|That|They|Please|Then|The)\b)[A-Z][\w-]{1,20}|The \w{2,20} team)\s(?:(?:reviews|approves|confirms|compares|tries)\s\S|(?:checks|tests)\s(?:it|them|this|that|the|an?|\d+|two|three|five|ten|some|each|every)\b).{0,60}/;

const PATTERNS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  // A tool that we don't know, by its verdict: "kubeconform passes".
  [
    new RegExp(
      `(?<=^|,\\s|;\\s|\\band\\s)${NOBODY}[a-z][\\w.-]{2,30}(?:\\s(?!and\\b)[\\w./-]{1,30}){0,3}?\\s${VERDICT}`,
    ),
    "a tool that judges it",
  ],
  [
    new RegExp(
      `\\b(?!(?:tests?|full|whole|entire|existing|unit|integration|the|our)\\s)[\\w-]{2,30} (?:check|scan|audit|validation|bench|simulation|suite)\\s${VERDICT}`,
      "i",
    ),
    "a check with a name",
  ],
];

/** Checks that are told by their names and that they have to pass, whatever they are. */
function namedChecks(text: string): Method[] {
  const prose = maskCode(text);
  const looks = matches(LOOKED_AT, prose, text).map((quote) =>
    method("review", quote, "a judgement by a person"),
  );
  const told = PATTERNS.flatMap(([pattern, reason]) =>
    matches(pattern, prose, text).map((quote) => method(`${NAMED_CHECK}${quote}`, quote, reason)),
  );
  return [...looks, ...told];
}
