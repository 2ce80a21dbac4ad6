import type { Suppression } from "./suppressions.ts";

/** Whether the user's words name that file: then it is where they want it. */
export function namesFile(spec: string, path: string): boolean {
  return spec
    .split(/[\s"'`()<>,;]+/)
    .some((word) => word.replace(/^\.\//, "").replace(/[.:!?]+$/, "") === path);
}

const ASKS =
  /\b(?:suppress|silence|ignore|disable|exclude|allow|exempt)\w*\b[^.\n]{0,80}\b(?:warning|error|lint|linter|rule|diagnostic|coverage|type check|check)\w*/i;
const REFUSES =
  /\b(?:no|not|never|without|avoid|instead of|rather than|forbid\w*|remove|delete|drop|replace|get rid of)\b|n't\b/i;

/** Whether the user's words ask for it: they name it, or say that something shall be silent. */
export function isAskedFor(spec: string, { word }: Pick<Suppression, "word">): boolean {
  return spec
    .split(/(?<=[.!?;])\s|\n/)
    .filter((sentence) => !REFUSES.test(sentence))
    .some((sentence) => ASKS.test(sentence) || sentence.includes(nameOfWord(word)));
}

/** Without its arguments; a plain word of English counts only as code. */
function nameOfWord(word: string): string {
  const name = /^[@\w:# ![-]+?(?=[=(\]]|$)/.exec(word)?.[0].replace(/^[:<|]\s*/, "") ?? word;
  return /^\w+$/.test(name) && !/[A-Z_\d]/.test(name) ? `\`${name}\`` : name;
}
