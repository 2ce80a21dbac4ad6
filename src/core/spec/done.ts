import { findClosedSets, findEverywhere, findOpenSets, findPlaces, namedFiles } from "./scope.ts";
import { codeSpans, insideOf, maskCode, isCommand } from "./code.ts";
import type { Ending, Reading } from "./reading.ts";
import { findMeasuredGoals, MEASURED, OBSERVED_STATE } from "./target.ts";
import { applyRules, best, matches, rules, type DimensionScore, type Extras, type Earned } from "./rule.ts";

const OBSERVABLE = [
  ...MEASURED,
  ...OBSERVED_STATE,
  ...rules(
    2,
    [
      /\b(?:merged?|prs?|pull requests?|merge requests?|mr|pushed|committed|deployed|released|published|live|tagged|green|approved|signed off|closed|shipped|uploaded|archived|reviewed|in production|on staging|(?:on|in|to) (?:main|master|trunk|prod|production|staging)|staging)\b/i,
      "an event anyone can see",
    ],
    [
      /\b(?:pass(?:es|ed)?|succeeds?|exits? (?:with )?(?:code )?0|compiles?|no longer|returns?|reports?|prints?|contains?|exists?|deleted|removed|gone|empty)\b/i,
      "an observable state",
    ],
    [/\bno\s(?:[\w`./-]{1,40}\s){1,4}\w+/i, "nothing of it is left"],
    [
      /\b(?:is|are|was|were|has been|have been|gets?)\s(?!(?:\w{1,20}\s)?(?:finished|fixed|improved|completed|implemented|satisfied|solved|resolved|polished|cleaned|refactored|need)\w{0,3}\b)(?:\w{2,20}ed|sent|written|built|shown|gone)\b/i,
      "an event somebody can see",
    ],
  ),
];

const LOOSE_UNTIL =
  /\b(?:it|everything|all|this|that|they)\b.{0,30}\b(?:works?|working|good|happy|fine|fixed|done|ok|okay|right|satisf\w+|perfect|finished|complete|clean|better|great|fast|resolved)\b|\b(?:i(?:'m| am)|we(?:'re| are)|i say|satisfied|happy|works|done|fixed)\b/i;

const DELIVERY =
  /^(?:(?:then|finally|and|finish by|end by|afterwards|when (?:done|finished|ready),?)\s)?(?:(?:open(?:ing)?|creat(?:e|ing)|submit(?:ting)?|rais(?:e|ing)|send(?:ing)?)\s(?:an?\s|the\s|it as an?\s)?(?:\w{1,20}\s){0,2}(?:prs?|pull request|merge request|release|tag|patch)|(?:merg(?:e|ing)|push(?:ing)?|deploy(?:ing)?|publish(?:ing)?|commit(?:ting)?|tag(?:ging)?|releas(?:e|ing))\s.{0,60}?\b(?:prs?|pull request|merge request|main|master|staging|production|npm|pypi|branch|commit|release|crates\.io|changes?|it))\b.{0,40}/i;
const DELIVERY_TAIL =
  /\b(?:and|then)\s(?:open|submit|raise|create|send)\s(?:a|the)\s(?:draft\s)?(?:pr|pull request|merge request)\b/i;

const DELIVERED =
  /^(?:the |an? )?(?:draft )?(?:prs?|pull requests?|merge requests?|branch|change|commit|release|tag)\b.{0,60}?\b(?:is|are|gets?)\s(?:open(?:ed)?|merged|pushed|approved|published|deployed|tagged|on (?:main|master|staging))\b.{0,40}/i;

/** As people note it down. */
const MERGED = /^(?:prs?|pull requests?|merge requests?)\s(?:open(?:ed)?|merged|approved)\b.{0,40}/i;

const LITERAL_EDIT =
  /(?<=^|\b(?:and|then|please|to|you)\s|[:;]\s)(?:bump|delete|remove|rm|drop|rename|move|set)\b(?!\s\/)|\b(?:update|change)\b.{1,80}?\bto\sv?\d/i;

const ADDS_FILES = /^(?:please\s)?(?:add|create|write)\s(?!tests?\b|an?\b)/i;

export function scoreDone(reading: Reading, extras: Extras): DimensionScore {
  const endings = reading.endings.flatMap(endingFindings);
  return best([
    ...endings,
    ...reading.clauses.flatMap((clause, index) => deliveries(clause.text, index === 0)),
    ...reading.clauses.flatMap((clause) => matches(DELIVERY_TAIL, clause.text).map(delivered)),
    ...(endings.length === 0 ? reading.changes.flatMap(measuredEnds) : []),
    ...reading.changes.flatMap(countableEnds),
    ...extras.criteria.map(({ name, hasCheck }): Earned =>
      hasCheck
        ? { points: 2, quote: name, reason: "a criterion with a check" }
        : { points: 1, quote: name, reason: "a criterion without a check" },
    ),
  ]);
}

function endingFindings(ending: Ending): Earned[] {
  const isObservable =
    applyRules(OBSERVABLE, [ending.condition]).length > 0 || namesCommand(ending.condition);
  if (isObservable) return [{ points: 2, quote: ending.quote, reason: "an observable end" }];
  const isLoose = ending.isCertain || LOOSE_UNTIL.test(ending.condition);
  return isLoose ? [{ points: 1, quote: ending.quote, reason: "a loose end" }] : [];
}

function namesCommand(text: string): boolean {
  return codeSpans(text).some((span) => isCommand(insideOf(span)));
}

/** Who begins with "publish the package" asks for it as the work. */
function deliveries(text: string, isOpening: boolean): Earned[] {
  const patterns = isOpening ? [DELIVERED, MERGED] : [DELIVERY, DELIVERED, MERGED];
  return patterns.flatMap((pattern) => matches(pattern, text)).map(delivered);
}

function delivered(quote: string): Earned {
  return { points: 2, quote, reason: "a delivery anyone can see" };
}

function measuredEnds(text: string): Earned[] {
  return findMeasuredGoals(text).map((quote) => ({
    points: 2,
    quote,
    reason: "over when the value is reached",
  }));
}

/** The work is over when the last of a countable number of things is changed. */
function countableEnds(text: string): Earned[] {
  const sets = [...findClosedSets(text), ...findOpenSets(text), ...findEverywhere(text)].map(
    ({ quote }): Earned => ({
      points: 1,
      quote,
      reason: "over when none is left",
    }),
  );
  if (ADDS_FILES.test(text) && namedFiles(text.split(": ")[0] ?? "").length > 1)
    return [{ points: 1, quote: text.slice(0, 60), reason: "over when each named file is there" }];
  if (sets.length > 0 || !LITERAL_EDIT.test(maskCode(text))) return sets;
  const places = findPlaces(text);
  return places
    .filter((place) => places.length > 2 || /file|folder|path/.test(place.reason))
    .slice(0, 1)
    .map(({ quote }) => ({ points: 1, quote, reason: "over when the named edit is made" }));
}
