import type { Rule } from "./rule.ts";

const VERSION = "v?\\d{1,4}(?:\\.[\\dx]{1,4}){0,3}\\+?";
/** Programs are written with a capital, or are known by a small one. */
const PLATFORM = `(?:(?:[A-Z][A-Za-z+#.]{0,20}|\\.NET|iOS|macOS|php|python|node|go|java|ruby|rust|npm|gcc|clang|glibc)(?:\\s[A-Z][a-z]{1,15}){0,2}\\s?${VERSION})`;
const HOLDS =
  "(?:(?:must|should|has to|have to|needs to|need to)\\s(?:still\\s|keep\\s|continue\\s(?:to\\s)?|stay\\s|remain\\s|be\\s)?(?:work|run|build|compile|support|pass)\\w{0,3}|keeps? working|stays?(?=$|,|;|\\.)|stays? supported|(?:still|also) works?)";

/** Versions and places that the work is held to; an outsider could check each. */
export const VERSION_LIMITS: readonly Rule[] = [
  {
    pattern:
      /\b(?:patch|minor|security|stable|lts|non-breaking)\s(?:(?:and|or)\s\w{1,12}\s)?(?:releases?|versions?|updates?|bumps?|upgrades?|fixes)\sonly\b/i,
    points: 2,
    reason: "a limit on versions",
  },
  {
    pattern:
      /\bonly\s(?:the\s)?(?:patch|minor|security|stable|lts|non-breaking)\s(?:(?:and|or)\s\w{1,12}\s)?(?:releases?|versions?|updates?|bumps?|upgrades?)\b/i,
    points: 2,
    reason: "a limit on versions",
  },
  {
    pattern: new RegExp(
      `(?:^|,\\s|;\\s|[-–—(]\\s?)(?:${PLATFORM}|MSRV\\s${VERSION})(?:\\sonly|\\sor (?:newer|later|higher|above))?(?=$|,|;|\\)|\\sonly\\b|\\sor\\s)`,
    ),
    points: 2,
    reason: "an exact version to hold",
  },
  {
    pattern: new RegExp(`${PLATFORM}(?:\\s(?:and|or)\\s[\\w.]{1,20}){0,2}\\s${HOLDS}`),
    points: 2,
    reason: "an exact version to hold",
  },
  {
    pattern: new RegExp(
      `\\b${HOLDS}\\s(?:on|in|with|under|for)\\s(?:\\w{1,20}\\s(?:and\\s)?(?:on\\s|in\\s)?){0,3}${PLATFORM}`,
    ),
    points: 2,
    reason: "an exact version to hold",
  },
  {
    pattern: new RegExp(
      `\\b(?:stay(?:s|ing)?|remain(?:s|ing)?)\\s(?:pinned\\s|locked\\s)?(?:on|at|to|with)\\s(?:[\\w.]{1,20}\\s){0,2}${VERSION}`,
      "i",
    ),
    points: 2,
    reason: "an exact version to hold",
  },
];

const FILE_OR_FOLDER = "`?(?:[\\w@.*-]{1,60}\\/){0,12}[\\w@.*-]{1,60}(?:\\/|\\.[a-z][\\w*]{0,8})`?";
const TOUCHED = "(?:touch|chang|edit|modif|alter)\\w{0,4}";

export const PLACE_LIMITS: readonly Rule[] = [
  {
    pattern: new RegExp(
      `\\b(?:only|just|nothing but|nothing except|nothing outside(?: of)?)\\s(?:in\\s|the file\\s|files? (?:in|under)\\s)?${FILE_OR_FOLDER}`,
      "i",
    ),
    points: 2,
    reason: "a limit to named places",
    unless: /\b(?:e\.g|i\.e)\b/i,
  },
  {
    pattern: new RegExp(`${FILE_OR_FOLDER}\\sonly\\b`, "i"),
    points: 2,
    reason: "a limit to named places",
  },
  {
    pattern: new RegExp(
      `\\bonly\\s(?:[\\w\`./:@-]{1,60}\\s){1,6}?(?:may|can|should|must|is to|are to)\\s(?:be\\s)?${TOUCHED}`,
      "i",
    ),
    points: 2,
    reason: "a limit to named places",
  },
  {
    pattern: new RegExp(
      `\\b(?:do not|don't|don’t|never|must not|may not|without|not|no)\\s(?:\\w{2,15}\\s){0,2}?(?:${TOUCHED}|remov\\w{1,3}|delet\\w{1,3}|mov\\w{1,3}|renam\\w{1,3})\\s(?:to\\s|in\\s|anything in\\s)?(?:\\w{1,20}\\s){0,5}?${FILE_OR_FOLDER}`,
      "i",
    ),
    points: 2,
    reason: "a place that must stay as it is",
  },
  {
    pattern: new RegExp(
      `\\bleave\\s(?:\\w{1,20}\\s){0,3}?${FILE_OR_FOLDER}\\s(?:alone|as (?:it )?is|untouched|unchanged)`,
      "i",
    ),
    points: 2,
    reason: "a place that must stay as it is",
  },
];
