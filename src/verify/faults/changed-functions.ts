import { Code } from "./code.ts";
import type { Token } from "./tokens.ts";

/**
 * The lines of functions that have another header than any did before: another name, or other parameters. Where only names
 * changed, faults belong into what has them.
 */
export function linesOfChangedFunctions(path: string, now: string, then: string | null): ReadonlySet<number> {
  const code = Code.of(path, now);
  const old = then === null ? null : Code.of(path, then);
  if (code === null || old === null) return new Set();
  const known = new Set(functionsOf(old).map(({ header }) => textOf(header)));
  return new Set(
    functionsOf(code)
      .filter(({ header }) => !known.has(textOf(header)))
      .map(({ line }) => line),
  );
}

function functionsOf(code: Code): readonly { readonly header: readonly Token[]; readonly line: number }[] {
  return code.tokens.flatMap(({ line }, index) => {
    const { header } = code.surroundingsOf(index);
    return header === null ? [] : [{ header, line }];
  });
}

function textOf(header: readonly Token[]): string {
  return header.map(({ text }) => text).join(" ");
}
