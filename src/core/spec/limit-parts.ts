const NEXT =
  "(?:no|only|do not|don't|don’t|dont|never|without|leave|keep|existing|the existing|tests|hands off|just not|must (?:not|stay|remain))";
const JOINT = new RegExp(
  `,\\s(?:and\\s|but\\s)?(?=${NEXT}\\s)|\\s(?:and|but)\\s(?=(?:no|only|do not|don't|don’t|dont|never|without|leave|hands off)\\s)`,
  "i",
);

/** "No new dependencies, and the tests must not change" says two things; a list of files says one. */
export function limitParts(text: string): readonly string[] {
  const parts = text.split(JOINT);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
