import { readFileSync, writeFileSync } from "node:fs";

/** Replaces what stands between `<!-- arena:NAME -->` and `<!-- /arena:NAME -->`, for each name. */
export function fillIn(path: string, parts: { readonly [name: string]: string }): void {
  let text = readFileSync(path, "utf8");
  for (const [name, part] of Object.entries(parts)) {
    const between = new RegExp(`(<!-- arena:${name} -->\n)[\\s\\S]*?(<!-- /arena:${name} -->)`);
    if (!between.test(text)) throw new Error(`${path} has no place for ${name}`);
    text = text.replace(between, (_, begin: string, end: string) => `${begin}\n${part}\n\n${end}`);
  }
  writeFileSync(path, text);
}
