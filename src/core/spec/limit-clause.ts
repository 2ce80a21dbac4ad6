const LEAD =
  /^(?:(?:and|but|also|please|you)\s)?(?:no|do not|don't|don’t|never|must not|mustn't|may not|cannot|keep|use|only|leave|avoid|preserve|maintain|retain|stay|without|max|maximum|at most|follow|stick|limit|respect|not|nothing|target|support)\b/i;

const STATEMENTS: readonly RegExp[] = [
  LEAD,
  /\b(?:must|may|should|can)\s?(?:not|n't)\b/i,
  /\bmay (?:only|grow|increase|rise|take)\b/i,
  /\b(?:unchanged|untouched|off[- ]limits)\b/i,
  /\b(?:is|are) (?:forbidden|prohibited|not allowed)\b/i,
  /\bstays? (?:the same|compatible|as|pinned|locked|on|at)\b/i,
  /^[\w.+#-]{2,30} (?:only|[\d.]{1,8} stays)\b/i,
  /\bmust (?:keep (?:work|runn|build|pass|compil)ing|(?:stay|remain) (?:on|at|with|within|below|under))\b/i,
  /\b(?:must|has to|have to) work$/i,
  /\b(?:must|has to|have to|should) (?:still |keep |stay |continue to )?(?:work(?:ing)?|run(?:ning)?|build|compile|supported) (?:on|in|with|under)\b/i,
  /\b(?:signatures?|names?|codes?|exports?|apis?|schemas?|formats?) (?:[\w./`-]{1,40} ){0,6}?(?:stays?|remains?|(?:do|does)(?: not|n't) change|keeps?)\b/i,
];

/** The clause says what must hold, and not what to do. */
export function isLimit(text: string): boolean {
  return STATEMENTS.some((statement) => statement.test(text));
}

/** A note of limits: "plain HTML, no JavaScript, under 100 kB". */
const LISTED_EXCLUSION =
  /(?:^|,\s)no\s(?!(?:errors?|warnings?|failures?|more|longer)\b)[\w-]{1,30}(?:\s[\w-]{1,30}){0,2}(?:,|$)/i;

export function listsExclusions(text: string): boolean {
  return LISTED_EXCLUSION.test(text);
}

/** "Two workers must never take the same job" is the work itself. */
const TAILS: readonly RegExp[] = [
  /(?:,|\s[-–—])?\s?(?:\b(?:but|and|while)\s)?\b(?:do not|don't|don’t|(?<!\b(?:must|should|may|can|will|is|are)\s)never|must not|no (?:new|other|additional|extra)|keeping|keep (?:the|all|our|it|every|existing)\b|use (?:the|our) (?:existing|current)\b|using only)\b.{0,500}$/i,
  /(?:,|\s[-–—])?\s?(?:\b(?:but|and|while)\s)?\bwithout (?:\w{2,20}ing|any|an?|downtime|data loss|regressions?|new|additional|extra|further|side effects)\b.{0,500}$/i,
  /(?:,|\s[-–—])\s?(?:at most|max(?:imum)?|(?:patch|minor)\s\w{4,12}\sonly)\b.{0,500}$/i,
  /,\s?(?:[\w. ]{1,40}\s)?must (?:still|keep|stay|work|run|remain)\b.{0,500}$/i,
  /(?:,|:|\s[-–—])\s[\w.+#-]{2,30}\sonly\b.{0,500}$/i,
];

/** The clause without the limits that end it. */
export function withoutLimits(text: string): string {
  return TAILS.reduce((rest, tail) => rest.replace(tail, ""), text);
}
