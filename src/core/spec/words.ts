function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}

/** Qualities one can measure; they name a result, never a place. */
export const METRIC =
  /\b(?:performance|latency|throughput|(?:response|load|start(?:up)?|build|boot) times?|cold starts?|coverage|accessibility|a11y|seo|memory(?: usage| consumption)?|cpu(?: usage)?|(?:bundle|binary|image|package) size|error rates?|reliability|scalability|uptime|availability|flakiness|disk usage|bill|costs?|speed|security|test coverage)\b/i;

/** Something is wrong, and the word says what. "bug" and "broken" do not. */
export const SYMPTOM =
  /\b(?:slow(?:ly|ness)?|flak(?:y|iness)|crash(?:es|ed|ing)?|leaks?|leaking|fail(?:s|ed|ing|ures?)?|time(?:s|d)?[ -]?outs?|timing out|hangs?|hanging|freez(?:es?|ing)|duplicat(?:es?|ed)|deadlocks?|race conditions?|overflows?|typos?|off[- ]by[- ]one|null pointer|segfaults?|stack traces?|exceptions?|panics?|errors?|warnings?|vulnerabilit(?:y|ies)|infinite loops?|misaligned|deprecat(?:ed|ions?)|regressions?|corrupt(?:s|ed|ion)?|incorrect|(?<!\bsomething(?:['’]s|\sis)\s)wrong|missing)\b/i;

/** Work that makes or changes a thing it can name. */
export const BUILD_VERB =
  /\b(?:add|create|build|implement|write|introduce|support|enable|disable|allow|set up|setup|ship|generate|document|translate|localize|integrate|configure|expose|provide|include|show|display|hide|handle|validate|update|upgrade|bump|install|deploy|publish|automate|log|track|test|cover|design|draft|describe|explain|benchmark|profile|instrument|convert|migrate|port|move|switch|rewrite|replace|rename|remove|delete|drop|split|extract|merge|change|set|make|refactor|restructure|deduplicate|consolidate|decompose|inline|flatten|unify|round|break up|extend|paginate|cache|encrypt|sanitize|return|send|store|schedule|parse|render|redesign|release|dockerize|containerize|pin|limit|reject|accept|retry|lock|format|sort|filter|group|export|import|sync|backfill|archive|audit|give|let|put|wire|hook|catch|prevent|ensure|stop|run|use|revert|restore|reset|seed|mock|stub|annotate|list|print|emit|apply|compile|embed|load|bring)\b/i;

export const IMPROVE_VERB =
  /\b(?:improv(?:e|ing)|optimi[sz](?:e|ing)|speed(?:ing)? up|reduc(?:e|ing)|decreas(?:e|ing)|lower(?:ing)?|increas(?:e|ing)|rais(?:e|ing)|simplify(?:ing)?|streamlin(?:e|ing)|harden(?:ing)?|stabili[sz](?:e|ing)|clean(?:ing)? up|tidy(?:ing)?(?: up)?|cut|shrink|enhance|boost|tune|rework|revisit|review|investigat(?:e|ing)|find out|figure out|look(?:ing)? into|analy[sz]e|debug|diagnose|explore|research|evaluate|moderni[sz]e|unify|standardi[sz]e|get)\b/i;

/** Repair without a word about what is wrong says nothing about the result. */
export const REPAIR_VERB =
  /\b(?:fix(?:es|ing)?|repair|resolve|solve|help|look at|do something|correct|(?<=^|\b(?:to|and|please|then|should|must)\s)(?:address|patch)|sort out)\b/i;

const GENERIC = wordSet(
  "app apps application applications game games code codebase project projects repo repository system systems software program product site",
  "website webapp thing things stuff everything anything something it its all bug bugs issue issues problem problems quality",
  "tests test work works working job way lot bit part parts area stack implementation solution feature features functionality",
  "logic debt technical maintainability readability usability experience ux design look feel structure architecture user users",
  "people customers customer complaints complaint team everyone somebody file files whole entire complete full general overall",
);

const QUALITY = wordSet(
  "better best nice nicer good great greater faster fast quicker quick slow slower clean cleaner cleanup simple simpler robust stable",
  "modern pretty prettier beautiful awesome perfect amazing proper properly correct correctly right well smooth smoother efficient",
  "reliable secure safe scalable maintainable readable professional polished sluggish broken bad worse ugly old new existing current latest",
  "larger smaller bigger higher lower shorter longer fewer",
  "more less most least very really much many some few several various other again now soon asap possible gracefully easily",
);

const FUNCTION = wordSet(
  "a an the this that these those my our your their his her i we you they he she them us me who which what where when why how",
  "is are was were be been being am do does did doing done can could should would will shall may might must has have had having",
  "not no yes to of in on at by for from with without into onto over under up down out off about as than then so if or and but",
  "take takes care remaining happy unhappy another turned turn ready production ongoing around available back away always never often already",
  "almost enough else ever first last next second time today tomorrow yesterday course case cases point kind sort side end place things",
  "know think see say tell feel feels seems seem looks guess hope wish thanks thank hi hello hey shot rest whatever whenever actually",
  "basically somehow maybe perhaps probably once twice again together both same different own such forever weird strange okay ok nothing",
  "lately recently mess week weeks day days month months year years night morning urgent wrong pls plz love attention trouble btw fyi hmm",
  "round level next pass shape order step steps note idea question cleanup",
  "because while until since please just only also too still even there here need needs needed want wants like make makes made",
  "get gets getting go going keep let complain complains complaining try sure some any each every both either neither",
);

const VERBS = wordSet(
  "fix fixes fixing help improve improving reduce reducing increase increasing optimize optimise optimizing refactor refactoring",
  "refine polish modernize modernise rework rewrite clean tidy speed add create build implement write update upgrade look looking",
  "find figure investigate enhance boost simplify simplifying restructure revisit review raise lower decrease cut stop start finish",
  "shrink shrinking trim halve bring reach exceed replace remove delete rename move drop disable enable",
  "change changing run check use using happen happens change set test solve resolve address",
);

const METRIC_WORDS = wordSet(
  "performance latency throughput response load startup time times coverage accessibility seo memory usage consumption cpu size",
  "rate reliability scalability uptime availability speed security flakiness",
);

const ENGLISH =
  /\b(?:the|of|with|is|are|there|why|our|and|for|should|must|please|want|when|that|which|this|we|does|broken|failing|slow|urgent|not|they|their|before|after|from|by|into|feels?|looks?|needs?|seems?|add|fix|make|update|improve|build|write|create)\b/i;

/** A verb at the beginning and what it is about, whatever the verb: "partition the events table". */
export const ORDER = /^(?:please\s)?[a-z]{3,20}\s(?:the|an?|all|every|each|our)\s[a-z]/i;

const NAME_LENGTH = 4;

/** The stretch of the text from its first naming word to its fourth. */
export function namingSpan(text: string, original = text): string | undefined {
  const words = namingMatches(text).slice(0, NAME_LENGTH);
  const [first] = words;
  const last = words.at(-1);
  return first === undefined || last === undefined
    ? undefined
    : original.slice(first.index, last.index + last[0].length);
}

export function namingWords(text: string): string[] {
  return namingMatches(text).map((match) => match[0]);
}

/** Words that name a module, feature or area, after all that could stand in any request is taken away. */
function namingMatches(text: string): RegExpExecArray[] {
  const isEnglish =
    ENGLISH.test(text) ||
    SYMPTOM.test(text) ||
    BUILD_VERB.test(text) ||
    IMPROVE_VERB.test(text) ||
    REPAIR_VERB.test(text) ||
    ORDER.test(text);
  if (!isEnglish) return [];
  const words = [...blanked(text, MOMENT).matchAll(/[A-Za-z][A-Za-z0-9+#.'’-]{0,60}/g)];
  return words.filter((match) => isNaming(match[0].toLowerCase().replace(/['’]s$|[.'’-]+$/g, "")));
}

/** When it happens says nothing about where: "before the release", "since yesterday's deploy". */
const MOMENT =
  /\b(?:before|after|since|until|by|for)\s(?:the\s|our\s|next\s|last\s|yesterday['’]s\s|today['’]s\s){0,2}(?:release|launch|deploy(?:ment)?|update|upgrade|demo|freeze|weekend|sprint|meeting|merge|holidays?|monday|tuesday|wednesday|thursday|friday|saturday|sunday|yesterday)\b/gi;

/** Other characters stay where they are, so that words can be quoted by their place. */
function blanked(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found) => " ".repeat(found.length));
}

function isNaming(word: string): boolean {
  if (word.length < 2 || /['’]/.test(word)) return false;
  return ![GENERIC, QUALITY, FUNCTION, VERBS, METRIC_WORDS].some((set) => set.has(word));
}
