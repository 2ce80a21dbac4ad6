/** Text of others within a line of ours: no line breaks, no control characters, a bounded length. */
export function oneLine(text: string, limit: number): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** The same, shortened between two words where that leaves most of it. */
export function wholeWords(text: string, limit: number): string {
  const line = oneLine(text, limit);
  if (!line.endsWith("…")) return line;
  const end = line.lastIndexOf(" ");
  return end > limit / 2 ? `${line.slice(0, end)} …` : line;
}

// oxlint-disable-next-line no-control-regex -- these are exactly what is made visible
const HIDING = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text that a person has to judge: what would hide something is shown as what it is. */
export function visible(text: string): string {
  return text.replace(HIDING, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * What paints a terminal: sequences, texts for the terminal itself (titles, links), and the switches of two or three
 * characters. None goes on over the end of a line, so that one that is never closed hides no more than that.
 */
const PAINT =
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is removed here
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]/g;

/** Text of others on a terminal or before a model: what would move the cursor or change colours is taken out; line breaks stay. */
export function printable(text: string): string {
  return (
    text
      .replace(/\r\n?/g, "\n")
      .replace(PAINT, "")
      // oxlint-disable-next-line no-control-regex -- likewise, and the marks that reverse the reading order
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "")
  );
}

/** What a program has printed, as it stands on a terminal in the end: of a line that was written over, the last text. */
export function printedText(output: string): string {
  const lines = output.split("\n").map((line) => {
    const written = line.trimEnd();
    return written.slice(written.lastIndexOf("\r") + 1);
  });
  return printable(lines.join("\n"));
}
