import { Code } from "../faults/code.ts";
import { SHELL } from "../faults/languages.ts";
import { contentOf, isNumber } from "./literals.ts";

/** The values that are written in some texts. */
export class HeldValues {
  readonly #contents = new Map<string, number>();

  constructor(texts: readonly { readonly path: string; readonly text: string }[]) {
    for (const { path, text } of texts)
      for (const content of contentsIn(path, text))
        this.#contents.set(content, (this.#contents.get(content) ?? 0) + 1);
  }

  has(content: string): boolean {
    return this.#contents.has(content.toLowerCase());
  }

  /** Whether it has the number, or one beside it: a limit, and where it begins. */
  hasAround(content: string): boolean {
    if (!isNumber(content)) return this.has(content);
    return [-1, 0, 1].some((by) => this.has(String(Number(content) + by)));
  }

  /** How many letters and digits it has more than another, in values of its own. */
  beyond(other: HeldValues): number {
    let sum = 0;
    for (const [content, count] of this.#contents) {
      const more = count - (other.#contents.get(content) ?? 0);
      // What counts, begins and steps says nothing.
      if (more > 0 && !/^[0-2]?$/.test(content)) sum += more * content.length;
    }
    return sum;
  }
}

/** A file that isn't code is all value. */
function contentsIn(path: string, text: string): readonly string[] {
  const code = Code.of(path, text);
  if (code === null) return (text.match(/[\p{L}\p{N}](?:[^\n",;:=]*[\p{L}\p{N}])?/gu) ?? []).map(lower);
  const isShell = code.language === SHELL;
  return code.tokens.flatMap((token, index) => {
    if (code.surroundingsOf(index).isTest) return [];
    const content = isShell && token.type === "word" ? token.text : (contentOf(token) ?? madeText(token));
    return content === null ? [] : [lower(content)];
  });
}

/** A text that has something else in it, too. */
function madeText({ type, text }: { readonly type: string; readonly text: string }): string | null {
  return type === "text" || type === "opaque" ? text : null;
}

function lower(content: string): string {
  return content.toLowerCase();
}
