import type { Code } from "./code.ts";
import { faultAt, swapped, type FaultMaker } from "./fault.ts";
import { lineOf } from "./operator-faults.ts";

/** One more; one less where one more may not fit the type. */
function otherNumber(text: string): string | null {
  const [, digits = "", rest = ""] = /^(0|[1-9][\d_]*)((?:\.\d[\d_]*)?\w*)$/.exec(text) ?? [];
  if (digits === "" || /^[xXoObB]/.test(rest) || digits.length > 15) return null;
  const number = Number(digits.replaceAll("_", ""));
  const isLargest = number >= 127 && Number.isInteger(Math.log2(number + 1));
  return `${isLargest ? number - 1 : number + 1}${rest}`;
}

/** A name or a pattern is looked up by its literal, so another one may be there already, or nothing. */
function isPattern(code: Code, index: number): boolean {
  const token = code.at(index);
  const next = code.at(index + 1);
  if (token === null) return true;
  // `"key": value`, but not `if a == 1:` and not `a ? 1 : 2`.
  if (next?.text === ":" && !next.isSpaced && !code.isLastOfLine(index + 1)) return true;
  if (/^\.\.[.=]?$/.test(code.at(index - 1)?.text ?? "") || /^\.\.[.=]?$/.test(next?.text ?? "")) return true;
  const line = lineOf(code, index);
  if (line.some(({ text, start }) => /^(?:case|when)$/.test(text) && start < token.start)) return true;
  const { arm } = code.language;
  return line.some(
    ({ text, start, opener }) => text === arm && start > token.start && opener <= token.opener,
  );
}

/** Square brackets: an index, a size, a part of a type. */
function isIndex(code: Code, index: number): boolean {
  const opener = code.at(index)?.opener ?? -1;
  const bracket = code.at(opener);
  if (bracket?.text !== "[") return false;
  const before = code.at(opener - 1);
  const isAfterValue = before !== null && !bracket.isSpaced && /[\w)\]]$/.test(before.text);
  return isAfterValue || code.language.isTyped;
}

/** Written as types are: `"open" | "closed"`. */
function isType(code: Code, index: number): boolean {
  return code.at(index - 1)?.text === "|" || code.at(index + 1)?.text === "|";
}

export const numberFaults: FaultMaker = (code, index) => {
  const token = code.at(index);
  const by = token?.type === "number" ? otherNumber(token.text) : null;
  if (by === null || isIndex(code, index) || isType(code, index) || isPattern(code, index)) return [];
  // A part of a name, or so many places that the compiler counts them.
  const isPlace = /^(?:\.|<<|>>)$/.test(code.at(index - 1)?.text ?? "");
  if (isPlace || /^(?:<<|>>)$/.test(code.at(index + 1)?.text ?? "")) return [];
  if (mayBePointer(code, index)) return [];
  return swapped(code, index, "number", by);
};

/** In C, 0 is a pointer, too. */
function mayBePointer(code: Code, index: number): boolean {
  if (code.at(index)?.text !== "0" || !code.language.files.test("a.c")) return false;
  if (
    lineOf(code, index).some(({ text }) =>
      /^(?:int|long|short|unsigned|double|float|size_t|\w+_t)$/.test(text),
    )
  )
    return false;
  return /^(?:return|=|:|\?|\(|,)$/.test(code.at(index - 1)?.text ?? "");
}

const LOADS =
  /^(?:from|import|require|require_relative|require_once|include|include_once|load|use|package|extern|source|export)$/;
/** What people read, and tests seldom do. */
const MESSAGES =
  /^(?:throw|raise|panic|expect|fail|abort|assert|Error|error|Errorf|warn|warning|info|debug|log|console|logger|logging|fprintf|perror|eprintln|die|trigger_error)$|(?:Error|Exception)$/;

export const textFaults: FaultMaker = (code, index) => {
  const token = code.at(index);
  if (token === null || (token.type !== "text" && token.type !== "character")) return [];
  if (isIndex(code, index) || isType(code, index) || isPattern(code, index) || isAlone(code, index))
    return [];
  const line = lineOf(code, index);
  const before = line.filter(({ start }) => start < token.start);
  const bracket = code.at(code.at(token.opener)?.type === "open" ? token.opener - 1 : -1);
  if ([...before, bracket].some((each) => LOADS.test(each?.text ?? ""))) return [];
  if (isReadByCompiler(code, index)) return [];
  const kind = before.some(({ text }) => MESSAGES.test(text)) ? "message" : "text";
  const { inside, end } = token;
  if (token.type === "text") {
    const isEmpty = end - inside <= 1;
    const change = isEmpty ? "the empty text is x" : "an x comes before the text";
    return faultAt(code, index, kind, change, [{ start: inside, end: inside, text: "x" }]);
  }
  const letter = code.text.slice(inside, end - 1);
  if (!/^[A-Za-z0-9]$/.test(letter)) return [];
  const by = letter === "x" ? "y" : "x";
  return faultAt(code, index, kind, `'${letter}' becomes '${by}'`, [
    { start: inside, end: inside + 1, text: by },
  ]);
};

/** What a Ruby class or a struct has, where it says so once it is loaded: `Struct.new(:name, :at)`. */
export const symbolFaults: FaultMaker = (code, index) => {
  const token = code.at(index);
  if (token?.type !== "word" || !/^:[a-z]\w*$/.test(token.text) || !code.language.files.test("a.rb"))
    return [];
  if (code.surroundingsOf(index).owner !== null || isPattern(code, index)) return [];
  return swapped(code, index, "text", `${token.text}_x`);
};

/** A text that nothing is done with: documentation, or a directive. */
function isAlone(code: Code, index: number): boolean {
  const token = code.at(index);
  if (token?.isFirst !== true) return false;
  const isDocumentation =
    code.language.condition === "before-colon" && /^:?$/.test(code.at(index - 1)?.text ?? "");
  return isDocumentation || /^.use /.test(token.text);
}

/** `include_str!("…")` and `env!("…")`. */
function isReadByCompiler(code: Code, index: number): boolean {
  const opener = code.at(index)?.opener ?? -1;
  const name = code.at(opener - 2)?.text ?? "";
  return (
    code.at(opener - 1)?.text === "!" &&
    /^(?:env|option_env|include\w*|concat|compile_error|cfg|asm)$/.test(name)
  );
}
