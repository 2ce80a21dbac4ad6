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
