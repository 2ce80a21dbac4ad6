import { readClauses, type Clause } from "./clause.ts";
import { pathLimitIn } from "./path-limits.ts";

/** What a spec forbids in words that the machine can watch. Paths that must not change are must-nots of their own. */
export type StatedConstraint =
  /** Nothing changes but these files, and what is in these folders. */
  | { readonly kind: "only"; readonly words: string; readonly places: readonly string[] }
  | { readonly kind: "dependencies"; readonly words: string }
  /** Tests that were there stay as they are. */
  | { readonly kind: "tests"; readonly words: string };

const TOUCH = "(?:change|touch|modify|edit|alter)";
const TOUCHING = "(?:changing|touching|modifying|editing|altering)";
const NOT = "(?:do not|don't|don’t|dont|must not|mustn't|should not|shouldn't|may not|never)";

const ADD = "(?:add|install|introduce|pull in|want|need|use)";
const ADDING = "(?:adding|installing|introducing|pulling in)";
const NEW = "(?:new|additional|extra|further|more|other|third-party|external|added)";
const OF_A_KIND = "(?:(?!need|require)[\\w-]{1,20}\\s){0,2}?";
const DEPENDENCY = "(?:dependenc(?:y|ies)|deps?)\\b(?!\\s(?:on|between)\\b)";
const ANY_PACKAGE = `(?:${DEPENDENCY}|(?:packages?|librar(?:y|ies)|crates?|gems?)\\b)`;

const DEPENDENCIES: readonly string[] = [
  `\\b(?:no|without|zero)\\s(?:${ADDING}\\s)?(?:any\\s)?${NEW}\\s${OF_A_KIND}${ANY_PACKAGE}`,
  `\\b(?:without|no|avoid)\\s${ADDING}\\s(?:any\\s|new\\s)?${OF_A_KIND}${ANY_PACKAGE}`,
  `\\b${NOT}\\s(?:add|install|introduce|pull in)\\s(?:any\\s|an?\\s)?${OF_A_KIND}${ANY_PACKAGE}`,
  `\\b${NOT}\\s${ADD}\\s(?:any\\s|an?\\s)?${NEW}\\s${OF_A_KIND}${ANY_PACKAGE}`,
  `(?:^|[,:]\\s|\\b(?:and|but|with)\\s)(?:no|zero)\\s(?:runtime\\s|npm\\s|pip\\s)?(?:dependencies|deps)(?=$|,|\\s(?:please|pls|at all|for this)\\b)`,
];

const TESTS =
  "(?:the\\s|any\\s|any of the\\s|our\\s|all\\s)?(?:existing\\s|current\\s|old\\s|present\\s)?(?:unit\\s)?tests?(?:\\s(?:files?|suite|cases?))?";
const SAME_TESTS: readonly string[] = [
  `^${TESTS}\\s(?:must|should|may|can)(?:\\snot|n't)\\s(?:be\\s)?(?:changed?|touched|modified|edited|altered)$`,
  `\\b(?:${NOT}\\s${TOUCH}|without\\s${TOUCHING})\\s${TESTS}$`,
  `^(?:leave|keep)\\s${TESTS}\\s(?:alone|unchanged|untouched|as (?:they are|it is|is))$`,
  `^${TESTS}\\s(?:must |should |have to )?(?:stays?|remains?|are left)\\s(?:unchanged|untouched|as (?:they are|it is))$`,
];

/** Each pattern needs one of these words, or "n't". A stop is answered sooner if no pattern is compiled that cannot match. */
const LIMITING = new Set(
  (
    "only just nothing nowhere no not never without avoid zero stay stays remain remains leave left keep limit limited restrict " +
    "restricted confine confined belong belongs go goes dont hands"
  ).split(" "),
);
const NAMES_DEPENDENCIES = /dependenc|\bdeps?\b|package|librar|crate|gem/i;
const NAMES_TESTS = /test/i;

function mayLimit(text: string): boolean {
  const small = text.toLowerCase();
  return (
    small.includes("n't") || small.includes("n’t") || small.split(/\W+/).some((word) => LIMITING.has(word))
  );
}

function isSaid(forms: readonly string[], words: string): boolean {
  return forms.some((source) => new RegExp(source, "i").test(words));
}

export function statedConstraints(spec: string): readonly StatedConstraint[] {
  if (!mayLimit(spec)) return [];
  return readClauses(spec)
    .filter(({ isQuestion, section }) => !isQuestion && section !== "scope")
    .flatMap(constraintsOf);
}

/** Files and folders that a spec says must not change, as it writes them. */
export function keptPlaces(spec: string): readonly string[] {
  return readClauses(spec)
    .filter(({ isQuestion, section }) => !isQuestion && section !== "scope")
    .flatMap(({ text, isForbidden }) => limitParts(text).map((part) => pathLimitIn(part, isForbidden)))
    .flatMap((limit) => (limit?.kind === "keep" ? limit.places : []));
}

/** "You may edit src/a.js, but no other files" is one limit, although its parts could each be one. */
function constraintsOf({ text }: Pick<Clause, "text">): readonly StatedConstraint[] {
  const parts = limitParts(text);
  const found = parts.flatMap(constraintIn);
  return found.length > 0 || parts.length < 2 ? found : constraintIn(text);
}

export function constraintIn(words: string): readonly StatedConstraint[] {
  if (!mayLimit(words)) return [];
  const paths = pathLimitIn(words);
  if (paths?.kind === "only") return [{ kind: "only", words, places: paths.places }];
  if (NAMES_DEPENDENCIES.test(words) && isSaid(DEPENDENCIES, words)) return [{ kind: "dependencies", words }];
  const keepsTests = NAMES_TESTS.test(words) && isSaid(SAME_TESTS, words);
  return keepsTests ? [{ kind: "tests", words }] : [];
}

export function isInPlace(place: string, path: string): boolean {
  const folder = place.replace(/(?:\/\*\*?|\/)$/, "");
  return path === folder || path.startsWith(`${folder}/`);
}

const NEXT =
  "(?:no|only|do not|don't|don’t|dont|never|without|leave|keep|existing|the existing|tests|hands off|just not|must (?:not|stay|remain))";
const JOINT = new RegExp(
  `,\\s(?:and\\s|but\\s)?(?=${NEXT}\\s)|\\s(?:and|but)\\s(?=(?:no|only|do not|don't|don’t|dont|never|without|leave|hands off)\\s)`,
  "i",
);

/** "No new dependencies, and the tests must not change" says two things; a list of files says one. */
export function limitParts(text: string): readonly string[] {
  const parts = text.split(JOINT);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
