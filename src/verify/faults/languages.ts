import type { Language } from "./language.ts";
import {
  blockComment,
  character,
  fenced,
  interpolated,
  lineBlock,
  lineComment,
  preprocessorLine,
  quoted,
  regularExpression,
  rustAttribute,
  sigil,
} from "./literals-and-comments.ts";

const WORD = /[\p{L}_$@][\p{L}\p{N}_$]*/uy;
const SIGNS = new Map([
  ["&&", "||"],
  ["||", "&&"],
]);
const WORDS = new Map([
  ["and", "or"],
  ["or", "and"],
]);
const SLASHES = [lineComment("//"), blockComment("/*", "*/")];
const NESTED = [lineComment("//"), blockComment("/*", "*/", { nests: true })];

const NUMERIC =
  /^(?:u?int(?:\d+|_\w+)?|[iu](?:8|16|32|64|128|size)|float(?:32|64)?|double|long|short|size_t|ssize_t|u?int\d+_t|byte|rune|Int\w*|UInt\w*|Double|Float|Long|Short)$/;
const TEXT = /^(?:string|String|std::string|str)$/;
const BOOLEAN = /^(?:bool|boolean|Boolean|_Bool|Bool)$/;

/** The types that a value of another amount, or another text, is known to fit. */
function ofBasicType(value: string, type: string | null): string | null {
  if (type === null) return null;
  if (BOOLEAN.test(type)) return `!(${value})`;
  if (NUMERIC.test(type)) return `(${value}) + 1`;
  return TEXT.test(type) ? `(${value}) + "x"` : null;
}

/**
 * Where only the program itself knows of which type a value is: another one of that type, since a test that asks for the type alone
 * would notice any other. Whoever looks into a text, a list or an object finds something else. A number isn't the next one, which would
 * be right where the source is wrong by one.
 */
const RETURNED_OF_TYPE = {
  javascript: (value: string, parameter: string): string =>
    `((${parameter}) => typeof it === "number" ? it + 37 : typeof it === "string" ? "x".repeat(it.length + 1) : Array.isArray(it) ? Array(it.length + 1).fill(null) : it && Object.getPrototypeOf(it) === Object.prototype ? { x: it } : !it)(${value})`,
  php: (value: string): string =>
    `(static fn ($it) => is_int($it) || is_float($it) ? $it + 37 : (is_string($it) ? str_repeat("x", strlen($it) + 1) : (is_array($it) ? array_fill(0, count($it) + 1, null) : !$it)))(${value})`,
  python: (value: string): string =>
    `(lambda it: it + 37 if type(it) in (int, float) else "x" * (len(it) + 1) if type(it) is str else [None] * (len(it) + 1) if type(it) is list else {"x": it} if type(it) is dict else not it)(${value})`,
  ruby: (value: string): string =>
    `->(it) { case it when Numeric then it + 37 when String then "x" * (it.size + 1) when Array then [nil] * (it.size + 1) when Hash then { "x" => it } when true, false, nil then !it else (it.class.allocate rescue !it) end }.call((${value}))`,
  lua: (value: string): string =>
    `(function(it) if type(it) == "number" then return it + 37 elseif type(it) == "string" then return ("x"):rep(#it + 1) elseif type(it) == "table" and getmetatable(it) == nil then return { x = it } else return not it end end)(${value})`,
};

/** The word in front of a function's name. */
function typeBeforeName(header: string): string | null {
  return /(?:^|[\s>*&])((?:\w+::)*\w+)\s+[\w:~]+\s*\(/.exec(header)?.[1] ?? null;
}

function typeAfter(mark: RegExp): (header: string) => string | null {
  return (header) => {
    const found = header.split(mark);
    return found.length < 2 ? null : (found.at(-1) ?? "").trim();
  };
}

const BRACES = {
  word: WORD,
  blocks: "braces",
  isTyped: true,
  endsWithLine: false,
  condition: "parentheses",
  conditionWords: /^if$/,
  negated: (expression) => `!(${expression})`,
  joins: SIGNS,
  booleans: ["true", "false"],
  skipped: (statement) => `if (false) ${statement}`,
  returned: ofBasicType,
} satisfies Partial<Language>;

const JAVASCRIPT: Language = {
  ...BRACES,
  files: /\.[cm]?jsx?$/,
  interpreter: /\b(?:node|deno|bun)\b/,
  pieces: [...SLASHES, quoted('"'), quoted("'"), interpolated("`", "${"), regularExpression],
  isTyped: false,
  endsWithLine: true,
  returned: (value) => RETURNED_OF_TYPE.javascript(value, "it"),
};

/** Checked or not: the runtime sees the same, so what a type checker says is left out. */
const TYPESCRIPT: Language = {
  ...JAVASCRIPT,
  files: /\.[cm]?tsx?$/,
  interpreter: /\b(?:tsx|ts-node)\b/,
  returned: (value) => `(${RETURNED_OF_TYPE.javascript(value, "it: any")} as any)`,
  unchecked: "// @ts-nocheck",
};

const JAVA: Language = {
  ...BRACES,
  files: /\.java$/,
  pieces: [...SLASHES, quoted('"""', { spans: true, type: "opaque" }), quoted('"'), character],
  arm: "->",
  // A final field has to be set.
  kept: /^(?:this\.\w+ =|super\b|this\()/,
  returnType: (header) => (/\bnew\b/.test(header) ? null : typeBeforeName(header)),
};

const C: Language = {
  ...BRACES,
  files: /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx)$/,
  pieces: [
    ...SLASHES,
    preprocessorLine,
    fenced(/^(?:u8|[uUL])?R"([^\s()\\]{0,16})\(/, ([, word = ""]) => `)${word}"`),
    quoted('"'),
    character,
  ],
  // C has the words only where it includes them.
  skipped: (statement) => `if (0) ${statement}`,
  returnType: (header) => {
    const type = typeBeforeName(header);
    return type === "char" ? null : type;
  },
  returned: (value, type) =>
    type !== null && TEXT.test(type) ? `std::string(${value}) + "x"` : ofBasicType(value, type),
};

const GO: Language = {
  ...BRACES,
  files: /\.go$/,
  pieces: [...SLASHES, quoted('"'), character, quoted("`", { spans: true, escapes: false, type: "opaque" })],
  endsWithLine: true,
  condition: "before-brace",
  // Vet refuses `a == 1 && a == 2`.
  joins: new Map(),
  skipped: (statement) => `if false { ${statement} }`,
  returnType: typeAfter(/\)(?=[^()]*$)/),
};

const RUST: Language = {
  ...BRACES,
  files: /\.rs$/,
  pieces: [
    ...NESTED,
    rustAttribute,
    fenced(/^b?r(#{0,8})"/, ([, marks = ""]) => `"${marks}`),
    quoted('"', { spans: true, prefix: /^[bc](?=")/ }),
    character,
  ],
  condition: "before-brace",
  arm: "=>",
  skipped: (statement) => `if false { ${statement}; }`,
  returnType: typeAfter(/->/),
  endsWithValue: true,
  returned: ofRustType,
  // `None` has nothing to leave out, and `Err` nothing to change.
  unreturnable: /^(?:None|Err)$/,
};

function ofRustType(value: string, type: string | null): string | null {
  if (type === null) return null;
  if (type === "f32" || type === "f64") return `(${value}) + 1.0`;
  if (/^&(?:'\w+ )?str$/.test(type)) return `{ let _ = ${value}; "x" }`;
  if (/^(?:Vec|HashMap|HashSet|BTreeMap|BTreeSet)</.test(type))
    return `{ let mut emptied = ${value}; emptied.clear(); emptied }`;
  if (type.startsWith("Option<")) return `(${value}).filter(|_| false)`;
  const inner = /^(?:\w+::)*Result<([^<>,]+)[,>]/.exec(type)?.[1] ?? null;
  const changed = ofBasicType("inner", inner);
  return changed === null ? ofBasicType(value, type) : `(${value}).map(|inner: ${inner}| ${changed})`;
}

const KOTLIN: Language = {
  ...BRACES,
  files: /\.kts?$/,
  pieces: [...NESTED, quoted('"""', { spans: true, type: "opaque" }), interpolated('"', "${"), character],
  endsWithLine: true,
  arm: "->",
  kept: /^this\.\w+ =/,
  skipped: (statement) => `if (false) { ${statement} }`,
  returnType: typeAfter(/\)\s*:/),
};

const CSHARP: Language = {
  ...BRACES,
  files: /\.cs$/,
  pieces: [
    ...SLASHES,
    preprocessorLine,
    quoted('"', { spans: true, escapes: false, prefix: /^(?:\$@|@\$|@)(?=")/ }),
    quoted('"', { prefix: /^\$(?=")/ }),
    character,
  ],
  arm: "=>",
  kept: /^(?:this\.\w+ =|base\b)/,
  returnType: typeBeforeName,
};

const SWIFT: Language = {
  ...BRACES,
  files: /\.swift$/,
  pieces: [...NESTED, quoted('"""', { spans: true, type: "opaque" }), interpolated('"', String.raw`\(`)],
  endsWithLine: true,
  condition: "before-brace",
  kept: /^self\.\w+ =/,
  skipped: (statement) => `if false { ${statement} }`,
  returnType: typeAfter(/->/),
};

const PHP: Language = {
  ...BRACES,
  files: /\.(?:php|phtml|inc)$/,
  interpreter: /\bphp\b/,
  pieces: [
    rustAttribute,
    ...SLASHES,
    lineComment("#"),
    quoted('"', { spans: true }),
    quoted("'", { spans: true }),
  ],
  heredoc: /^<<<[ \t]*["']?([A-Za-z_]\w*)["']?/,
  isTyped: false,
  conditionWords: /^(?:if|elseif)$/,
  joins: new Map([...SIGNS, ...WORDS]),
  arm: "=>",
  returned: RETURNED_OF_TYPE.php,
};

const PYTHON: Language = {
  files: /\.py$/,
  interpreter: /\bpython/,
  pieces: [
    lineComment("#"),
    ...['"""', "'''"].map((quote) => quoted(quote, { spans: true, prefix: /^[rRbBuUfF]{1,2}(?=["'])/ })),
    ...['"', "'"].map((quote) => quoted(quote, { prefix: /^[rRbBuUfF]{1,2}(?=["'])/ })),
  ],
  word: /[\p{L}_@][\p{L}\p{N}_]*/uy,
  blocks: "indentation",
  isTyped: false,
  endsWithLine: true,
  condition: "before-colon",
  conditionWords: /^(?:if|elif)$/,
  negated: (expression) => `not (${expression})`,
  joins: WORDS,
  booleans: ["True", "False"],
  skipped: (statement) => `if False: ${statement}`,
  returned: RETURNED_OF_TYPE.python,
  unchecked: "# mypy: ignore-errors",
};

const RUBY: Language = {
  files: /(?:\.(?:rb|rake|gemspec)|(?:^|\/)Rakefile)$/,
  interpreter: /\bruby\b/,
  mark: null,
  pieces: [
    lineComment("#", { afterBlank: true }),
    lineBlock("=begin", "=end"),
    interpolated('"', "#{"),
    quoted("'", { spans: true }),
    quoted("`", { type: "opaque" }),
    sigil(/^%[wWiIqQrsx]?[([{<|!/]/),
    regularExpression,
  ],
  heredoc: /^<<(?:[~-]["'`]?|["'`]?(?=[A-Z]{2}))([A-Za-z_]\w*)["'`]?/,
  word: /\$(?:\d+|[^\s\w])|(?:@{1,2}|\$|:(?!:))?[\p{L}_][\p{L}\p{N}_]*(?:[?!](?!=))?/uy,
  blocks: "indentation",
  isTyped: false,
  endsWithLine: true,
  condition: "line",
  conditionWords: /^(?:if|elsif|unless)$/,
  negated: (expression) => `!(${expression})`,
  joins: new Map([...SIGNS, ...WORDS]),
  comparisons: new Map([["===", null]]),
  booleans: ["true", "false"],
  arm: "=>",
  skipped: (statement) => `(${statement}) if false`,
  returned: RETURNED_OF_TYPE.ruby,
  endsWithValue: true,
};

/** Both ways round. */
function opposites(...pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));
}

const PERL: Language = {
  ...BRACES,
  files: /\.(?:pl|pm|t)$/,
  interpreter: /\bperl\b/,
  mark: null,
  pieces: [
    lineComment("#", { afterBlank: true }),
    lineBlock("=", "=cut"),
    lineBlock("__END__"),
    lineBlock("__DATA__"),
    quoted('"', { spans: true }),
    quoted("'", { spans: true }),
    quoted("`", { type: "opaque" }),
    sigil(/^(?:q[qrwx]?|m)[([{<|!/]/),
    sigil(/^(?:s|tr|y)[([{<|!/]/, { parts: 2 }),
    regularExpression,
  ],
  heredoc: /^<<~?["']?([A-Za-z_]\w*)["']?/,
  word: /[$@%&]*[\p{L}_][\p{L}\p{N}_]*/uy,
  isTyped: false,
  conditionWords: /^(?:if|elsif|unless)$/,
  joins: new Map([...SIGNS, ...WORDS]),
  comparisons: opposites(["eq", "ne"], ["lt", "ge"], ["gt", "le"]),
  arm: "=>",
  skipped: (statement) => `if (0) { ${statement} }`,
  returned: (value) => `!(${value})`,
};

const LUA: Language = {
  files: /\.luau?$/,
  interpreter: /\blua/,
  pieces: [
    blockComment("--[[", "]]"),
    lineComment("--"),
    fenced(/^\[(={0,4})\[/, ([, marks = ""]) => `]${marks}]`),
    quoted('"'),
    quoted("'"),
  ],
  word: /[\p{L}_][\p{L}\p{N}_]*/uy,
  blocks: "indentation",
  isTyped: false,
  endsWithLine: true,
  condition: "before-then",
  conditionWords: /^(?:if|elseif)$/,
  negated: (expression) => `not (${expression})`,
  joins: WORDS,
  comparisons: opposites(["==", "~="]),
  booleans: ["true", "false"],
  skipped: (statement) => `if false then ${statement} end`,
  returned: RETURNED_OF_TYPE.lua,
};

/** Languages of which only values and comparisons are known: where one of these doesn't compile, another one does. */
function plain(files: RegExp, ...pieces: Language["pieces"]): Language {
  return {
    ...BRACES,
    files,
    pieces: [...pieces, quoted('"""', { spans: true, type: "opaque" }), quoted('"'), character],
    endsWithLine: true,
    conditionWords: /^$/,
    joins: new Map(),
    skipped: (statement) => statement,
    returned: () => null,
  };
}

const PLAIN: readonly Language[] = [
  plain(/\.(?:scala|dart|groovy|zig|d|fsx?|gleam|v)$/, ...NESTED),
  plain(/\.(?:jl|r|R|nim|cr|tcl|awk)$/, lineComment("#")),
  plain(/\.(?:hs|elm|purs|adb|sql)$/, lineComment("--"), blockComment("{-", "-}", { nests: true })),
  plain(/\.mli?$/, blockComment("(*", "*)", { nests: true })),
  plain(/\.[eh]rl$/, lineComment("%")),
  plain(/\.(?:clj[cs]?|lisp|scm|rkt|el)$/, lineComment(";")),
];

const ELIXIR: Language = {
  files: /\.exs?$/,
  interpreter: /\belixir\b/,
  mark: /^\s*@(?:\w*doc|spec|typep?|opaque|\w*callback\w*|impl|behaviour|\w*tag|derive|enforce_keys|compile|dialyzer)\b/,
  pieces: [
    lineComment("#"),
    quoted('"""', { spans: true, type: "opaque" }),
    interpolated('"', "#{"),
    quoted("'", { type: "opaque" }),
    sigil(/^~[a-zA-Z][([{<|"'/]/),
  ],
  word: /(?:@|:)?[\p{L}_][\p{L}\p{N}_]*[?!]?/uy,
  blocks: "indentation",
  isTyped: false,
  endsWithLine: true,
  condition: "line",
  conditionWords: /^$/,
  negated: (expression) => `!(${expression})`,
  joins: new Map([...SIGNS, ...WORDS]),
  booleans: ["true", "false"],
  arm: "->",
  skipped: (statement) => statement,
  returned: () => null,
};

/** Its operators are words, and `shell-faults.ts` knows them. */
export const SHELL: Language = {
  files: /\.(?:sh|bash|bats|zsh|ksh)$/,
  interpreter: /\b(?:ba|da|z|k|a)?sh\b/,
  pieces: [
    lineComment("#", { afterBlank: true }),
    quoted("'", { spans: true, escapes: false }),
    interpolated('"', "$(", "${"),
    quoted("`", { spans: true, type: "opaque" }),
  ],
  heredoc: /^<<-?[ \t]*["'\\]?([A-Za-z_]\w*)["']?/,
  word: /(?:\\.|\$\{(?:[^{}\n]|\$\{(?:[^{}\n]|\$\{[^{}\n]*\})*\})*\}|[^\s;&|()<>"'`{}\\])+/uy,
  blocks: "indentation",
  isTyped: false,
  endsWithLine: true,
  condition: "command",
  conditionWords: /^(?:if|elif)$/,
  negated: (expression) => `! ${expression}`,
  joins: new Map(),
  booleans: ["true", "false"],
  skipped: (statement) => `if false; then ${statement}; fi`,
  returned: () => null,
};

const LANGUAGES: readonly Language[] = [
  JAVASCRIPT,
  TYPESCRIPT,
  PYTHON,
  GO,
  RUST,
  JAVA,
  C,
  RUBY,
  PHP,
  SHELL,
  KOTLIN,
  CSHARP,
  SWIFT,
  ELIXIR,
  PERL,
  LUA,
  ...PLAIN,
];

/** By a file's name, or by the interpreter in its first line; null: it isn't known. */
export function languageOf(path: string, text: string): Language | null {
  const byName = LANGUAGES.find(({ files }) => files.test(path));
  if (byName !== undefined) return byName;
  const first = /^#![^\n]{1,200}/.exec(text)?.[0];
  if (first === undefined) return null;
  return LANGUAGES.find(({ interpreter }) => interpreter?.test(first) === true) ?? null;
}
