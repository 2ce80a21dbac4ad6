import { passwordsIn } from "./token-shapes.ts";

/** Compares whole words of a name, because the bare letters would match PATH, AUTHOR, TOKENIZERS or OLDPWD. */
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
  "i",
);

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

export function looksLikeSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}

export function withholdSecrets(env: NodeJS.ProcessEnv, passEnv: readonly string[]): CommandEnvironment {
  const passed = new Set(passEnv.map(comparableName));
  const kept: NodeJS.ProcessEnv = {};
  const withheld: string[] = [];
  const secrets: Secret[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const secret = looksLikeSecret(name);
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
