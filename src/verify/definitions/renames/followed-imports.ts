import { importStatements, type ImportStatement } from "./import-statements.ts";
import type { Modules } from "./modules.ts";
import { tokensOf, withTokens } from "./tokens.ts";
import type { FilePair } from "./renamed-words.ts";

/** What is known about the source then and now. */
export interface MovedSource {
  readonly before: Modules;
  readonly now: Modules;
  readonly isSource: (path: string) => boolean;
  /** Whether a file no longer has any of these names. */
  readonly hasLost: (path: string, names: readonly string[]) => boolean;
  /** The old name of something that was renamed. */
  readonly oldName: (name: string) => string;
}

/**
 * The original test, with the imports of the current one where the source moved: what it imported is gone from there, and the same
 * names come from elsewhere in the source. null: it imports something else than moved source, so it is another test.
 */
export function followedImports({ path, before, now }: FilePair, source: MovedSource): string | null {
  const old = importStatements(path, before);
  const current = importStatements(path, now);
  const dropped = old.filter(({ text }) => !current.some((each) => isSame(each.text, text)));
  const moved = dropped.filter((each) => isGone(each, path, source));
  if (moved.length === 0) return before;
  const names = new Set(moved.flatMap((each) => each.names));
  const words = new Set(tokensOf(path, before).flatMap(({ kind, text }) => (kind === "word" ? [text] : [])));
  const added = current
    .filter(({ text }) => !old.some((each) => isSame(each.text, text)))
    .filter((each) => isFromSource(each, path, source))
    .map((each) => ({ ...each, names: each.names.map(source.oldName) }));
  const brought = new Set(added.flatMap((each) => each.names));
  // A name beyond those could stand for something else that the test uses.
  const isOther = (name: string): boolean => !names.has(name) && words.has(name);
  if (added.length === 0 || [...names].some((name) => !brought.has(name)) || [...brought].some(isOther))
    return null;
  return withModules(
    path,
    replaced(
      before,
      moved,
      added.map(({ text }) => renamedBack(path, text, source)),
    ),
    moved,
    added,
  );
}

function isSame(one: string, other: string): boolean {
  return one.replaceAll(/[\s;]+/g, " ").trim() === other.replaceAll(/[\s;]+/g, " ").trim();
}

function isGone({ module, names }: ImportStatement, path: string, source: MovedSource): boolean {
  const files = source.before.find(module, path);
  return files.length > 0 && files.every((each) => source.isSource(each) && source.hasLost(each, names));
}

function isFromSource({ module }: ImportStatement, path: string, source: MovedSource): boolean {
  const files = source.now.find(module, path);
  return files.length > 0 && files.every(source.isSource);
}

function renamedBack(path: string, text: string, { oldName }: MovedSource): string {
  return withTokens(path, text, ({ kind, text: word }) => (kind === "word" ? oldName(word) : null));
}

/** The first one gives way to all of the others. */
function replaced(text: string, moved: readonly ImportStatement[], added: readonly string[]): string {
  let result = text;
  for (const [at, statement] of [...moved.entries()].toReversed()) {
    const indent = /^[ \t]*/.exec(statement.text)?.[0] ?? "";
    const instead = at === 0 ? added.map((each) => indent + each.trim()).join("\n") : "";
    result =
      result.slice(0, statement.start) + instead + result.slice(statement.start + statement.text.length);
  }
  return result;
}

/** Where one module became one other, strings that name it follow: `mock("../src/cart.js")`, `patch("cart.total")`. */
function withModules(
  path: string,
  text: string,
  moved: readonly ImportStatement[],
  added: readonly ImportStatement[],
): string {
  const [from, ...others] = new Set(moved.map(({ module }) => module));
  const [to, ...more] = new Set(added.map(({ module }) => module));
  if (from === undefined || to === undefined || others.length + more.length > 0) return text;
  return withTokens(path, text, ({ kind, text: string }) => {
    if (kind !== "string") return null;
    const inside = string.slice(1, -1);
    if (inside !== from && !inside.startsWith(`${from}.`)) return null;
    return string.charAt(0) + to + inside.slice(from.length) + string.charAt(0);
  });
}
