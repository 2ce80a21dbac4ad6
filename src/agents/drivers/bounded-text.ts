export const LONGEST_SAID = 2_000;
export const LONGEST_DETAIL = 300;
/** No file path is longer. */
export const LONGEST_PATH = 4096;
/** Longer final words keep their end, where the claims are. */
export const LONGEST_MESSAGE = 256 * 1024;

/** The beginning of a foreign text, marked if it is cut. */
export function beginningOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = limit - 1;
  return `${text.slice(0, splitsCharacter(text, cut) ? cut - 1 : cut)}…`;
}

/** The end of a foreign text: whole lines, unless the last line alone is too long. */
export function endOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.length - limit;
  const nextLine = text.indexOf("\n", cut - 1) + 1;
  if (nextLine > 0 && nextLine < text.length) return text.slice(nextLine);
  return text.slice(splitsCharacter(text, cut) ? cut + 1 : cut);
}

/** Foreign text as part of a sentence: no line breaks, colours or control characters. */
export function detailOf(text: string): string {
  const line = text
    .slice(0, 4 * LONGEST_DETAIL)
    // oxlint-disable-next-line no-control-regex -- colours and control characters are exactly what is removed here
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return beginningOf(line, LONGEST_DETAIL);
}

const TELLING = /error|fail|fatal|denied|cannot|unable|not found|no such/i;

/** What happened, and the program's own words: its last line about a failure, otherwise its last line. */
export function detailWithReason(what: string, stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !/^\s+at /.test(line));
  const reason = lines.findLast((line) => TELLING.test(line)) ?? lines.at(-1);
  return detailOf(reason === undefined ? what : `${what}: ${reason.trim()}`);
}

function splitsCharacter(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
