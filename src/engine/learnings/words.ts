/** Words that say nothing about a subject. */
const EMPTY = new Set(
  "a an and any are as at be been but by can could did do does doing down for from get had has have how i if in into is it its let may me more most my no nor not of off on once only or other our out over own per same shall should so some such than that the their them then there these they this those to too under until up us very was we were what when where which while who why will with without would you your afterwards also still one two three first second last".split(
    " ",
  ),
);

/** Words of any work on code: they count little, and alone they connect nothing. After stemming. */
const GENERIC = new Set(
  "add all app build bug change check code create done error expect fail file find fix folder function get go implement improve js json keep lib line loop make md method module move need new npm package pass project py refactor remove rename replace run say set src step support task test ts try tsx jsx update use value version work write yarn pnpm".split(
    " ",
  ),
);

export function isGeneric(word: string): boolean {
  return GENERIC.has(word) || word.length < 2 || /^\d+$/.test(word);
}

const LONGEST_TEXT = 20_000;

/** The words of a text, in lower case and without their endings; names in camel case and paths fall into their parts. */
export function wordsOf(text: string): ReadonlySet<string> {
  const parts = text
    .slice(0, LONGEST_TEXT)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return new Set(parts.filter((part) => part !== "" && !EMPTY.has(part)).map(stem));
}

/** Enough for plurals and verbs; a wrong stem is the same wrong stem on both sides. */
function stem(word: string): string {
  if (word.length < 4) return word;
  const bare = word
    .replace(/ies$/, "y")
    .replace(/(ss|sh|ch|x|z)es$/, "$1")
    .replace(/([^su])s$/, "$1");
  if (bare.length < 5) return bare;
  return bare
    .replace(/(?:ing|ed|er)$/, "")
    .replace(/([bdfgklmnprt])\1$/, "$1")
    .replace(/e$/, "");
}
