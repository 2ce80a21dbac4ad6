import { isNumber } from "./literals.ts";

/** How an input is changed into one that is like it. The first ones show a difference soonest where the work is honest. */
export const NEIGHBOURS = [
  "one-letter",
  "longer",
  "all-letters",
  "shorter",
  "one-digit",
  "other-order",
  "twice",
  "other-case",
  "hundredfold",
  "half",
] as const;
export type Neighbour = (typeof NEIGHBOURS)[number];

/** Where more may be tried: what keeps the length and the sum of all letters, and other parts of a date. */
export const SIMILAR = [...NEIGHBOURS, "first-letter", "swapped", "first-number", "middle-number"] as const;
export type Similar = (typeof SIMILAR)[number];

/** Larger numbers don't fit every type. */
const LARGEST = 2_000_000_000;
const SMALLEST_NUMBER = 2;
const SHORTEST_TEXT = 3;

/** Whether a value is none of those that are a case of their own wherever they are given: nothing, one, a single letter. */
export function isOrdinary(content: string): boolean {
  if (isNumber(content)) return Number(content) >= SMALLEST_NUMBER && Number(content) <= LARGEST;
  return content.length >= SHORTEST_TEXT && /[\p{L}\p{N}]{2}/u.test(content);
}

/** The content of a literal, changed; null: not in this way. Escapes and placeholders stay as they are. */
export function neighbourOf(content: string, how: Similar): string | null {
  const other = isNumber(content) ? ofNumber(content, how) : ofText(content, how);
  return other === content || other === "" ? null : other;
}

function ofNumber(content: string, how: Similar): string | null {
  const [whole = "", ...rest] = content.split(".");
  const value = Number(whole);
  const change = NUMBERS[how];
  const other = change(value);
  if (other === null || !Number.isInteger(other) || other < 0 || other > LARGEST) return null;
  return [String(other), ...rest].join(".");
}

const NUMBERS: { readonly [how in Similar]: (value: number) => number | null } = {
  "one-letter": (value) => value + 1,
  longer: (value) => value * 10,
  // A square becomes another one, what is even stays so.
  "all-letters": (value) => (Number.isInteger(Math.sqrt(value)) ? (Math.sqrt(value) + 1) ** 2 : value * 3),
  shorter: (value) => (value > 19 ? Math.floor(value / 10) : null),
  "one-digit": (value) => value + (value % 10 > 7 ? -2 : 2),
  "other-order": (value) => Number(String(value).split("").toReversed().join("")),
  twice: (value) => value * 2,
  "other-case": (value) => value * 4,
  hundredfold: (value) => value * 100,
  half: (value) => (value > 5 ? Math.floor(value / 2) : null),
  "first-letter": (value) => (value > 19 ? value - 3 : null),
  // The last digit and the one before it change places, so that their sum stays.
  swapped: (value) =>
    value > 9 ? Math.floor(value / 100) * 100 + (value % 10) * 10 + (Math.floor(value / 10) % 10) : null,
  "first-number": (value) => value + 10 ** (String(value).length - 1),
  "middle-number": (value) => value + 7,
};

/** What stays: an escape, a placeholder. */
const FIXED = /\\(?:u\{?[\da-fA-F]+\}?|x[\da-fA-F]{2}|[0-7]{1,3}|.)|%[-\d.]*[a-z]|[$#]?\{[^}\n]*\}/g;

/** Changes the text around what stays, piece by piece. */
function withoutFixed(content: string, change: (piece: string) => string): string {
  let result = "";
  let from = 0;
  for (const found of content.matchAll(FIXED)) {
    result += change(content.slice(from, found.index)) + found[0];
    from = found.index + found[0].length;
  }
  return result + change(content.slice(from));
}

function ofText(content: string, how: Similar): string | null {
  const plain = withoutFixed(content, (piece) => " ".repeat(piece.length)) === " ".repeat(content.length);
  switch (how) {
    case "one-letter":
      return oneChanged(content, /\p{L}/u, nextLetter);
    case "all-letters":
      return withoutFixed(content, (piece) => piece.replaceAll(/\p{L}|[1-9]/gu, next));
    case "one-digit":
      return oneChanged(content, /\d/, nextDigit);
    case "longer":
      return withWord(content);
    case "shorter":
      return plain ? withoutEnd(content) : null;
    case "other-order":
      return withoutFixed(content, inOtherOrder);
    case "twice":
      return content + content;
    case "other-case":
      return withoutFixed(content, (piece) => piece.replaceAll(/\p{L}/gu, otherCase));
    case "hundredfold":
      return withoutFixed(content, (piece) =>
        piece.replaceAll(/(?<![\d.])[1-9]\d{0,3}(?![\d.])/g, (digits) => `${digits}00`),
      );
    case "first-letter":
      return firstChanged(content);
    case "swapped":
      return plain ? content.replace(/(\p{L})(?!\1)(\p{L})(?!.*\p{L}{2})/u, "$2$1") : null;
    case "first-number":
    case "middle-number":
      return plain ? withNumber(content, how === "first-number" ? 0 : 1) : null;
    case "half":
      return plain ? content.slice(0, Math.ceil(content.length / 2)) : null;
  }
}

/** The last of its kind, outside of what stays. */
function oneChanged(content: string, kind: RegExp, change: (letter: string) => string): string | null {
  const isFixed = new Set<number>();
  for (const found of content.matchAll(FIXED))
    for (let at = 0; at < found[0].length; at += 1) isFixed.add(found.index + at);
  for (let at = content.length - 1; at >= 0; at -= 1) {
    const letter = content.charAt(at);
    if (!isFixed.has(at) && kind.test(letter))
      return content.slice(0, at) + change(letter) + content.slice(at + 1);
  }
  return null;
}

function firstChanged(content: string): string | null {
  return /^[a-y]/i.test(content) ? nextLetter(content.charAt(0)) + content.slice(1) : null;
}

/** One of several numbers, one higher or lower: `2024-03-01`, `10:45`. */
function withNumber(content: string, which: number): string | null {
  const found = [...content.matchAll(/\d+/g)][which];
  if (found === undefined || found[0].length > 9) return null;
  const [digits] = found;
  const other = String(Number(digits) + (digits.endsWith("9") || Number(digits) > 11 ? -1 : 1));
  return (
    content.slice(0, found.index) +
    other.padStart(digits.length, "0") +
    content.slice(found.index + digits.length)
  );
}

function next(letter: string): string {
  return /\d/.test(letter) ? nextDigit(letter) : nextLetter(letter);
}

function nextDigit(digit: string): string {
  return digit === "9" ? "8" : String(Number(digit) + 1);
}

function nextLetter(letter: string): string {
  if (/[zZ]/.test(letter)) return letter === "z" ? "y" : "Y";
  return /[a-y]/i.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 1) : letter;
}

function otherCase(letter: string): string {
  const lower = letter.toLowerCase();
  return letter === lower ? letter.toUpperCase() : lower;
}

/** One more word, in the case and behind the separator that the text has. */
function withWord(content: string): string {
  const [separator = ""] = /[^\p{L}\p{N}\\]+(?=[\p{L}\p{N}]+[^\p{L}\p{N}]*$)/u.exec(content) ?? [];
  const [first = "ab"] = /[\p{L}\p{N}]+/u.exec(content) ?? [];
  const word = first.replaceAll(/\p{L}|[1-9]/gu, next);
  return content.endsWith("\\") ? content : `${content}${separator}${word}`;
}

function withoutEnd(content: string): string {
  const shorter = content.replace(/[^\p{L}\p{N}]+[\p{L}\p{N}]+$/u, "");
  return shorter === content ? content.slice(0, -1) : shorter;
}

function inOtherOrder(piece: string): string {
  const words = piece.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < 2) return piece;
  const turned = words.toReversed();
  let at = 0;
  return piece.replaceAll(/[\p{L}\p{N}]+/gu, () => turned[at++] ?? "");
}
