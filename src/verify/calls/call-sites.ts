import { Code } from "../faults/code.ts";

/** A call that a test makes, by what is called. */
export interface CallSite {
  readonly name: string;
  /** With what is in front of it. */
  readonly called: string;
  /** Of the text, where the expression before the bracket begins; that of the name alone begins at `nameFrom`, and ends at `to`. */
  readonly from: number;
  readonly nameFrom: number;
  readonly to: number;
  /** What it is called on, if it is anything. */
  readonly isMethod: boolean;
  /** It is the same wherever the test calls it: a function, or one of a module. */
  readonly isFree: boolean;
}

const DEFINES = /^(?:function|def|class|new|@|get|set|import|func|type)$/;
const SEPARATOR = /^(?:\.|::|->|\\)$/;
/** What looks like a call, and is none. */
const NO_CALL =
  /^(?:if|elsif|elseif|elif|while|until|unless|for|foreach|switch|catch|return|yield|super|function|except|defined|and|or|not|typeof|await|with|in|del|throw|delete|import|require_relative)$/;
/** These belong to the language, or see what is around them. */
const NO_CALL_IN_PHP =
  /^(?:declare|use|array|isset|unset|empty|list|exit|die|eval|echo|print|require|require_once|include|include_once|match|fn|assert|compact|extract|func_get_args|get_defined_vars)$/;
/** Where a class has the same name everywhere. */
const HAS_CLASSES = /\.(?:rb|php)$/;

/** Where a text calls one of these names. */
export function callSitesIn(path: string, text: string, names: ReadonlySet<string>): readonly CallSite[] {
  const code = Code.of(path, text);
  if (code === null) return [];
  const sites: CallSite[] = [];
  for (const [index, token] of code.tokens.entries()) {
    if (token.type !== "word" || !names.has(token.text)) continue;
    const bracket = code.at(index + 1);
    if (bracket?.text !== "(" || bracket.start !== token.end) continue;
    const after = code.at((code.closerOf(index + 1) ?? Number.NaN) + 1);
    // A method of an object that the test defines.
    if (after !== null && /^(?:\{|=>)$/.test(after.text)) continue;
    const chain = chainBefore(code, index);
    if (chain === null) continue;
    const isMethod = chain.first !== index;
    if (!isMethod && (NO_CALL.test(token.text) || (path.endsWith(".php") && NO_CALL_IN_PHP.test(token.text))))
      continue;
    const closer = code.closerOf(index + 1);
    if (closer === null || !mayVary(code, index + 1, closer)) continue;
    const first = code.at(chain.first);
    if (first === null) continue;
    sites.push({
      name: token.text,
      called: text.slice(first.start, token.end),
      from: first.start,
      nameFrom: token.start,
      to: token.end,
      isMethod,
      isFree:
        !isMethod ||
        (!chain.hasCall &&
          (HAS_CLASSES.test(path) ? /^[A-Z\\:]/.test(first.text) : isLoaded(text, first.text))),
    });
  }
  return sites;
}

/** The expression that a name ends: `tools.slugs.`, `new Cipher(3).`. null: it isn't one that can be called twice. */
function chainBefore(
  code: Code,
  index: number,
): { readonly first: number; readonly hasCall: boolean } | null {
  let first = index;
  let hasCall = false;
  for (;;) {
    const before = code.at(first - 1);
    if (before === null || before.line !== code.at(first)?.line) break;
    if (before.text === "?.") return null;
    if (!SEPARATOR.test(before.text)) break;
    const end = first - 2;
    const last = code.at(end);
    if (/^(?:::|\\)$/.test(before.text) && (last?.type !== "word" || last.end !== before.start)) {
      first -= 1;
      break;
    }
    if (last === null || last.line !== before.line) return null;
    if (last.type === "word") {
      first = end;
      continue;
    }
    const opener = code.openerOf(end);
    if (opener === null || !/^[)\]]$/.test(last.text)) return null;
    hasCall = true;
    const called = code.at(opener - 1);
    first = called?.type === "word" && called.end === code.at(opener)?.start ? opener - 1 : opener;
  }
  const before = code.at(first - 1);
  if (before?.text === "new") return hasCall ? { first: first - 1, hasCall } : null;
  const isDefined = before !== null && DEFINES.test(before.text) && before.line === code.at(first)?.line;
  return isDefined || code.at(first)?.text === "super" ? null : { first, hasCall };
}

/** Whether a name stands for a module that the test loads. */
function isLoaded(text: string, name: string): boolean {
  return new RegExp(
    String.raw`\bimport\b[^\n;]*(?<![\w$])${name.replaceAll("$", "\\$")}(?![\w$])|(?<![\w$])${name.replaceAll("$", "\\$")}\s*=\s*(?:await\s+)?(?:require|import)\s*\(`,
  ).test(text);
}

/** Whether something is given that isn't just nothing or one. */
function mayVary(code: Code, opener: number, closer: number): boolean {
  const inside = code.tokens.slice(opener + 1, closer);
  return inside.some(({ type, text }) =>
    type === "number" ? !/^[012]$/.test(text) : type === "word" || text.length > SHORTEST,
  );
}

/** A text of two letters, in its quotes. */
const SHORTEST = 3;
