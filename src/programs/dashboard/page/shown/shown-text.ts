/** Text of specs, agents, checks and files, made harmless to look at: it is only ever put into text nodes. */

/** Invisible characters that change what is read: controls, those that turn the direction of text, and whole alphabets that nobody sees. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is replaced
  /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const LONGEST = 200_000;

/** These may be painted; anywhere else an escape is only a character. */
const PAINTED: ReadonlySet<string> = new Set(["output", "outputTail"]);

/** Titles and sentences are read, not decided on: here whole sequences go, as on a terminal. */
const PLAIN: ReadonlySet<string> = new Set(["spec", "subject", "said", "sentence", "because", "project"]);

const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- terminal sequences are exactly what is removed
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?/g;

function shownText(given: string, name: string): string {
  const text = PLAIN.has(name) ? given.replace(ESCAPES, "") : given;
  const cut =
    text.length > LONGEST
      ? `… ${text.length - LONGEST} characters left out …\n${text.slice(-LONGEST)}`
      : text;
  const visible = cut.replace(/\r\n?/g, "\n").replace(HIDDEN, nameOf);
  return PAINTED.has(name) ? visible : visible.replaceAll("\u001b", "␛");
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** Whether any text in it has to be changed; of a thousand rows, hardly ever one. In JSON, controls are escaped. */
function isPlain(json: string): boolean {
  if (/\\[ubfr]/.test(json) || json.search(HIDDEN) !== -1) return false;
  for (let from = 0; from !== -1;) {
    const to = json.indexOf('"', from + 1);
    if ((to === -1 ? json.length : to) - from > LONGEST) return false;
    from = to;
  }
  return true;
}

/** Everything that comes from the server goes through here. */
export function parseShown(json: string): unknown {
  if (isPlain(json)) return JSON.parse(json);
  return JSON.parse(json, (name: string, value: unknown) =>
    typeof value === "string" ? shownText(value, name) : value,
  );
}

export interface Painted {
  readonly text: string;
  readonly color: string | null;
  readonly isBold: boolean;
}

const COLORS: { readonly [code: string]: string } = {
  31: "c-red",
  32: "c-green",
  33: "c-amber",
  34: "c-blue",
  35: "c-violet",
  36: "c-blue",
  90: "c-ink3",
  91: "c-red",
  92: "c-green",
  93: "c-amber",
  94: "c-blue",
  95: "c-violet",
  96: "c-blue",
};

const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- terminal sequences are exactly what is read
  /\u001b\[([0-9;?]{0,32})([ -/]{0,4}[@-~])|\u001b\][^\u0007\u001b\n]{0,512}(?:\u0007|\u001b\\)/g;

/** What a terminal would paint, as classes. */
export function painted(line: string): readonly Painted[] {
  const parts: Painted[] = [];
  let from = 0;
  let color: string | null = null;
  let isBold = false;
  const push = (text: string): void => {
    if (text !== "") parts.push({ text: text.replaceAll("\u001b", "␛"), color, isBold });
  };
  for (const match of line.matchAll(SEQUENCE)) {
    push(line.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] !== "m") continue;
    for (const code of (match[1] ?? "").split(";")) {
      if (code === "" || code === "0") [color, isBold] = [null, false];
      else if (code === "1") isBold = true;
      else if (code === "39") color = null;
      else color = COLORS[code] ?? color;
    }
  }
  push(line.slice(from));
  return parts;
}

export interface Word {
  readonly text: string;
  readonly isChanged: boolean;
}

const MOST_WORDS = 120;

/** Which words of a line differ from another one. Null: they have little in common, or are too long. */
export function changedWords(
  before: string,
  after: string,
): { readonly before: readonly Word[]; readonly after: readonly Word[] } | null {
  const split = (text: string): readonly string[] =>
    text.match(/\s+|\p{N}+(?:\.\p{N}+)+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  const [one, other] = [split(before), split(after)];
  if (one.length > MOST_WORDS || other.length > MOST_WORDS) return null;
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint8Array(other.length + 1));
  for (let a = one.length - 1; a >= 0; a -= 1)
    for (let b = other.length - 1; b >= 0; b -= 1)
      lengths[a]![b] =
        one[a] === other[b]
          ? lengths[a + 1]![b + 1]! + 1
          : Math.max(lengths[a + 1]![b]!, lengths[a]![b + 1]!);
  if (lengths[0]![0]! * 2 < Math.min(one.length, other.length)) return null;
  const left: Word[] = [];
  const right: Word[] = [];
  let [a, b] = [0, 0];
  while (a < one.length || b < other.length) {
    if (a < one.length && b < other.length && one[a] === other[b]) {
      left.push({ text: one[a]!, isChanged: false });
      right.push({ text: other[b]!, isChanged: false });
      [a, b] = [a + 1, b + 1];
    } else if (b >= other.length || (a < one.length && lengths[a + 1]![b]! >= lengths[a]![b + 1]!)) {
      left.push({ text: one[a]!, isChanged: true });
      a += 1;
    } else {
      right.push({ text: other[b]!, isChanged: true });
      b += 1;
    }
  }
  return { before: left, after: right };
}
