/** In capitals, and whole words of a name, because the bare letters would match PATH, AUTHOR, TOKENIZERS or OLDPWD. */
const SECRET_NAME = new RegExp(
  [
    "TOKEN(?!IZ)",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "COOKIE",
    "AUTH(?!OR(?!I[SZ]))",
    "(API|ACCESS|PRIVATE|SESSION|SIGNING|ENCRYPTION|ACCOUNT|MASTER|LICENSE)_?KEY",
    "CONNECTION_?STRING",
    "(^|_)(PASS|PAT|DSN|KEY)($|_)",
    "_PWD$",
  ].join("|"),
  "m",
);

/** The name of a git setting. Without it, git refuses to run where the number of them is still there. */
const GIT_SETTING = /^GIT_CONFIG_KEY_\d+$/;

/** Shorter values would be found in innocent text. */
const SHORTEST_REPLACED_VALUE = 6;

export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface CommandEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly withheld: readonly string[];
  /** What must not appear in the output, whether it was withheld or passed. */
  readonly secrets: readonly Secret[];
}

/** Whether a name, or one of several lines, looks like a secret's. */
export function looksLikeSecret(name: string): boolean {
  return SECRET_NAME.test(name.toUpperCase()) && !GIT_SETTING.test(name);
}

export function withholdSecrets(env: NodeJS.ProcessEnv, passEnv: readonly string[]): CommandEnvironment {
  const passed = new Set(passEnv.map(comparableName));
  const kept: NodeJS.ProcessEnv = {};
  const withheld: string[] = [];
  const secrets: Secret[] = [];
  // All names at once, since V8 compiles a pattern further when it is used again, and most environments have no secret.
  const anySecret = looksLikeSecret(Object.keys(env).join("\n"));
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const secret = anySecret && looksLikeSecret(name);
    // An address with a password is passed, since a check may need it, but its password is not shown.
    const hidden = secret ? [value] : passwordsIn(value);
    secrets.push(...hidden.filter(isLongEnough).map((each) => ({ name, value: each })));
    if (secret && !passed.has(comparableName(name))) withheld.push(name);
    else kept[name] = value;
  }
  return { env: kept, withheld: withheld.sort(), secrets };
}

function isLongEnough(value: string): boolean {
  return value.length >= SHORTEST_REPLACED_VALUE;
}

function comparableName(name: string): string {
  return process.platform === "win32" ? name.toUpperCase() : name;
}

/** What a secret looks like, whatever its variable is called. */
interface Shape {
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** The prefix of each common service's tokens, and their minimum length. */
const TOKENS = [
  "gh[pousr]_[A-Za-z0-9]{20,}",
  "github_pat_[A-Za-z0-9_]{20,}",
  "glpat-[A-Za-z0-9_-]{16,}",
  "npm_[A-Za-z0-9]{30,}",
  "pypi-[A-Za-z0-9_-]{32,}",
  "hf_[A-Za-z0-9]{30,}",
  // With a digit somewhere, so that no ordinary word matches.
  "sk-(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{20,}",
  "[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
  "xox[a-z]-[A-Za-z0-9-]{10,}",
  "xapp-[A-Za-z0-9-]{16,}",
  "(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])",
  "AIza[A-Za-z0-9_-]{35}",
  "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}",
];

const BEGIN_KEY = "-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----";
const END_KEY = "-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----";
/** A line break as it is, or as JSON writes it. */
const KEY_TEXT = String.raw`(?:[A-Za-z0-9+/=]|\s|\\[nrt])`;

const SHAPES: readonly Shape[] = [
  // A whole key; one without its end, as far as it looks like a key; and the end of one whose beginning was cut off.
  {
    pattern: new RegExp(`${BEGIN_KEY}(?:[^]{0,16384}?${END_KEY}|${KEY_TEXT}*)`, "g"),
    replacement: "[private key withheld]",
  },
  { pattern: new RegExp(`^${KEY_TEXT}{0,16384}${END_KEY}`), replacement: "[private key withheld]" },
  {
    // The last @ before the host: a password may contain one.
    pattern: /\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/?#@'"<>[\]]{0,200}):[^\s/'"<>]{1,500}@(?=[^\s@])/gi,
    replacement: "$1:[password withheld]@",
  },
  {
    pattern: /\b(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4})[\w.~+/=-]{8,}/gi,
    replacement: "$1[token withheld]",
  },
  { pattern: new RegExp(`\\b(?:${TOKENS.join("|")})`, "g"), replacement: "[token withheld]" },
];

/** A token or key that was cut off: its beginning is enough to recognize it. */
const CUT_TOKEN = new RegExp(
  `(?:\\b(?:gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|sk-|[rs]k_(?:live|test)_|xox[a-z]-|xapp-|AKIA|ASIA|AIza|eyJ)[\\w.-]{4,}|\\b[a-z][a-z0-9+.-]{0,30}:\\/\\/[^\\s:/@]{0,200}:[^\\s/@]{1,500})$`,
  "i",
);

export function replaceShapes(text: string): string {
  return SHAPES.reduce((result, { pattern, replacement }) => result.replace(pattern, replacement), text);
}

export function withoutCutToken(text: string): string {
  // Only the end matters, and scanning everything could take long.
  const end = text.slice(-1024);
  return text.slice(0, -1024) + end.replace(CUT_TOKEN, "[token withheld]");
}

/** The passwords in an address, as written and decoded. */
function passwordsIn(value: string): readonly string[] {
  if (!value.includes("://")) return [];
  const passwords = Array.from(
    value.matchAll(/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/?#@]{0,200}:([^\s/]{1,500})@/gi),
    ([, password = ""]) => password,
  );
  return [...new Set(passwords.flatMap((password) => [password, decoded(password)]))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
