/** Text of others within a line of ours: no line breaks, no control characters, a bounded length. */
export function oneLine(text: string, limit: number): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

// oxlint-disable-next-line no-control-regex -- these are exactly what is made visible
const HIDING = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text that a person has to judge: what would hide something is shown as what it is. */
export function visible(text: string): string {
  return text.replace(HIDING, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Text of others on a terminal: what would move the cursor or change colours is taken out; line breaks stay. */
export function printable(text: string): string {
  return (
    text
      .replace(/\r\n?/g, "\n")
      // oxlint-disable-next-line no-control-regex -- control characters are exactly what is removed here
      .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(\u0007|\u001b\\)?/g, "")
      // oxlint-disable-next-line no-control-regex -- likewise, and the marks that reverse the reading order
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "")
  );
}
