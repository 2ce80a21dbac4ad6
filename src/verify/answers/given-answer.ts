/** What a test expects of what it gives. */
export interface GivenAnswer {
  readonly given: readonly string[];
  readonly answer: string;
}

/** `green-tea`, or `greenTea`, of `Green Tea`. */
export function isMadeOf(answer: string, given: readonly string[]): boolean {
  const words =
    answer
      .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [];
  const all = given.join(" ").toLowerCase();
  return words.length > 0 && words.every((word) => all.includes(word));
}
