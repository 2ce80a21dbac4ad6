import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const PAGES = [
  "README.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

/** Every command line of ours in a page: those of its blocks, and those in its sentences and tables. */
function linesIn(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^```(?:sh|console)\n([^]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block
      .replaceAll(/\\\n\s*/g, "")
      .split("\n")
      .map((line) => line.replace(/^\$ /, "")),
  );
  const inline = [...markdown.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g)].map(
    ([, code = ""]) => code,
  );
  return [...blocks, ...inline]
    .filter((line) => /^loop [a-z]/.test(line))
    .map((line) => line.replace(/ # .*$/, ""));
}

/** Without what is in quotes: those are other people's words and flags. */
function bare(line: string): string {
  return (
    line
      .replaceAll(/"[^"]*"|'[^']*'/g, "TEXT")
      .replace(/ -- .*$/, "")
      .split(/[|;&<>]/)[0] ?? ""
  );
}

test.each(PAGES)("every command and every flag that %s shows is one of the program's", (page) => {
  const sandbox = new Sandbox();
  const helps = new Map<string, string>();
  const helpOf = (...words: readonly string[]): string => {
    const key = words.join(" ");
    const known = helps.get(key) ?? sandbox.loop(...words, "--help").out;
    helps.set(key, known);
    return known;
  };
  const unknown = linesIn(readFileSync(page, "utf8")).filter((line) => {
    const [, word = "", second = ""] = bare(line).split(/\s+/);
    if (!helpOf().includes(`\n  ${word} `)) return true;
    const isNested = /^[a-z]+$/.test(second) && new RegExp(`^  ${second}(?: |$)`, "m").test(helpOf(word));
    const help = isNested ? `${helpOf(word)}${helpOf(word, second)}` : helpOf(word);
    const flags = [...bare(line).matchAll(/(?<=\s)--?[a-z][a-z-]*/g)].map(([flag]) => flag);
    return flags.some((flag) => !new RegExp(`${flag}(?![a-z-])`).test(help));
  });
  expect(unknown).toEqual([]);
});
