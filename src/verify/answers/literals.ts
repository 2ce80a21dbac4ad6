import type { Token } from "../faults/tokens.ts";

const QUOTED = /^[a-zA-Z]{0,2}(["'`]{1,3})([\s\S]*?)\1$/;
/** A regular expression that fits one text alone. */
const FITS_ONE = /^(?:\/|m\/|qr\/|~r\/)\^(.*)(?:\$|\\z|\\Z)\/[a-z]*$/;
/** A text with something else in it: `${x}`, `#{x}`, `"$1"`, `f"{x}"`. */
const MADE = /\$[\w{(@*#]|#\{|^[bBrRuU]?[fF][bBrRuU]?["']/;
/** To a shell, numbers are words. */
const DIGITS = /^\d+(?:\.\d+)?$/;
const NUMBER = /^\d[\d_]*(?:\.[\d_]+)?/;

/** What a literal stands for, without its quotes, or as digits; null: it is none, or it is more than one value. */
export function contentOf({ type, text }: Pick<Token, "type" | "text">): string | null {
  if (type === "number" || (type === "word" && DIGITS.test(text)))
    return NUMBER.exec(text)?.[0].replaceAll("_", "") ?? null;
  if (type === "text" || type === "character")
    return MADE.test(text) ? null : (QUOTED.exec(text)?.[2] ?? null);
  if (type !== "opaque") return null;
  const one = FITS_ONE.exec(text)?.[1]?.replaceAll(/\\(?=\W)/g, "");
  return one !== undefined && !/[[\](){}*+?|\\]/.test(one) ? one : (QUOTED.exec(text)?.[2] ?? null);
}

/** Where the content is in its literal, which may write a number in groups: `5_400_000`; null: it is written in another way. */
export function placeOf(
  text: string,
  content: string,
): { readonly from: number; readonly to: number } | null {
  const grouped = NUMBER.exec(text)?.[0];
  if (grouped?.replaceAll("_", "") === content) return { from: 0, to: grouped.length };
  const from = text.indexOf(content);
  return from === -1 ? null : { from, to: from + content.length };
}

export function isNumber(content: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(content);
}

/** How unlikely it is that two people write the same value by chance, from 0 to 2. */
export function rarityOf(content: string): number {
  if (isNumber(content)) {
    const value = Number(content);
    if (value <= 2 && Number.isInteger(value)) return 0;
    return value < 10 || /^10+$/.test(content) ? 1 : 2;
  }
  const words = content.match(/[\p{L}\p{N}]+/gu) ?? [];
  // A word, a sign or a path may well be what something is called.
  if (words.length > 1 || /\p{L}\p{N}|\p{N}\p{L}/u.test(content)) return 2;
  return content.trim().length < 2 || words.length === 0 ? 0 : 1;
}

/** Whether a text has it as a value of its own, and not inside a longer word or number. */
export function hasValue(text: string, content: string): boolean {
  const isWhole = isNumber(content) ? /[\w.]/ : /\w/;
  for (let at = text.indexOf(content); at !== -1; at = text.indexOf(content, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + content.length);
    const goesOn = /\w/.test(content.charAt(content.length - 1)) && isWhole.test(after);
    const began = /\w/.test(content.charAt(0)) && isWhole.test(before);
    // A full stop behind a number ends a sentence, or begins its fraction.
    const isFraction = after === "." && !/\d/.test(text.charAt(at + content.length + 1));
    if (!began && (!goesOn || isFraction)) return true;
  }
  return false;
}

/** Whether what a runner printed has a value, and a number not inside another one. */
export function showsValue(printed: string, content: string): boolean {
  // `expected:<hello[-]world>`: where two texts differ.
  const text = printed.replaceAll(/expected:<.*/g, (line) => line.replaceAll(/[[\]]/g, ""));
  return isNumber(content) ? hasValue(text, content) : text.includes(content.replaceAll(/\\(["'])/g, "$1"));
}

/** Whether one text seems to be made from the other. */
export function isMadeFrom(value: string, key: string): boolean {
  if (isNumber(value) !== isNumber(key)) return false;
  const [short, long] = [value.toLowerCase(), key.toLowerCase()].toSorted((a, b) => a.length - b.length);
  if (short === undefined || long === undefined || short.length < 2) return false;
  let most = 0;
  for (let from = 0; from < short.length; from += 1)
    while (from + most < short.length && long.includes(short.slice(from, from + most + 1))) most += 1;
  return most >= Math.max(2, long.length * 0.5);
}
