/** Foreign text within our line: no line breaks, no control characters, a bounded length. */
export function oneLine(text: string, limit: number): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** Foreign text within our line, cut between two words if that keeps most of it. */
export function wholeWords(text: string, limit: number): string {
  const line = oneLine(text, limit);
  if (!line.endsWith("…")) return line;
  const end = line.lastIndexOf(" ");
  return end > limit / 2 ? `${line.slice(0, end)} …` : line;
}

// oxlint-disable-next-line no-control-regex -- these are exactly what is made visible
const HIDING = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text that a person has to judge: makes hidden characters visible. */
export function visible(text: string): string {
  return text.replace(HIDING, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Terminal escapes: sequences, texts for the terminal itself (titles, links), and switches of two or three characters. None
 * crosses the end of a line, so an unclosed one hides no more than that line.
 */
const PAINT =
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is removed here
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]/g;

/** Foreign text on a terminal or for a model: removes what would move the cursor or change colours; keeps line breaks. */
export function printable(text: string): string {
  return (
    text
      .replace(/\r\n?/g, "\n")
      .replace(PAINT, "")
      // oxlint-disable-next-line no-control-regex -- likewise, and the marks that reverse the reading order
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "")
  );
}

/** A program's output as a terminal finally shows it: only the last text of an overwritten line. */
export function printedText(output: string): string {
  const lines = output.split("\n").map((line) => {
    const written = line.trimEnd();
    return written.slice(written.lastIndexOf("\r") + 1);
  });
  return printable(lines.join("\n"));
}

/** A word for people to copy into a shell: in quotes, unless no shell makes anything else of it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word);
}

/** A shell reads the word back as it stands, whatever it contains. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Whether two command lines are the same one; `npm run test` is `npm test`. */
export function isSameCommand(one: string, other: string): boolean {
  return spelled(one) === spelled(other);
}

function spelled(line: string): string {
  return line
    .trim()
    .replace(/[ \t]+/g, " ")
    .replace(/^(npm|pnpm|yarn) run test\b/, "$1 test");
}
