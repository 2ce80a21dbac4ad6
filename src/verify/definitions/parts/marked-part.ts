/**
 * The blocks of a build file about testing: the plugins of a pom.xml, the blocks of a build.gradle, the replacements of a go.mod.
 * The rest names what the source needs.
 */
const READERS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  "surefire plugins": (text) => [
    ...text
      .split("<plugin>")
      .slice(1)
      .map((rest) => rest.split("</plugin>", 1)[0] ?? "")
      .filter((plugin) => /surefire|failsafe/.test(plugin)),
    ...linesWith(text, /<(?:skipTests|skipITs|maven\.test)/),
  ],
  "testing blocks": (text) => [
    ...blocksAfter(text, /\b(?:test|Test|integrationTest|testing)\b/),
    ...linesWith(text, /ignoreFailures|useJUnit|\btest\w*\.enabled/i),
  ],
  replacements: (text) => [
    ...linesWith(text, /^\s*replace\s+[^(]/),
    ...text
      .split(/^\s*replace\s*\(/m)
      .slice(1)
      .map((rest) => rest.split(")", 1)[0] ?? ""),
  ],
};

export function markedPart(text: string, part: string): string | null {
  const blocks = Object.hasOwn(READERS, part) ? (READERS[part]?.(text) ?? []) : [];
  return blocks.length === 0 ? null : blocks.map((block) => block.replaceAll(/\s+/g, " ").trim()).join("\n");
}

function linesWith(text: string, mark: RegExp): readonly string[] {
  return text.split("\n").filter((line) => mark.test(line));
}

/** From a line that opens a block to the line that closes it. */
function blocksAfter(text: string, mark: RegExp): readonly string[] {
  const blocks: string[] = [];
  let depth = 0;
  for (const line of text.split("\n")) {
    if (depth === 0 && !(line.includes("{") && mark.test(line))) continue;
    blocks.push(line);
    depth += (line.match(/\{/g)?.length ?? 0) - (line.match(/\}/g)?.length ?? 0);
    depth = Math.max(0, depth);
  }
  return blocks;
}
