import { eastAsianWidth } from "get-east-asian-width";

/** Each of these characters takes one column, which covers most texts without the tables below. */
const NARROW =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u25a1\u2713-\u2718\u2800-\u28ff]*$/;
// oxlint-disable-next-line no-control-regex -- it is how terminals are told a colour
const PAINT = /\u001b\[[\d;]*m/g;
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/u;
/** Sequences without a selector that are still drawn as emoji. */
const UNQUALIFIED_EMOJI =
  /^(?:[\d#*]\u20e3|.*\p{Extended_Pictographic}.*\u200d.*\p{Extended_Pictographic}.*)$/u;
/** Takes its own column although it belongs to the previous character. */
const TAKES_ROOM = /[\p{Mc}\uff00-\uffef\u1100-\u11ff]/u;
/** Letters of one syllable, drawn as one: its vowel and final consonant take no extra columns. */
const SYLLABLE =
  /(?<=[\u1100-\u115f\ua960-\ua97c])[\u1160-\u11a7\ud7b0-\ud7c6][\u11a8-\u11ff\ud7cb-\ud7fb]?/g;
const LONGEST_EMOJI = 50;

/** Created on demand: their tables take a third of Node's start time. */
let segmenter: Intl.Segmenter | undefined;
let emoji: RegExp | undefined;

/** The columns a text takes on a terminal. Escape sequences take none. */
export function displayWidth(text: string): number {
  const plain = text.includes("\u001b") ? text.replace(PAINT, "") : text;
  if (NARROW.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemesOf(plain)) width += graphemeWidth(segment);
  return width;
}

/** The beginning that fits, with an ellipsis if something is left out. For text without escape sequences. */
export function fitted(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width <= 0) return "";
  let kept = "";
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

function graphemeWidth(grapheme: string): number {
  const start = grapheme.search(VISIBLE);
  if (start === -1) return 0;
  if (grapheme.length <= LONGEST_EMOJI && isEmoji(grapheme)) return 2;
  let width = 0;
  let isFirst = true;
  for (const character of grapheme.slice(start).replace(SYLLABLE, "")) {
    if (isFirst || TAKES_ROOM.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0);
    isFirst = false;
  }
  return width;
}

function isEmoji(grapheme: string): boolean {
  emoji ??= new RegExp("^\\p{RGI_Emoji}$", "v");
  return emoji.test(grapheme) || UNQUALIFIED_EMOJI.test(grapheme);
}

/** Wraps text between words; a word longer than a line stays whole. Further lines are indented. */
export function wrapped(text: string, width: number, indent: string): string {
  if (displayWidth(text) <= width) return text;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else {
      line = longer;
    }
  }
  return [...lines, line].join("\n");
}
