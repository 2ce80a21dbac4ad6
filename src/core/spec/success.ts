import { commandMethods, distinctMethods, method, statedMethods, type Method } from "./check-method.ts";
import { NOTHING, type DimensionScore, type Extras, type Finding } from "./dimension.ts";
import type { Reading } from "./reading.ts";
import { findRefactoring } from "./refactoring.ts";
import { matches } from "./rule.ts";
import { MEASURED, OBSERVED_STATE } from "./target.ts";

const ADDED_TEST =
  /\b(?:add|write|include|create|extend)\s(?:an?\s|the\s|some\s|new\s)?(?:\w{1,20}\s){0,3}(?:tests?|\w{0,15}test cases?|(?:request|model|feature|system|unit|regression|rspec) specs?|specs?$)/i;

const TEST_NOTE =
  /^(?:an?\s|with\s|plus\s|and\s|needs\s)?(?:\w{1,20}\s){0,2}(?:unit|integration|regression|e2e|end-to-end|request|snapshot)\s?tests?(?:\s(?:for|included|too|please)\b.{0,40}|$)/i;

export function scoreSuccess(reading: Reading, extras: Extras): DimensionScore {
  const methods = distinctMethods([
    ...reading.checks.flatMap(commandMethods),
    ...reading.checks.flatMap(statedMethods),
    ...addedTests(reading),
    ...listedMethods(reading),
    ...extras.criteria.map(({ name }) => method(`criterion ${name}`, name, "given with --criterion")),
  ]);
  if (methods.length > 1) return { points: 2, findings: withPoints(methods, 2) };
  if (methods.length === 1) return { points: 1, findings: withPoints(methods, 1) };
  const implied = [...measuredEndings(reading), ...findRefactoring(reading)];
  return implied.length === 0 ? NOTHING : { points: 1, findings: implied.slice(0, 1) };
}

function withPoints(methods: readonly Method[], points: 1 | 2): Finding[] {
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
  return listed
    .filter((text) => commandMethods(text).length + statedMethods(text).length === 0)
    .map((text) => method(`listed ${text}`, text, "listed as a check"));
}

function measuredEndings(reading: Reading): Finding[] {
  const conditions = reading.endings.map((ending) => ending.condition);
  return conditions
    .flatMap((text) => [...MEASURED, ...OBSERVED_STATE].flatMap((rule) => matches(rule.pattern, text)))
    .map((quote) => ({ points: 1, quote, reason: "the end is measured" }));
}
