/** Names in quotes or backticks; whatever they say, they are one word here. */
const NAMES = /`[^`]*`|"[^"]*"|“[^”]*”|(?<![A-Za-z0-9])'[^']*'(?![A-Za-z0-9])/g;
const SENTENCES = /[a-z0-9)]{2}[.!?][ ]+[A-Z]/;
const PAIR = /(\S+) (?:and|&) (\S+)(?: (\S+))?/gi;

const VERBS = new Set(
  `add adapt adjust allow apply build bump call change check clean cache compute configure connect convert copy cover create
  delete deploy deprecate describe detect document drop edit enable ensure export expose extend extract fetch fill filter find
  finish fix format generate handle hide implement import improve inline insert install integrate introduce join limit link list
  load log make map measure merge migrate mock move open parse patch pass port print prove publish push put raise read reduce
  refactor register reject release remove rename render replace report require reset resolve restore return review rewrite run
  save scan send serve set show simplify sort split start stop store strip support switch sync test throw track translate trim
  try tune update upgrade upload use validate verify wire wrap write`.split(/\s+/),
);
/** After a pair they show that no common noun follows. */
const LINKS = new Set(
  "a an the to for from in into on onto of at by with without as so when where which that its their then it them via per using".split(
    " ",
  ),
);

/** Why a subject says more than one task, or null. One sentence without "and" says a task; pairs that belong together count as one. */
export function severalTasksIn(subject: string): string | null {
  const plain = subject.replace(NAMES, "Name");
  if (plain.includes(";")) return 'it has a ";"';
  if (SENTENCES.test(plain)) return "it has two sentences";
  for (const [, before = "", after = "", next = ""] of plain.matchAll(PAIR))
    if (!isOneThing(plain, before, after, next)) return 'it has an "and"';
  return null;
}

/** `read and write access`, `client and server code`, `Terms and Conditions`, `between JSON and YAML`. */
function isOneThing(plain: string, before: string, after: string, next: string): boolean {
  if (plain.startsWith(`${before} and `) || before.endsWith(",")) return false;
  if (new RegExp(`\\b(?:between|both) (?:\\S+ ){0,3}and `, "i").test(plain)) return true;
  if (isCapital(before) && isCapital(after)) return true;
  if (isVerb(after)) return isVerb(before);
  return next !== "" && /^[A-Za-z`]/.test(next) && !LINKS.has(next.toLowerCase());
}

function isVerb(word: string): boolean {
  return VERBS.has(word.toLowerCase());
}

function isCapital(word: string): boolean {
  return /^[A-Z]/.test(word);
}
