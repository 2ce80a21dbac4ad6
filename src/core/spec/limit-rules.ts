import { anyCase, rules } from "./rule.ts";

const TECHNICAL_NOUN =
  "(?:dependenc(?:y|ies)|deps|packages?|modules?|sdks?|(?:native )?addons?|frameworks?|librar(?:y|ies)|(?:public |external )?apis?|schemas?|signatures?|interfaces?|exported \\w{1,20}|response format|payload|wire format|file format|public types|runtime|unsafe|(?:build )?tools?|servers|binar(?:y|ies)|gems?|crates?|sources?|source files|status codes?|column names|function names|(?:public|named) exports|exports(?= of)|env(?:ironment)? variables|migrations?|secrets|root(?: user)?|(?:bundle|binary|image|package) size|(?:dynamic )?allocations?|threads?|globals?|global state|recursion|reflection|macros|cgo|inline styles?|network (?:calls|access)|telemetry|queues?|cookies|polyfills?|infrastructure|breaking changes?|`[^`\\n]{1,60}`)";

/** Enough by themselves: an outsider could check them. */
export const TECHNICAL_LIMITS = rules(
  2,
  [anyCase`\b(?:no|zero|without)\s(?:[\w-]{1,15}\s){0,4}${TECHNICAL_NOUN}`, "an explicit technical limit"],
  [
    /(?<!\b(?:has|have|had|is|are|with)\s)\b(?:[Nn]o|[Ww]ithout|[Nn]ever use|[Aa]void)\s(?!(?:PR|PRs|QA|CI)\b)[A-Z][A-Za-z0-9+#.]{1,20}\b(?!\s(?:errors?|warnings?|failures?))/,
    "a technology that is ruled out",
  ],
  [
    anyCase`\b(?:do not|don't|don’t|never|must not|mustn't|may not|avoid)\s(?:\w{2,15}\s){1,5}?${TECHNICAL_NOUN}`,
    "an explicit technical limit",
  ],
  [
    anyCase`\b${TECHNICAL_NOUN}\s(?:[\w./\`-]{1,40}\s){0,5}?(?:must not|may not|should not|stays?|remains?|must stay|must remain|unchanged|cannot|(?:do|does)(?: not|n't) change|(?:is|are) (?:kept|forbidden|prohibited|banned|not allowed|off[- ]limits)|keeps?)\b.{0,40}`,
    "an explicit technical limit",
  ],
  [
    anyCase`\b(?:keep|keeping|preserve|preserving|retain|maintain)\s(?:\w{2,15}\s){0,4}?${TECHNICAL_NOUN}`,
    "an explicit technical limit",
    /compatib/i,
  ],
  [
    /(?:\b(?:max(?:imum)?|at most|no more than|fewer than|less than|under|up to|limit(?:ed)? to|within)|[<≤]=?)\s?(?:of\s)?\d[\d.,]{0,8}\s?(?:changed\s|new\s)?(?:loc|lines?|files?|commits?|dependencies|kloc)\b/i,
    "a limit on the size of the change",
  ],
  [
    /\b(?:(?:only|just)\s(?:the\s)?(?:std(?:lib)?|standard library)|(?:std(?:lib)?|standard library)\sonly)\b/i,
    "no dependencies outside the language",
  ],
  [
    /\b(?:stay(?:s|ing)? (?:on|with|within)|keep(?:ing)?|remain(?:s)? (?:on|compatible with)|compatible with|must (?:support|run on|work (?:on|with|in))|(?<!\b(?:drop|remove|end|dropping|removing)\s)support(?:s|ing)?|target(?:s|ing)?|works? (?:on|with))\s(?:(?:the|on|at|provider|version|versions)\s){0,3}(?:[A-Za-z][\w.+-]{0,20}\s){0,2}v?\d[\w.]{0,12}\+?(?![\w.%])(?!\s?(?:%|days?|weeks?|months?|years?|hours?|minutes?|seconds?|s|ms|items?|entries|rows|lines|copies|backups|[kmg]i?b)\b)/i,
    "an exact version to hold",
  ],
);

const CEILING = "(?:below|under|at most|within|less than|fewer than|no more than|over|beyond|above)";
const QUANTITY = "\\d[\\d.,]{0,8}\\s?\\S{1,12}";

/** A number that has to hold while the work changes something else. */
export const HELD_NUMBERS = rules(
  2,
  [
    anyCase`\b(?:must|has to|have to|may|should|shall)\s(?:not\s|never\s|only\s)?(?:stay|remain|keep|be kept|grow|increase|rise|exceed|get|go)\b(?:\s\w{1,20}){0,3}?\s(?:${CEILING}\s)?${QUANTITY}`,
    "a limit in numbers",
  ],
  [anyCase`\b(?:stays?|remains?|never exceeds?)\s(?:${CEILING}\s)?${QUANTITY}`, "a limit in numbers"],
);

/** What has to stay true, whatever it is: "the header must stay sticky", "old saves have to keep loading". */
export const HELD_STATES = rules(
  1,
  [
    /\b(?:must|has to|have to|should)\s(?:always\s)?(?:stay|remain)\s(?!(?:green|open|on|at)\b)\w{2,20}/i,
    "something that must keep holding",
  ],
  [
    /\b(?:must|has to|have to)\s(?:still\s)?hold$|\b(?:must|has to|have to|should)\s(?:keep|continue|go on)\s\w{2,20}ing\b/i,
    "something that must keep holding",
  ],
  [
    /^(?:the\s|all\s|our\s)?[\w -]{2,60}?\s(?:stays?|remains?)\s(?:the same|compatible|as (?:it|they) (?:is|are)|unchanged|stable|intact)\b/i,
    "something that must stay as it is",
  ],
);

/** What has to be reached, beside a request that says something else. */
export const DEMANDED_NUMBERS = rules(
  2,
  [anyCase`(?:^|,\s)(?:at most|up to|no more than)\s${QUANTITY}`, "a limit in numbers"],
  [anyCase`\b(?:must|has to|have to)\s(?:\w{2,20}\s){1,4}?${CEILING}\s${QUANTITY}`, "a limit in numbers"],
  [
    /\b(?:may|must|can|should)\s(?:not|only)?\s?(?:\w{2,20}\s){1,4}?(?:at most|no more than|worse than|more than|less than|up to|over|beyond|exceed)\s\d[\d.,]{0,8}\s?\S{0,12}/i,
    "a limit in numbers",
  ],
);

export const NUMBER_LIMITS = rules(
  2,
  [/\b(?:limit|budget|cap|ceiling)(?:\s(?:of|is|at))?:?\s\d[\d.,]{0,8}\s?\w{0,12}/i, "a limit in numbers"],
  [/\bmax(?:imum)?\.?\s(?:[\w-]{1,20}\s){0,4}\d[\d.,]{0,8}\s?\w{0,12}/i, "a limit in numbers"],
);

const VERSION = "v?\\d{1,4}(?:\\.[\\dx]{1,4}){0,3}\\+?";
/** Programs are written with a capital, or are known by a small one. */
const PLATFORM = `(?:(?!(?:After|Before|Within|Only|Then|Until|From|In|At|On|By|For|With|About|Over|Under|Max|The|All|Pixel)\\b)(?:[A-Z][A-Za-z+#.]{0,20}|\\.NET|iOS|macOS|php|python|node|go|java|ruby|rust|npm|gcc|clang|glibc)(?:\\s[A-Z][a-z]{1,15}){0,2}\\s?${VERSION})`;
const HOLDS =
  "(?:(?:[Mm]ust|[Ss]hould|[Hh]as to|[Hh]ave to|needs to|need to)\\s(?:still\\s|keep\\s|continue\\s(?:to\\s)?|stay\\s|remain\\s|be\\s)?(?:work|run|build|compile|support|pass)\\w{0,3}|keeps? working|stays?(?=$|,|;|\\.)|stays? supported|is (?:fix(?:ed)?|given|set)|(?:still|also) works?)";

/** Versions and places that the work is held to; an outsider could check each. */
export const VERSION_LIMITS = rules(
  2,
  [
    /\b(?:patch|minor|security|stable|lts|non-breaking)\s(?:(?:and|or)\s\w{1,12}\s)?(?:releases?|versions?|updates?|bumps?|upgrades?|fixes)\sonly\b/i,
    "a limit on versions",
  ],
  [
    /\bonly\s(?:the\s)?(?:patch|minor|security|stable|lts|non-breaking)\s(?:(?:and|or)\s\w{1,12}\s)?(?:releases?|versions?|updates?|bumps?|upgrades?)\b/i,
    "a limit on versions",
  ],
  [
    new RegExp(
      `(?:^|,\\s|;\\s|[-–—(]\\s?)(?:${PLATFORM}|MSRV\\s${VERSION})(?:\\sonly|\\sor (?:newer|later|higher|above))?(?=$|,|;|\\)|\\sonly\\b|\\sor\\s)`,
    ),
    "an exact version to hold",
  ],
  [new RegExp(`${PLATFORM}(?:\\s(?:and|or)\\s[\\w.]{1,20}){0,2}\\s${HOLDS}`), "an exact version to hold"],
  [
    new RegExp(
      `\\b${HOLDS}\\s(?:on|in|with|under|for)\\s(?:\\w{1,20}\\s(?:and\\s)?(?:on\\s|in\\s)?){0,3}${PLATFORM}`,
    ),
    "an exact version to hold",
  ],
  [
    anyCase`\b(?:stay(?:s|ing)?|remain(?:s|ing)?)\s(?:pinned\s|locked\s)?(?:on|at|to|with)\s(?:[\w.]{1,20}\s){0,2}${VERSION}`,
    "an exact version to hold",
  ],
);

/** "Keep alpine", "no Redis": a technology by its name, which has no article. */
const NAMED_TECHNOLOGY =
  "(?!(?:it|them|this|that|things?|all|any|both|every|each|going|on|in|up|as|the|an?|our|your|its|their|to|of|for|working|trying|calm|track|watch|\\w{2,20}ing)\\b)[A-Za-z][\\w.+#-]{1,30}";

export const NAMED_LIMITS = rules(
  2,
  [
    anyCase`(?:^|[,;:]\s|\b(?:and|but)\s)(?:keep|stay (?:on|with)|stick (?:to|with)|keep using)\s${NAMED_TECHNOLOGY}(?=$|[,;]|\s(?:as|for|and)\b)`,
    "a technology to hold",
  ],
  [
    /(?<![\w-])(?:[A-Z][\w.+#-]{1,30}|[\w.+#-]{0,30}\d[\w.+#-]{0,30})(?:\s[\d.]{1,8}(?:-\d{1,4})?)?[\s-](?:compatible|compliant|conformant)\b|\b(?:compl(?:y|ies|iant)|conforms?|compatible) (?:with|to) (?:[A-Z]|\w*\d)[\w.+#-]{1,30}/,
    "a named standard to hold",
  ],
);

const FILE_OR_FOLDER = "`?(?:[\\w@.*-]{1,60}\\/){0,12}[\\w@.*-]{1,60}(?:\\/|\\.[a-z][\\w*]{0,8})`?";
const TOUCHED = "(?:touch|chang|edit|modif|alter)\\w{0,4}";

export const PLACE_LIMITS = rules(
  2,
  [
    anyCase`\b(?:only|just|nothing but|nothing except|nothing outside(?: of)?)\s(?:(?:edit|touch|change|modify)\s)?(?:in\s|the file\s|files? (?:in|under)\s)?${FILE_OR_FOLDER}`,
    "a limit to named places",
    /\b(?:e\.g|i\.e)\b/i,
  ],
  [
    anyCase`\bno other (?:\w{2,20}\s){1,2}(?:may|must|can|should)\s(?:be\s)?${TOUCHED}`,
    "a limit to named places",
  ],
  [anyCase`${FILE_OR_FOLDER}\sonly\b`, "a limit to named places"],
  [
    anyCase`\bonly\s(?:[\w\`./:@-]{1,60}\s){1,6}?(?:may|can|should|must|is to|are to)\s(?:be\s)?${TOUCHED}`,
    "a limit to named places",
  ],
  [
    anyCase`\b(?:do not|don't|don’t|never|must not|may not|without|not|no)\s(?:\w{2,15}\s){0,2}?(?:${TOUCHED}|remov\w{1,3}|delet\w{1,3}|mov\w{1,3}|renam\w{1,3})\s(?:to\s|in\s|anything in\s)?(?:\w{1,20}\s){0,5}?${FILE_OR_FOLDER}`,
    "a place that must stay as it is",
  ],
  [
    anyCase`\bleave\s(?:\w{1,20}\s){0,3}?${FILE_OR_FOLDER}\s(?:alone|as (?:it )?is|untouched|unchanged)`,
    "a place that must stay as it is",
  ],
);

/** Explicit, but about one thing: two of them together make an explicit set. */
export const EXPLICIT_LIMITS = rules(
  1,
  [
    /(?:^|,\s?|\band\s|\bwith\s|:\s|[-–—]\s|\(|;\s?)no\s(?!(?:errors?|warnings?|failures?|longer|one|more|matter|changes?\b\s*$|idea)\b)(?:[\w`'-]{1,40}\s?){1,6}/i,
    "an explicit exclusion",
  ],
  [
    /\b(?:should not|shouldn't|avoid|not)\s(?:touch|chang|modify|edit|break|alter|add|remov|log|us[ei]|introduc|renam|delet|destroy|rely|creat|commit|push|mov|rewrit|store|send|expose|drop|affect|exceed|depend|increas|slow|requir|mock|skip|disabl|be\s)\w{0,6}\s?.{0,60}/i,
    "an explicit exclusion",
  ],
  [
    /\b(?:do not|don't|don’t|never|must not|mustn't|may not)\s(?!know\b|care\b|mind\b)[a-z]{2,20}\s?.{0,60}/i,
    "an explicit exclusion",
  ],
  [/\bnothing else\b(?: \w{1,20}){0,4}/i, "an explicit exclusion"],
  [
    /\b[\w-]{2,30}\s(?:must|should)\s(?:be|stay|remain)\s(?:byte-|bit-)?(?:identical|unchanged|the same|equal)\b/i,
    "something that must stay as it is",
  ],
  [/\bleave\s.{1,80}?\b(?:alone|as (?:it is|is|they are)|untouched|unchanged)\b/i, "an explicit exclusion"],
  [
    /\b[\w-]{2,30}\s(?:is|are) (?:forbidden|prohibited|banned|not allowed|off[- ]limits)\b/i,
    "an explicit exclusion",
  ],
  [/\bno\s(?:[\w-]{1,30}\s){1,3}(?:may|must|can|should)\s\S.{0,60}/i, "an explicit exclusion"],
  [
    /\bwithout\s(?!(?:an?|any)\s(?:crash|error|failure|warning|problem))(?:\w{2,20}ing\b|downtime|any|a|data|loss|regressions?|side effects?)\s?.{0,60}/i,
    "something that must keep holding",
  ],
  [
    /\b(?:[A-Z][\w.+#]{1,25}(?:\s(?:v?\d[\w.]{0,10}\+?|[a-z]{3,15}s))?|[a-z]{2,20}_[a-z_]{2,30}|strict mode|non-root|read-only)(?<!\bRead|\bThe|\bUse)\sonly\b/,
    "a limit on the means",
  ],
  [/\b(?:use\sonly|only\suse|only)\s(?:[A-Z`][\w.+#`-]{1,40}|the\s\w{2,20})/, "a limit on the means"],
  [/\b(?:strict mode|as non-root|non-root|rootless|offline only|read-only)\b/i, "a technical mode"],
  [
    /\b(?:keep|keeping|preserve|preserving|retain|maintain)\s(?!(?:it|things|working|going|on)\b)(?:[\w`'-]{1,30}\s){1,8}?(?:unchanged|the same|intact|as is|stable|working|identical|untouched)\b/i,
    "something that must stay as it is",
  ],
  [
    /(?:^|[,;]\s?|\bbut\s)keep(?:ing)?\s(?:the|all|our|its|existing|every)\s(?!\w{1,20}\s(?:simple|small|minimal|short|lean)\b)[\w-]{1,30}(?:\s[\w-]{1,30}){0,3}(?=$|[,;])/i,
    "something that must stay as it is",
  ],
  [/\b(?:backwards?|backward)[- ]compatib\w{1,8}\b/i, "old uses must keep working"],
  [
    /\b(?:behaviou?r|look|output|results?|api|urls?)\s(?:must |should )?(?:stays?|remains?|is|be)\s(?:the same|unchanged|identical)\b/i,
    "something that must stay as it is",
  ],
  [
    /\b[\w-]{2,30}\s(?:(?:must|should)\s)?(?:(?:stays?|remains?|are|is|be|kept)\s)?(?:unchanged|untouched|intact|as they are|as it is)\b/i,
    "something that must stay as it is",
    /^(?:buffer|input|value|string|list|object|array|argument|result)\s(?:unchanged|untouched|intact)/i,
  ],
  [
    /\bsame\s(?:[\w-]{1,20}\s){1,3}as\s(?:today|now|before|currently)\b/i,
    "something that must stay as it is",
  ],
);

/** A quality that the result has to have, beside a request that says something else: "the migration must be reversible". */
export const DEMANDED_STATES = rules(1, [
  /\b(?:must|has to|have to)\s(?:survive|be\s(?:\w{3,20}(?:ible|able|safe|free|less)|idempotent|optional|deterministic))\b/i,
  "something that must hold",
]);

/** A direction; however many, they stay general. */
export const GENERAL_LIMITS = rules(
  1,
  [
    /\b(?:the|our|an?|any|its)?\s?(?:existing|current|present)\s(?!(?:tests?|test suite|suite|users?|accounts?|bugs?|implementation|behaviou?r|months?|weeks?|days?|years?|dates?|time|values?|selection|page|tab|state|location|position)\b)[\w-]{2,40}(?:\s[\w-]{2,40})?/i,
    "a general direction",
  ],
  [
    /\bkeep\s(?:it|things|the \w+|changes)\s(?:simple|small|minimal|short|lean)\b|\bminimal (?:changes|diff)\b|\bsmall (?:changes|diff|commits)\b/i,
    "a general direction",
  ],
  [
    /\b(?:in|matching|following) the (?:style|manner|tone|spirit) of\s(?:[\w-]{1,30}\s?){1,4}|\bsame (?:style|tone|format|structure|layout|look|pattern) as\b.{0,40}|\b(?:like|as) (?:in )?(?:the|our) (?:other|existing|rest)\b(?: [\w-]{2,30})?|\b(?:with|on|in) our\s(?:[\w-]{2,30}\s?){1,3}/i,
    "a general direction",
  ],
  [
    /\bre-?use\s(?:\S{1,30}\s){0,4}\S{2,30}|\balready (?:have|use|in place)\b|\bwhat(?:ever)? (?:we|you) have\b|\bas few (?:changes|edits|lines) as possible\b/i,
    "a general direction",
  ],
  [
    /\b(?:follow(?:ing)?|stick(?:ing)? to|respect|match|according to|in line with)\s(?:[\w-]{1,20}\s){0,4}(?:conventions?|style|guidelines?|patterns?|standards?|guide|design system)\b/i,
    "a general direction",
  ],
);

/** How the work is to be done: a direction, and nothing that must stay true. */
export const MEANS = rules(
  1,
  [
    /\b(?<!stop |without |instead of )using\s(?!(?:it|them|this|that)\b)[\w`@'./-]{2,40}(?:\s[\w`@'./-]{2,40}){0,2}/i,
    "names the means",
  ],
  [/\bto use\s(?:the\s|our\s|a\s)?[\w`@-]{2,40}(?:\s[\w-]{2,40})?/i, "names the means"],
  [/^use\s(?:the\s|our\s|a\s)?[\w`@-]{2,40}(?:\s[\w-]{2,40})?/i, "names the means"],
);
