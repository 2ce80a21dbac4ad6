/** A statement that brings names of another file into this one. */
export interface ImportStatement {
  readonly text: string;
  readonly start: number;
  /** As it is written: `../src/cart.js`, `shop.cart`, `crate::cart`. */
  readonly module: string;
  /** Under which names; empty where it doesn't say. */
  readonly names: readonly string[];
}

interface Dialect {
  readonly files: RegExp;
  /** Its groups are called `module` and, where there are some, `names`, or `words` if blanks part them. No class contains what ends it. */
  readonly statements: readonly RegExp[];
}

const DIALECTS: readonly Dialect[] = [
  {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
    statements: [
      /^[ \t]*import\b(?<names>[^"'`;]{0,2000})["'](?<module>[^"'\n]{1,200})["'][ \t]*;?/gm,
      /^[ \t]*(?:const|let|var)[ \t](?<names>[^="'`;]{1,1000})=[ \t]*(?:await[ \t]+)?(?:require|import)[ \t]?\([ \t]?["'](?<module>[^"'\n]{1,200})["'][ \t]?\)[ \t]*;?/gm,
    ],
  },
  {
    files: /\.pyi?$/,
    statements: [
      /^[ \t]*from[ \t]+(?<module>[.\w]{1,200})[ \t]+import[ \t]+(?<names>\([^)]{0,2000}\)|[^\n(]{1,1000})/gm,
      /^[ \t]*import[ \t]+(?<module>[.\w]{1,200})(?<names>[ \t]+as[ \t]+\w{1,100})?[ \t]*$/gm,
    ],
  },
  {
    files: /\.(?:java|kts?|scala|groovy)$/,
    statements: [/^import[ \t]+(?:static[ \t]+)?(?<module>[\w.]{1,300})[ \t]*;?/gm],
  },
  {
    files: /\.rs$/,
    statements: [
      /^[ \t]*use[ \t]+(?<module>[\w:]{1,200}?)(?:::(?<names>\{[^}]{0,2000}\}|\w{1,100}))?[ \t]*;/gm,
    ],
  },
  {
    files: /\.php$/,
    statements: [/^use[ \t]+(?<module>[\w\\]{1,300})(?<names>[ \t]+as[ \t]+\w{1,100})?[ \t]*;/gm],
  },
  {
    files: /\.(?:c|cc|cpp|cxx|h|hpp|mm?)$/,
    statements: [/^[ \t]*#[ \t]*include[ \t]+"(?<module>[^"\n]{1,200})"/gm],
  },
  {
    files: /\.(?:rb|rake)$/,
    statements: [/^[ \t]*require(?:_relative)?[ \t(]+["'](?<module>[^"'\n]{1,200})["']\)?/gm],
  },
  {
    files: /\.(?:pl|pm|t)$/,
    // The list after a module may be anything that it takes; quoted words are names.
    statements: [
      /^[ \t]*(?:use|require)[ \t]+(?<module>[A-Z]\w{0,60}(?:::\w{1,60}){0,10})(?:[ \t]+qw[ \t]*[(/[{<](?<words>[^)/\]}>;]{0,1000})[)/\]}>])?[ \t]*;/gm,
    ],
  },
  {
    files: /\.lua$/,
    statements: [
      /^[ \t]*(?:local[ \t]+(?<names>\w{1,100})[ \t]*=[ \t]*)?require[ \t]*\(?[ \t]*["'](?<module>[\w./-]{1,200})["'][ \t]*\)?/gm,
    ],
  },
  {
    files: /\.(?:sh|bash|bats)$/,
    statements: [/^[ \t]*(?:\.|source|load)[ \t]+["']?(?<module>[\w./-]{1,200})["']?/gm],
  },
];

const MOST_STATEMENTS = 500;

export function importStatements(path: string, text: string): readonly ImportStatement[] {
  const dialect = DIALECTS.find(({ files }) => files.test(path));
  return (dialect?.statements ?? [])
    .flatMap((pattern) => [...text.slice(0, 256 * 1024).matchAll(pattern)])
    .slice(0, MOST_STATEMENTS)
    .map((match): ImportStatement => {
      const { module = "", names, words } = match.groups ?? {};
      const bound = words === undefined ? boundNames(module, names) : (words.match(/\w+/g) ?? []);
      return { text: match[0], start: match.index, module, names: bound };
    })
    .toSorted((one, other) => one.start - other.start);
}

const NO_NAMES = new Set(["import", "type", "from", "as", "default", "const", "typeof"]);

/** `a as b` and `a: b` bind `b`. Without a list, the module's own last name is bound, if that is how it is written. */
function boundNames(module: string, list: string | undefined): readonly string[] {
  if (list === undefined || list.trim() === "")
    return /[./]/.test(module) && !/[\\.:]\w+$/.test(module) ? [] : (/\w+$/.exec(module) ?? []).slice(0, 1);
  return list
    .replaceAll(/[(){}*]/g, ",")
    .split(",")
    .flatMap((each) => /([\w$]+)\s*(?:from\s*)?$/.exec(each)?.[1] ?? [])
    .filter((name) => !NO_NAMES.has(name));
}
