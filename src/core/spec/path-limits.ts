/** What a clause says about files and folders that may or may not change. */
export interface PathLimit {
  /** `only`: nothing changes but these. `keep`: these don't change. */
  readonly kind: "only" | "keep";
  /** As they are written, without backticks; a folder that is called one ends in a slash. */
  readonly places: readonly string[];
}

const WORD = "[\\w@.*-]+";
const KNOWN_FILE =
  "(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|Justfile|Vagrantfile|README|CHANGELOG|LICENSE|CODEOWNERS)";
/** A path has a slash, an ending or backticks, or is a file that everybody knows. `src/cart.js's API` isn't the file. */
const PATH = `(?:\`[\\w@./*-]+\`|(?:${WORD}/)+(?:${WORD})?|\\.?${WORD}\\.[A-Za-z]\\w{0,9}|${KNOWN_FILE}|(?!(?:the|an?|this|that|any|each|every|whole|same|other|new|right)\\b)${WORD}(?=\\s(?:folder|directory)\\b))(?![\\w/'’])(?:\\s(?:folder|directory))?`;
const WHOLE_OF =
  "(?:(?:(?:anything|any of|(?:any|all|the|generated|existing)\\s(?:of\\sthe\\s)?(?:files?|tests?|code)|files?|tests?|(?:generated )?code)\\s(?:in|under|below|inside|from)\\s|the\\s(?:files?|folder|directory|module|package)\\s|the\\s)?(?:the\\s)?(?:folder\\s|directory\\s|file\\s)?)";
const JOINED = "(?:,\\s(?:and\\s|or\\s|nor\\s)?|\\s(?:and|or|nor)\\s)";
const PATHS = new RegExp(`(?<![\\w/.'’-])${WHOLE_OF}${PATH}(?:${JOINED}${WHOLE_OF}${PATH})*`, "g");
const ONE_PATH = new RegExp(`(?<![\\w/.'’-])${PATH}`, "g");

/** The clause with a mark for each list of paths, in small letters, so that its grammar is short. */
interface Marked {
  readonly text: string;
  readonly lists: readonly (readonly string[])[];
}

function markPaths(clause: string): Marked {
  const lists: string[][] = [];
  const text = clause.replaceAll(/[<>]/g, " ").replaceAll(PATHS, (list) => {
    lists.push((list.match(ONE_PATH) ?? []).map(placeOf).filter((place) => /\w/.test(place)));
    return `<${lists.length - 1}>`;
  });
  return { text: text.replaceAll(/\((<\d+>)\)/g, "$1").toLowerCase(), lists };
}

function placeOf(path: string): string {
  return path
    .replaceAll("`", "")
    .replace(/\/?\s(?:folder|directory)$/, "/")
    .replace(/^\.\//, "")
    .replace(/[.,]+$/, "");
}

const P = "<(\\d{1,3})>";
const TOUCH = "(?:change|touch|modify|edit|alter|update|affect)";
const TOUCHING = "(?:changing|touching|modifying|editing|altering|updating|affecting)";
const TOUCHED = "(?:changed?|touch(?:ed)?|modified|edit(?:ed)?|altered|affected|different)";
const CHANGES = "(?:changes?|edits?|modifications?)";
const NOT =
  "(?:do not|don't|don’t|dont|must not|mustn't|should not|shouldn't|may not|cannot|can't|never|please don't)";
const MAY = "(?:may|might|should|can|must|shall|is to|are to|needs? to|has to|have to)";
const BUT = "(?:but|except(?: for| in)?|other than|besides|outside(?: of)?|beyond|apart from)";
const SAME =
  "(?:unchanged|untouched|alone|as (?:it|they) (?:is|are|was|were)|as[- ]is|the same|(?:byte-|bit-)?identical|intact|off[- ]limits|read-only|frozen|taboo)";
const START = "(?:^|[,:]\\s|\\b(?:and|but|so|please)\\s)";
const END =
  "(?=\\s*(?:$|[,:)]|\\s(?:at all|in any way|either|for this|while|when|until|because|since|as|but|and|or|so|to)\\b))";
const MEND =
  "(?:make (?:all |the |your )?(?:changes?|edits?)|fix|correct|clean up|refactor|rename|improve|rewrite|work on)";

/** A way to say it: a pattern, and words of which it needs one. Only then is it compiled, which takes longer than using it. */
interface Form {
  readonly words: string;
  readonly source: string;
}

function form(words: string, source: string): Form {
  return { words, source };
}

const KEEP: readonly Form[] = [
  form("not n't n’t never dont", `\\b${NOT}\\s(?:ever\\s)?${TOUCH}\\s${P}${END}`),
  form(
    "without avoid refrain instead not",
    `\\b(?:without|avoid|refrain from|instead of|not)\\s${TOUCHING}\\s${P}${END}`,
  ),
  form("no", `\\bno\\s(?:${CHANGES}|touching)\\s(?:to|in|under|of)\\s${P}${END}`),
  form("no", `\\bno\\s${P}\\s${CHANGES}\\b`),
  form("no", `${P}:\\sno\\s${CHANGES}$`),
  form("leave keep", `\\b(?:leave|keep)\\s${P}\\s(?:${SAME}\\b|to the\\s)`),
  form(
    "stay remain is are be",
    `${P}\\s(?:${MAY}\\s)?(?:stays?|remains?|(?:is|are|be)(?:\\s(?:left|kept))?)\\s${SAME}\\b`,
  ),
  form(
    "not n't n’t never",
    `${P}\\s(?:must|should|may|can|shall)(?:\\snot|n't|\\snever)\\s(?:be\\s)?${TOUCHED}${END}`,
  ),
  form("not n't n’t", `${P}\\s(?:does|do)(?:\\snot|n't)\\schange${END}`),
  form(
    "nothing",
    `\\bnothing\\s(?:in|under|below|inside)\\s${P}\\s(?:changes|${MAY}\\s(?:be\\s)?${TOUCHED})`,
  ),
  form("hands off", `\\bhands off\\s${P}`),
  form("not", `\\b(?:just|but) not\\s${P}${END}`),
  form("change", `\\bchange\\s(?:whatever|anything|everything|all)\\b[^<]{0,40}\\s${BUT}\\s${P}${END}`),
];

const ONLY: readonly Form[] = [
  form(
    "only",
    `${START}(?:you\\s(?:may|can|should)\\s)?(?:only\\s${TOUCH}|${TOUCH}\\sonly)\\s(?:in\\s)?${P}$`,
  ),
  form("only just", `${START}(?:only\\s|just\\s)(?:in\\s)?${P}(?:\\s${MAY}\\s(?:be\\s)?${TOUCHED})?$`),
  form("only", `${START}(?:${TOUCH}|${MEND})\\s(?:[\\w-]{1,30}\\s){0,6}(?:in\\s|of\\s)?${P}\\sonly$`),
  form(
    "work stay keep",
    `${START}(?:work\\s(?:only\\s)?(?:in|on|within|inside)|stay\\s(?:in|within|inside)|keep to)\\s${P}$`,
  ),
  form(
    "limit restrict confine keep",
    `\\b(?:limit|restrict|confine|keep)\\s(?:the\\s|your\\s|all\\s)?(?:${CHANGES}|work|yourself|it)\\s(?:to|in|within)\\s${P}$`,
  ),
  form(
    "limited restricted confined",
    `\\b(?:${CHANGES}|work|fix)\\s(?:${MAY}\\s)?(?:be\\s|is\\s|are\\s)?(?:limited|restricted|confined)\\sto\\s${P}$`,
  ),
  form("only nothing", `\\b${TOUCHING}\\s(?:only|nothing but)\\s${P}$`),
  form(
    "but except other besides outside beyond apart",
    `\\b(?:${NOT}\\s${TOUCH}|without\\s${TOUCHING})\\s(?:anything|any (?:other )?(?:files?|code))\\s${BUT}\\s${P}$`,
  ),
  form(
    "no",
    `\\bno\\s(?:other\\s)?(?:files?|code|changes?)\\s${BUT}\\s${P}(?:\\s${MAY}\\s(?:be\\s)?${TOUCHED})?$`,
  ),
  form(
    "nothing",
    `${START}(?:${TOUCH}\\s)?nothing\\s${BUT}\\s${P}(?:\\s${MAY}\\s(?:be\\s)?(?:${TOUCHED}|change))?$`,
  ),
  form(
    "only",
    `${P}\\s(?:is|are)\\sthe only\\s(?:files?|ones?|places?|things?|folders?)\\s(?:that\\s)?(?:you\\s)?(?:${MAY}|to)\\s(?:be\\s)?${TOUCHED}`,
  ),
  form(
    "nothing nowhere no",
    `^[^<]{0,80}${P},?\\s(?:and|but)\\s(?:nothing|nowhere|no(?:t any)?)\\s(?:else|other\\s(?:files?|places?|code))$`,
  ),
  form(
    "all",
    `\\ball\\s(?:${CHANGES}|work|code)\\s(?:belongs?|goes|go|stays?|lives?|happens?)\\s(?:in|into|inside|within|under)\\s${P}$`,
  ),
  form(
    "only",
    `\\bthe only\\s(?:files?|ones?|places?|things?|folders?)\\s(?:[\\w-]{1,20}\\s){0,5}(?:is|are)\\s${P}$`,
  ),
  form(
    "but except other besides outside beyond apart",
    `^${BUT}\\s${P},?\\s(?:nothing|no (?:other )?files?)\\s${MAY}\\s(?:be\\s)?${TOUCHED}$`,
  ),
  form("only", `\\bonly\\swant\\s${P}\\sto\\s(?:be\\s)?${TOUCHED}`),
];

/** Under "Must not" or "Out of scope", a path alone is what must not change. */
const FORBIDDEN = form("<", `^(?:${TOUCH}\\s|${TOUCHING}\\s|${CHANGES}\\s(?:to|in)\\s)?${P}$`);

const MAY_NAME_PATHS = /[/.`]|file\b|folder\b|directory\b|README|CHANGELOG|LICENSE|CODEOWNERS/;

/**
 * Only sentences whose whole meaning is clear: a misread one would stop work that nothing is wrong with. "Only show src/logo.png" is
 * about what the program does.
 */
export function pathLimitIn(clause: string, isForbidden = false): PathLimit | null {
  if (!MAY_NAME_PATHS.test(clause)) return null;
  const marked = markPaths(clause);
  if (marked.lists.length === 0) return null;
  const placesOf = (forms: readonly Form[]): readonly string[] =>
    forms
      .filter(({ words }) => words.split(" ").some((word) => marked.text.includes(word)))
      .map(({ source }) => new RegExp(source).exec(marked.text)?.[1])
      .flatMap((list) => marked.lists[Number(list ?? Number.NaN)] ?? []);
  const only = placesOf(ONLY);
  if (only.length > 0) return { kind: "only", places: [...new Set(only)] };
  const kept = placesOf(isForbidden ? [...KEEP, FORBIDDEN] : KEEP);
  return kept.length === 0 ? null : { kind: "keep", places: [...new Set(kept)] };
}
