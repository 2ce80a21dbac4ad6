import type { Suppression } from "./suppressions.ts";

const FUNCTION =
  /^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(([^()]*(?:\([^()]*\)[^()]*)*)\)[ \t]*(->[^:\n]+)?:/gm;

/** Functions of a Python file that had types and have none any more: a type checker leaves them alone. */
export function lostTypes(path: string, now: string, before: string): readonly Suppression[] {
  if (!path.endsWith(".py")) return [];
  const typed = new Set(functionsIn(before).flatMap(({ name, isTyped }) => (isTyped ? [name] : [])));
  return functionsIn(now)
    .filter(({ name, isTyped }) => !isTyped && typed.has(name))
    .map(({ name, at }) => ({
      path,
      line: now.slice(0, at).split("\n").length,
      word: `def ${name} without its types`,
    }));
}

function functionsIn(
  text: string,
): readonly { readonly name: string; readonly isTyped: boolean; readonly at: number }[] {
  return [...text.matchAll(FUNCTION)].map(({ 1: name = "", 2: parameters = "", 3: result, index }) => ({
    name,
    isTyped: result !== undefined || parameters.includes(":"),
    at: index,
  }));
}
