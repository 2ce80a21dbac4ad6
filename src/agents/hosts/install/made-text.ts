/** A file that begins with this was made by us, and goes when nothing else is in it: nobody ends a file with two empty lines. */
const NEW_FILE = "{}\n\n\n";

/** So does a file that was there and had nothing in it, before what it had. */
const BLANK_FILE = "{}\n\n\n\n";

/** Some editors start a file with it, which clients accept there and nowhere else. */
const MARK = "\uFEFF";

/** The object that our entries go into, as text; null: there is no file. */
export function opened(text: string | null): string {
  if (text === null) return NEW_FILE;
  if (!isBlank(text)) return text;
  return text.startsWith(MARK) ? MARK + BLANK_FILE + text.slice(1) : BLANK_FILE + text;
}

/** What was there before, once our entries are out of it; null: no file. */
export function closed(rest: string): string | null {
  if (rest === NEW_FILE) return null;
  const mark = rest.startsWith(MARK) ? MARK : "";
  const begin = mark + BLANK_FILE;
  return rest.startsWith(begin) && isBlank(rest.slice(begin.length)) ? mark + rest.slice(begin.length) : rest;
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}
