/** The line that names an interpreter, and where PHP begins. */
const OPENING = /^(?:#![^\n]*\n)?(?:\s*<\?(?:php\b)?)?/;
const NONSENSE = "}]'\"`";

/** Neither a program in any language nor what one prints: who runs or reads it fails. */
export function brokenText(text: string): string {
  // What comes before PHP's opening is text, and without a space behind it there is none.
  return text.replace(OPENING, (opening) => `${opening} )${NONSENSE}(\n`);
}
