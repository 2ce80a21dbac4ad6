import { readClauses } from "./clause.ts";

/** What a spec forbids in words that the machine can watch. Paths that must not change are must-nots of their own. */
export type StatedConstraint =
  /** Nothing changes but these files, and what is in these folders. */
  | { readonly kind: "only"; readonly words: string; readonly places: readonly string[] }
  | { readonly kind: "dependencies"; readonly words: string }
  /** Tests that were there stay as they are. */
  | { readonly kind: "tests"; readonly words: string };

const PATH = "`?[\\w@.*-]*[/.][\\w@.*/-]*`?(?:\\s(?:folder|directory))?";
const PATHS = `(${PATH}(?:(?:,\\s?(?:and\\s|or\\s)?|\\s(?:and|or)\\s)${PATH}){0,20})`;
const TOUCH = "(?:change|touch|modify|edit|alter)";
const TOUCHING = "(?:changing|touching|modifying|editing|altering)";
const BUT = "(?:but|except(?: for)?|other than|besides|outside(?: of)?|beyond)";
const NOT = "(?:do not|don't|don’t|must not|mustn't|should not|shouldn't|may not|never)";
const MAY =
  "(?:\\s(?:may|should|can|must|is to|are to|need to|needs to)(?:\\sbe)?\\s(?:change|changed|touched|modified|edited))?";

const ONLY: readonly RegExp[] = [
  new RegExp(
    `^(?:please\\s)?(?:you\\s(?:may|can|should)\\s)?(?:${TOUCH}\\s)?only\\s(?:${TOUCH}\\s)?(?:(?:the\\s)?files?\\s(?:in\\s|below\\s)?)?${PATHS}${MAY}$`,
    "i",
  ),
  new RegExp(`^(?:please\\s)?${TOUCH}\\s${PATHS}\\sonly$`, "i"),
  new RegExp(
    `^(?:please\\s)?(?:work only (?:in|on)|stay (?:in|within)|limit (?:the |your |all )?(?:changes?|work|edits) to)\\s${PATHS}$`,
    "i",
  ),
  new RegExp(`\\b${TOUCHING}\\s(?:only|nothing but)\\s${PATHS}$`, "i"),
  new RegExp(
    `\\b(?:${NOT}\\s${TOUCH}|without\\s${TOUCHING})\\s(?:anything|any (?:other )?files?)\\s${BUT}\\s${PATHS}$`,
    "i",
  ),
  new RegExp(`^nothing\\s${BUT}\\s${PATHS}${MAY}$`, "i"),
];

const DEPENDENCIES = new RegExp(
  `\\b(?:no|without|zero)\\s(?:(?:adding|installing)\\s)?(?:any\\s)?(?:new|additional|extra|further|more|other|third-party|external|added)\\s(?:[\\w-]{1,20}\\s){0,2}(?:dependenc(?:y|ies)|deps?|packages?|librar(?:y|ies)|crates?|gems?)\\b|\\b${NOT}\\s(?:add|install|introduce)\\s(?:any\\s|a\\s|an\\s)?(?:new\\s|additional\\s|extra\\s|third-party\\s|external\\s)?(?:[\\w-]{1,20}\\s)?(?:dependenc(?:y|ies)|deps?|packages?|librar(?:y|ies)|crates?|gems?)\\b|\\bwithout\\s(?:adding|installing|introducing)\\s(?:any\\s|new\\s)?(?:dependencies|deps)\\b`,
  "i",
);

const TESTS =
  "(?:the\\s|any\\s|any of the\\s|our\\s|all\\s)?(?:existing\\s|current\\s|old\\s|present\\s)?(?:unit\\s)?tests?(?:\\s(?:files?|suite|cases?))?";
const SAME_TESTS: readonly RegExp[] = [
  new RegExp(
    `^${TESTS}\\s(?:must|should|may|can)(?:\\snot|n't)\\s(?:be\\s)?(?:changed?|touched|modified|edited|altered)$`,
    "i",
  ),
  new RegExp(`\\b(?:${NOT}\\s${TOUCH}|without\\s${TOUCHING})\\s${TESTS}$`, "i"),
  new RegExp(`^(?:leave|keep)\\s${TESTS}\\s(?:alone|unchanged|untouched|as (?:they are|it is|is))$`, "i"),
  new RegExp(
    `^${TESTS}\\s(?:must |should |have to )?(?:stays?|remains?|are left)\\s(?:unchanged|untouched|as (?:they are|it is))$`,
    "i",
  ),
];

/** Each pattern above needs one of these words. A stop is answered sooner if it compiles only patterns that may match. */
const LIMITING =
  /\b(?:only|nothing|not?|never|without|zero|stays?|remains?|leave|left|keep|limit)\b|n['’]t\b/i;
const NAMES_PATHS = /[/.]/;
const NAMES_DEPENDENCIES = /dependenc|\bdeps?\b|package|librar|crate|gem/i;
const NAMES_TESTS = /test/i;

/** Only sentences whose whole meaning is clear: a misread one would stop work that nothing is wrong with. */
export function statedConstraints(spec: string): readonly StatedConstraint[] {
  if (!LIMITING.test(spec)) return [];
  return readClauses(spec)
    .filter(({ isQuestion, section }) => !isQuestion && section !== "scope")
    .flatMap(({ text }) => limitParts(text).flatMap(constraintIn));
}

export function constraintIn(words: string): readonly StatedConstraint[] {
  if (!LIMITING.test(words)) return [];
  const list = NAMES_PATHS.test(words)
    ? ONLY.flatMap((pattern) => pattern.exec(words)?.[1] ?? [])[0]
    : undefined;
  if (list !== undefined) return [{ kind: "only", words, places: placesIn(list) }];
  if (NAMES_DEPENDENCIES.test(words) && DEPENDENCIES.test(words)) return [{ kind: "dependencies", words }];
  const keepsTests = NAMES_TESTS.test(words) && SAME_TESTS.some((pattern) => pattern.test(words));
  return keepsTests ? [{ kind: "tests", words }] : [];
}

/** "No new dependencies, and the tests must not change" says two things; a list of files says one. */
export function limitParts(text: string): readonly string[] {
  const parts = text.split(
    /,\s(?:and\s|but\s)?(?=(?:no|only|do not|don't|don’t|never|without|leave|keep|existing|the existing|tests)\s)|\s(?:and|but)\s(?=(?:no|only|do not|don't|don’t|never|without|leave)\s)/i,
  );
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function placesIn(list: string): readonly string[] {
  return list
    .split(/,\s?(?:and\s|or\s)?|\s(?:and|or)\s/)
    .map((place) =>
      place
        .replaceAll("`", "")
        .replace(/\s(?:folder|directory)$/, "/")
        .replace(/^\.\//, ""),
    )
    .filter((place) => place !== "");
}

export function isInPlace(place: string, path: string): boolean {
  const folder = place.replace(/(?:\/\*\*?|\/)$/, "");
  return path === folder || path.startsWith(`${folder}/`);
}
