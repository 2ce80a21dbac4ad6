/** Made when a text needs it: loading its tables takes half as long as starting Node. */
let segmenter: Intl.Segmenter | undefined;
const PLAIN = /^[\u0020-\u007e]*$/;
const NARROW_FORMS = /^[\uff61-\uffdc]/;
/** What terminals give two columns: the scripts of East Asia and their full-width forms, and emoji. */
const WIDE =
  /[\u1100-\u115f\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\p{Emoji_Presentation}]|\p{Emoji}\ufe0f/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]*$/u;

/** Columns that a text without escape sequences takes on a terminal. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** The beginning that fits; what is left out is told by an ellipsis. */
export function fitted(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width <= 0) return "";
  let kept = "";
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    used += graphemeWidth(segment);
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
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) && !NARROW_FORMS.test(grapheme) ? 2 : 1;
}
