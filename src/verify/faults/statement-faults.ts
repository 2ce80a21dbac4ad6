import type { Code } from "./code.ts";
import { wrapped, type Fault, type FaultMaker } from "./fault.ts";
import type { Token } from "./tokens.ts";

/** The last token of the expression that begins at one; null: it isn't clear. */
function endOfExpression(code: Code, from: number, { atComma = false } = {}): number | null {
  const first = code.at(from);
  if (first === null) return null;
  const { opener } = first;
  for (let index = from; index < from + LONGEST_EXPRESSION; index += 1) {
    const token = code.at(index);
    const closer = token?.type === "open" ? code.closerOf(index) : null;
    if (token === null || (token.type === "open" && closer === null)) return null;
    if (closer !== null) index = closer;
    const next = code.at(index + 1);
    if (next === null || next.opener !== opener || next.text === ";") return index;
    if (next.type === "close") return index;
    if (atComma && next.text === ",") return index;
    if (code.language.endsWithLine && next.isFirst && !goesOn(code.at(index), next)) return index;
  }
  return null;
}

const LONGEST_EXPRESSION = 500;

function goesOn(last: Token | null, next: Token): boolean {
  const isOpen =
    (last?.type === "operator" && !/^(?:\+\+|--|!|\?)$/.test(last.text)) ||
    /^(?:and|or|not)$/.test(last?.text ?? "");
  return isOpen || (next.type === "operator" && !/^(?:[!~@#*&-]|\+\+|--|->|::)$/.test(next.text));
}

/** The condition of an `if`, negated. */
export const conditionFaults: FaultMaker = (code, index) => {
  const token = code.at(index);
  if (token?.type !== "word" || !code.language.conditionWords.test(token.text)) return [];
  if (code.at(index - 1)?.text === ".") return [];
  const range = conditionAt(code, index);
  if (range === null) return [];
  const [from, to] = range;
  // Names that a condition binds are there only as long as it holds.
  for (let each = from; each <= to; each += 1)
    if (/^(?:let|var|case|instanceof|is|:=|;|then|auto|constexpr|await)$/.test(code.at(each)?.text ?? ""))
      return [];
  return wrapped(code, range, "condition", "the condition is negated", code.language.negated);
};

function conditionAt(code: Code, index: number): readonly [number, number] | null {
  const from = index + 1;
  const first = code.at(from);
  if (first === null || first.isFirst) return null;
  switch (code.language.condition) {
    case "parentheses": {
      const closer = first.text === "(" ? code.closerOf(from) : null;
      return closer === null || closer === from + 1 ? null : [from + 1, closer - 1];
    }
    case "before-brace":
      return before(code, from, "{");
    case "before-colon":
      // Not the `if` of `a if b else c`.
      return code.at(index)?.isFirst === true ? before(code, from, ":") : null;
    case "before-then":
      return before(code, from, "then");
    case "line": {
      const end = endOfExpression(code, from);
      return end === null || code.at(end)?.line !== first.line ? null : [from, end];
    }
    case "command":
      return first.text === "!" ? null : [from, from];
  }
}

function before(code: Code, from: number, mark: string): readonly [number, number] | null {
  const { opener, line } = code.at(from) as Token;
  for (let index = from; ; index += 1) {
    const token = code.at(index);
    if (token === null || token.line > line + 10) return null;
    if (token.opener === opener && token.text === mark) return index === from ? null : [from, index - 1];
    if (token.opener < opener) return null;
  }
}

/** What a function gives back, changed. */
export const returnFaults: FaultMaker = (code, index) => {
  const token = code.at(index);
  if (token?.text === "=>") return ofArrow(code, index);
  if (token?.type !== "word" || token.text !== "return") return ofLastExpression(code, index);
  const next = code.at(index + 1);
  if (next === null || next.isFirst || /^[;}]$/.test(next.text)) return [];
  const end = endOfExpression(code, index + 1);
  return end === null ? [] : changed(code, index + 1, end);
};

function changed(code: Code, from: number, end: number): readonly Fault[] {
  const { language } = code;
  const { opener, text: first } = code.at(from) as Token;
  if (language.unreturnable?.test(first) === true) return [];
  // Another literal of its kind is a better fault: a test that only looks at the type would notice this one.
  if (from === end && /^(?:text|number|character)$/.test(code.at(from)?.type ?? "")) return [];
  for (let each = from; each <= end; each += 1) {
    const { text, opener: within, isFirst } = code.at(each) as Token;
    if (within !== opener) continue;
    // Several values, a function, an assignment, and what has no value or none that brackets may be put around.
    if (/^(?:,|=>|=|yield|function|if|unless|lambda|rescue|do|:=)$/.test(text) && each < end) return [];
    if (text === "*" && !isProduct(code, each)) return [];
    if (isFirst && each > from && language.blocks === "indentation") return [];
  }
  const header = code.surroundingsOf(from).header;
  const type = language.returnType?.(headerText(code, header)) ?? null;
  return wrapped(code, [from, end], "returned", "another value is returned", (value) =>
    language.returned(value, type),
  );
}

/** Whether a star stands between two values, not before one. */
function isProduct(code: Code, star: number): boolean {
  return /[\w)\]]$/.test(code.at(star - 1)?.text ?? "") && code.at(star - 1)?.text !== "return";
}

function headerText(code: Code, header: readonly Token[] | null): string {
  const first = header?.[0];
  const last = header?.at(-1);
  return first === undefined || last === undefined ? "" : code.text.slice(first.start, last.end);
}

/** `(item) => item.price`, but not a function's type. */
function ofArrow(code: Code, index: number): readonly Fault[] {
  if (code.language.isTyped || code.language.arm === "=>") return [];
  const next = code.at(index + 1);
  if (next === null || /^(?:\{|async|function)$/.test(next.text) || next.isFirst) return [];
  if (code.language.unchecked !== undefined && !isValue(code, index)) return [];
  const end = endOfExpression(code, index + 1, { atComma: true });
  const own = end === null ? [] : code.tokens.slice(index + 1, end + 1).map(({ text }) => text);
  // The rest of `a ? () => b : c`, and of a type with arguments.
  const isCut = own.includes("<") || own.indexOf(":") > -1 !== own.includes("?");
  return end === null || isCut ? [] : changed(code, index + 1, end);
}

function isValue(code: Code, arrow: number): boolean {
  const start = code.openerOf(arrow - 1) ?? arrow - 1;
  if (start === arrow - 1 && (code.at(start)?.type !== "word" || code.at(start - 1)?.text === ":"))
    return false;
  if (/^(?:type|interface|declare)$/.test(code.at(code.startOfLine(start))?.text ?? "")) return false;
  if (/^(?:void|never|unknown|boolean|string|number)$/.test(code.at(arrow + 1)?.text ?? "")) return false;
  const around = code.at(start)?.opener ?? -1;
  const isArgument = code.at(around)?.text === "(" && /[\w)\]>]$/.test(code.at(around - 1)?.text ?? "");
  if (/^[(,]$/.test(code.at(start - 1)?.text ?? "")) return isArgument;
  return /^(?:=|return|async|&&|\|\||\?\?|=>)$/.test(code.at(start - 1)?.text ?? "");
}

/** Where the last expression of a function is its value. */
function ofLastExpression(code: Code, index: number): readonly Fault[] {
  const { language } = code;
  const first = code.at(index);
  if (language.endsWithValue !== true || first?.isFirst !== true) return [];
  if (first.type !== "word" && first.text !== "!") return [];
  if (NO_VALUE.test(first.text)) return [];
  const before = code.at(index - 1);
  const end = endOfExpression(code, index);
  const next = end === null ? null : code.at(end + 1);
  if (end === null || next === null || before === null) return [];
  if (language.blocks === "braces") {
    const isOwn = code.surroundingsOf(index).owner !== null && isBodyOf(code, first.opener);
    return next.text === "}" && /^[;{}]$/.test(before.text) && isOwn ? changed(code, index, end) : [];
  }
  const second = code.at(index + 1);
  const isCall = first.type === "word" && second?.type === "word" && !second.isFirst;
  if (before.type === "operator") return [];
  const isDefinition = code.surroundingsOf(index).header !== null && next.text === "end";
  return isDefinition &&
    !isCall &&
    code.at(end)?.line === first.line &&
    indentOf(code, next) < indentOf(code, first)
    ? changed(code, index, end)
    : [];
}

const NO_VALUE =
  /^(?:if|unless|case|while|until|for|loop|match|let|unsafe|end|else|elsif|when|begin|rescue|ensure|def|class|module|puts|print|p|raise|return|yield|super|attr_\w+|private|public|require\w*|fn|use|mod|struct|impl|const|static|break|continue|panic|todo|unimplemented|next|retry|redo)$/;

/** Whether a brace opens the body of a function with a name. */
function isBodyOf(code: Code, opener: number): boolean {
  const inside = code.surroundingsOf(opener + 1).header;
  const around = code.surroundingsOf(opener).header;
  return inside !== null && inside !== around && inside.some(({ text }) => text === "fn");
}

function indentOf({ text }: Code, { start }: Token): number {
  return start - text.lastIndexOf("\n", start - 1);
}

const KEYWORDS =
  /^(?:when|elsif|elif|unless|return|throw|raise|if|else|for|while|until|switch|case|default|const|let|var|new|super|yield|import|export|use|package|assert|defer|go|func|function|def|fn|class|struct|enum|type|interface|break|continue|goto|del|global|nonlocal|print|require\w*|include\w*|private|public|protected|static|final|attr_\w+|using|namespace|typedef|end|do|try|catch|with|async|local|my|our|unsafe|match|select|extern|template|delete|echo|module|begin|rescue|ensure|loop|fallthrough|pass|alias|await|declare|lock)$/;
const ASSIGNMENTS = /^(?:=|\+=|-=|\*=|\/=|%=|\|\|=|\?\?=|<<)$/;
const OUTPUT =
  /^(?:console|print\w*|puts|p|log\w*|fmt|System|process|std|warn|printf|fprintf|eprintln|println)$/;

/** A call, or something stored in an object, that never happens. */
export const skipFaults: FaultMaker = (code, index) => {
  const first = code.at(index);
  if (first?.isFirst !== true || first.type !== "word" || KEYWORDS.test(first.text)) return [];
  const { language } = code;
  if (!startsStatement(code, index)) return [];
  const end = endOfExpression(code, index);
  const last = end === null ? null : code.at(end);
  if (end === null || last === null || last.line !== first.line) return [];
  const isClosed = code.at(end + 1)?.text === ";";
  // Without it, Rust would take the value.
  if (!isClosed && (!language.endsWithLine || !code.isLastOfLine(end))) return [];
  const own = code.tokens.slice(index, end + 1).filter(({ opener }) => opener === first.opener);
  const sign = own.findIndex(({ text, type }) => type === "operator" && ASSIGNMENTS.test(text));
  const target = sign === -1 ? own : own.slice(0, sign);
  if (!target.every(isPartOfTarget)) return [];
  const isStored = sign !== -1 && target.length > 1;
  const isCall = sign === -1 && last.text === ")" && target.length > 2;
  const hasBlock = own.some(({ text }) => /^(?:do|begin|case|=>|->|\{|if|unless|and|or)$/.test(text));
  const statement = code.textOf(index, end);
  if ((!isStored && !isCall) || hasBlock || language.kept?.test(statement) === true) return [];
  // Two words beside each other are a declaration, or a call without brackets; so are `char[] all`.
  if (
    target.some(
      ({ type, text }, at) => type === "word" && /[\w$\])]$/.test(target[at - 1]?.text ?? "") && text !== "!",
    )
  )
    return [];
  const kind = OUTPUT.test(first.text) ? "message" : "skipped";
  return wrapped(code, [index, end], kind, "the statement is never executed", language.skipped);
};

function isPartOfTarget({ type, text }: Token): boolean {
  return type === "word" || type === "open" || type === "close" || /^(?:\.|\?\.|->|::|!)$/.test(text);
}

function startsStatement(code: Code, index: number): boolean {
  const before = code.at(index - 1);
  if (before === null) return true;
  if (before.type === "operator" && !/^[;:]$/.test(before.text)) return false;
  const around = code.at(code.at(index)?.opener ?? -1)?.text;
  if (around === "(" || around === "[") return false;
  return code.language.endsWithLine || /^[;{}]$/.test(before.text);
}
