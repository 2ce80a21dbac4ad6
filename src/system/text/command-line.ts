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
