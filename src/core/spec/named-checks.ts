import { maskCode } from "./code.ts";
import { method, NAMED_CHECK, type Method } from "./methods.ts";
import { matches } from "./rule.ts";

const VERDICT =
  "(?:must\\s|still\\s)?(?:pass(?:es)?|succeeds?|(?:is|stays) (?:clean|green)|reports? (?:nothing|(?:no|0|zero) \\w{3,20}))\\b";
const NOBODY =
  "(?!(?:it|this|that|they|everything|all|both|each|one|time|code|work|the|an?|my|our|existing|tests?|suite|specs?)\\b)";

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
export function namedChecks(text: string): Method[] {
  const prose = maskCode(text);
  return PATTERNS.flatMap(([pattern, reason]) =>
    matches(pattern, prose, text).map((quote) => method(`${NAMED_CHECK}${quote}`, quote, reason)),
  );
}
